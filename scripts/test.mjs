/**
 * `npm test` checks everything that needs no real n8n, each part to its end: lint, types, and the tests of the nodes, the local
 * service and the repository. `npm test -- --changed` runs the tests that uncommitted changes reach, `npm test -- <pattern>`
 * those whose path matches; options of jest may follow.
 */
import { spawnSync } from 'node:child_process';

const REPORTERS = ['--reporters=default', '--reporters=jest-slow-test-reporter'];

const [choice, ...options] = process.argv.slice(2);
const chosen = choice === '--changed' ? '--onlyChanged' : `--testPathPatterns=${choice}`;
const jest = ['npx', 'jest', '--selectProjects', 'nodes', 'service', 'repo', ...REPORTERS];
const parts = choice
	? [[...jest, chosen, ...options]]
	: [['npm', 'run', 'lint'], ['npm', 'run', 'typecheck'], jest];

const failed = parts.filter(
	([command, ...args]) => spawnSync(command, args, { stdio: 'inherit' }).status !== 0,
);
for (const command of failed) console.error(`FAILED: ${command.join(' ')}`);
if (failed.length > 0) process.exitCode = 1;
