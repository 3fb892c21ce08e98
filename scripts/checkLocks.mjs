// `node scripts/checkLocks.mjs` fails if a lock file has a package without a checksum, because npm would install it
// unchecked. The registry did not serve the checksum when the lock file was written: lock the previous version.
import { readdirSync, readFileSync } from 'node:fs';

const versions = ['harness/versions', 'test/versions'].flatMap((parent) =>
	readdirSync(parent).map((name) => `${parent}/${name}`),
);
for (const folder of ['.', ...versions]) {
	const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8'));
	for (const [path, { integrity, version }] of Object.entries(packages)) {
		if (path === '' || integrity) continue;
		console.error(`${folder} has no checksum for ${path} ${version}.`);
		process.exitCode = 1;
	}
}
