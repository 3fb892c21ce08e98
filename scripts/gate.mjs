/**
 * Second half of `npm run gate`: n8n's scan of community packages, which its verification runs on the published
 * package, on the sources and on the tarball. It ignores the ESLint configurations of this repository.
 * `node scripts/gate.mjs <tarball>` scans a tarball of your own.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

/** Scans a folder with n8n's rules and prints what breaks them. Returns whether it passed. */
async function scan(name, folder, patterns) {
	const { passed, message, details = '' } = await analyzePackage(folder, patterns);
	console.log(
		passed ? `The ${name} passes n8n's scan.` : `The ${name} fails n8n's scan: ${message}\n${details}`,
	);
	return passed;
}

const folder = mkdtempSync(join(tmpdir(), 'gate-'));
try {
	const run = (...command) => execFileSync(command[0], command.slice(1), { encoding: 'utf8' });
	const tarball = process.argv[2] ?? run('node', 'scripts/pack.mjs', folder).trim().split('\n').at(-1);
	run('tar', '-xzf', tarball, '-C', folder);
	const sourcePasses = await scan('source', process.cwd(), SOURCE_FILE_PATTERNS);
	const tarballPasses = await scan('tarball', join(folder, 'package'));
	if (!sourcePasses || !tarballPasses) process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
