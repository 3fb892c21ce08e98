import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MANIFEST_FOLDER } from './location';

/** How many packages of the first level are unpacked: npm makes all folders first and fills them one by one. */
export function countUnpacked(folder: string): number {
	const modules = join(folder, 'node_modules');
	if (!existsSync(modules)) return 0;
	const names = readdirSync(modules).flatMap((name) =>
		name.startsWith('@') ? readdirSync(join(modules, name)).map((rest) => `${name}/${rest}`) : [name],
	);
	return names.filter((name) => existsSync(join(modules, name, 'package.json'))).length;
}

/** How many packages of the first level the lock file lists. */
export function countLocked(): number {
	const lock: { packages: Record<string, { os?: string[] }> } = JSON.parse(
		readFileSync(join(MANIFEST_FOLDER, 'package-lock.json'), 'utf8'),
	);
	return Object.keys(lock.packages).filter((path) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)).length;
}
