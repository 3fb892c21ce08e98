// `node scripts/checkLocks.mjs`: ends with a sentence where a lock file has a package without a checksum, which npm then installs
// unchecked. The registry did not serve it when the lock file was written: lock the version before.
import { readFileSync } from 'node:fs';

const FILES = [
	'',
	'playground/',
	'playground/versions/n8n-1/',
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
