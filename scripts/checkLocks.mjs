// `node scripts/checkLocks.mjs` fails if a lock file has a package without a checksum, because npm would install it
// unchecked. The registry did not serve the checksum when the lock file was written: lock the previous version.
import { readFileSync } from 'node:fs';

const FILES = [
	'',
	'harness/versions/n8n-2/',
	'harness/versions/n8n-1/',
	'test/versions/n8n-1/',
	'test/versions/zod-4/',
];

for (const file of FILES.map((folder) => `${folder}package-lock.json`)) {
	const { packages } = JSON.parse(readFileSync(file, 'utf8'));
	for (const [path, { integrity, version }] of Object.entries(packages)) {
		if (path === '' || integrity) continue;
		console.error(`${file} has no checksum for ${path} ${version}.`);
		process.exitCode = 1;
	}
}
