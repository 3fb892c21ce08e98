/**
 * Second half of `npm run gate`: n8n's scan of community packages, which its verification runs on the published
 * package, on the sources and on the tarball. It ignores the ESLint configurations of this repository.
 * `node scripts/gate.mjs <tarball>` scans a tarball of your own, `node scripts/gate.mjs <name>@<version>` what was published,
 * with its provenance.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	analyzePackage,
	analyzePackageByName,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

/** Prints what breaks n8n's rules, and fails then. */
function report(name, { passed, message, details = '' }) {
	console.log(
		passed ? `The ${name} passes n8n's scan.` : `The ${name} fails n8n's scan: ${message}\n${details}`,
	);
	if (!passed) process.exitCode = 1;
}

const given = process.argv[2];
if (given && !given.endsWith('.tgz')) {
	report(given, await analyzePackageByName(...given.split('@')));
	process.exit();
}

const folder = mkdtempSync(join(tmpdir(), 'gate-'));
try {
	const run = (...command) => execFileSync(command[0], command.slice(1), { encoding: 'utf8' });
	const tarball = given ?? run('node', 'scripts/pack.mjs', folder).trim().split('\n').at(-1);
	run('tar', '-xzf', tarball, '-C', folder);
	report('source', await analyzePackage(process.cwd(), SOURCE_FILE_PATTERNS));
	report('tarball', await analyzePackage(join(folder, 'package')));
} finally {
	rmSync(folder, { recursive: true, force: true });
}
