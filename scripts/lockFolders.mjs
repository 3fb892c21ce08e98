import { readdirSync } from 'node:fs';

/** The folders with a lock file: the repository, each n8n that it is tested on, and each set of `npm run test:versions`. */
export const LOCK_FOLDERS = [
	'.',
	...['harness/versions', 'test/versions'].flatMap((parent) =>
		readdirSync(parent).map((name) => `${parent}/${name}`),
	),
];
