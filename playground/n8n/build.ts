import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the build reads. */
const SOURCES = [
	'nodes',
	'credentials',
	'icons',
	'package.json',
	'package-lock.json',
	'tsconfig.json',
	'tsconfig.build.json',
	'gulpfile.js',
];
/** What the build makes. */
const RESULT = 'dist';
/** Remembers what the last build read and made; not in `dist/`, which is published. */
const STAMP = join('node_modules', '.build.sha256');

/**
 * Builds the package unless sources and `dist/` are, file by file, what they were after the last build done here.
 * Times are not looked at: a file taken away or another branch would not show.
 *
 * @param folder - the package's
 * @param build - makes `dist/`
 */
export async function buildIfChanged(folder: string, build: () => Promise<void>): Promise<void> {
	const stamp = join(folder, STAMP);
	const current = () => hashOf(folder, [...SOURCES, RESULT]);
	const sources = () => hashOf(folder, SOURCES);
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === current()) return;
	rmSync(stamp, { force: true });
	const before = sources();
	await build();
	// A source saved meanwhile may or may not be in `dist/`.
	if (sources() === before) writeFileSync(stamp, current());
}

function hashOf(folder: string, names: string[]): string {
	const hash = createHash('sha256');
	for (const file of names.flatMap((name) => filesOf(folder, name))) {
		const content = readFileSync(join(folder, file));
		hash.update(`${file}\0${content.length}\0`).update(content);
	}
	return hash.digest('hex');
}

/** The files of a folder, or the file itself, in a fixed order; none when there is no such thing. */
function filesOf(folder: string, name: string): string[] {
	const path = join(folder, name);
	if (!existsSync(path)) return [];
	if (!statSync(path).isDirectory()) return [name];
	return readdirSync(path)
		.sort()
		.flatMap((entry) => filesOf(folder, join(name, entry)));
}
