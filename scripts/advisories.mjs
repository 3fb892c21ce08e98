// `node scripts/advisories.mjs` asks the registry for signatures and advisories of all locked packages. It fails if an
// installed package is not what its registry signed, or if what the published package needs has an advisory. Others are
// only listed: they belong to n8n and to development tools. A registry that does not respond fails nothing.
import { spawnSync } from 'node:child_process';
import { LOCK_FOLDERS } from './lockFolders.mjs';

/** npm's report, or undefined if the registry gave none. */
function audit(what, cwd, args) {
	const { stdout } = spawnSync('npm', ['audit', ...args, '--json', '--fetch-retries=1'], {
		cwd,
		encoding: 'utf8',
	});
	const isReport = (report) => report?.metadata ?? report?.invalid;
	try {
		const report = JSON.parse(stdout);
		if (isReport(report)) return report;
	} catch {
		// npm reports some failures as text.
	}
	console.log(`${what}: not checked, because the registry gave no report.`);
	return undefined;
}

function say(what, isFailed, found) {
	console.log(`${isFailed ? 'FAILED ' : ''}${what}: ${found}`);
	if (isFailed) process.exitCode = 1;
}

const signatures = audit('Signatures', '.', ['signatures']);
if (signatures) {
	const unsigned = [...signatures.invalid, ...signatures.missing].map(
		({ name, version }) => `${name}@${version}`,
	);
	say('Signatures', unsigned.length > 0, unsigned.join(', ') || 'all valid');
}

function advisories(what, cwd, args, isFailing) {
	const report = audit(what, cwd, ['--package-lock-only', ...args]);
	if (!report) return;
	const counts = Object.entries(report.metadata.vulnerabilities).filter(
		([severity, count]) => severity !== 'total' && count > 0,
	);
	const found = counts.map(([severity, count]) => `${count} ${severity}`).join(', ');
	say(what, isFailing && found !== '', found || 'no advisory');
}

advisories('The package', '.', ['--omit=dev'], true);
for (const folder of LOCK_FOLDERS) advisories(`Locked in ${folder}`, folder, [], false);
