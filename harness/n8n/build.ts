import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files and folders that the build reads. */
const SOURCES =
	'nodes credentials package.json package-lock.json tsconfig.json tsconfig.build.json gulpfile.js'.split(' ');
/** Hash of the last build's input and output; not in `dist/`, which is published. */
const STAMP = join('node_modules', '.build.sha256');

/**
 * Builds the package unless sources and `dist/` are unchanged since the last build. Compares contents, because
 * modification times miss deleted files and switched branches.
 */
export async function buildIfChanged(folder: string, build: () => Promise<void>): Promise<void> {
	const stamp = join(folder, STAMP);
	const current = () => hashOf(folder, [...SOURCES, 'dist']);
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === current()) return;
	rmSync(stamp, { force: true });
	const before = hashOf(folder, SOURCES);
	await build();
	// A source saved during the build may be missing from `dist/`.
	if (hashOf(folder, SOURCES) === before) writeFileSync(stamp, current());
}

function hashOf(folder: string, names: string[]): string {
	const hash = createHash('sha256');
	for (const file of names.flatMap((name) => filesOf(join(folder, name)))) {
		const content = readFileSync(file);
		hash.update(`${file}\0${content.length}\0`).update(content);
	}
	return hash.digest('hex');
}

/** The files of a folder in a fixed order, or the file itself; empty if it does not exist. */
function filesOf(path: string): string[] {
	if (!existsSync(path)) return [];
	if (statSync(path).isFile()) return [path];
	return readdirSync(path)
		.sort()
		.flatMap((name) => filesOf(join(path, name)));
}
