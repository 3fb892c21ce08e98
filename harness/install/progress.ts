import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MANIFEST_FOLDER } from './location';

/** The number of unpacked top-level packages: npm creates all folders first, then fills them one by one. */
export function countUnpacked(folder: string): number {
	const modules = join(folder, 'node_modules');
	if (!existsSync(modules)) return 0;
	const names = readdirSync(modules).flatMap((name) =>
		name.startsWith('@') ? readdirSync(join(modules, name)).map((rest) => `${name}/${rest}`) : [name],
	);
	return names.filter((name) => existsSync(join(modules, name, 'package.json'))).length;
}

/** The number of top-level packages in the lock file. */
export function countLocked(): number {
	const lock: { packages: Record<string, { os?: string[] }> } = JSON.parse(
		readFileSync(join(MANIFEST_FOLDER, 'package-lock.json'), 'utf8'),
	);
	return Object.keys(lock.packages).filter((path) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)).length;
}
