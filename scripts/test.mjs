/**
 * `npm test` checks everything that needs no real n8n: lint, types, and the tests of the nodes, the local service and the repository.
 * `npm test -- <pattern> [options of jest]` runs only the test files whose path matches.
 */
import { spawnSync } from 'node:child_process';

const [pattern, ...options] = process.argv.slice(2);
const jest = ['npx', 'jest', '--selectProjects', 'nodes', 'service', 'repo'];
const steps = pattern
	? [[...jest, '--testPathPatterns', pattern, ...options]]
	: [['npm', 'run', 'lint'], ['npm', 'run', 'typecheck'], jest];
const isOk = ([command, ...args]) => spawnSync(command, args, { stdio: 'inherit' }).status === 0;
if (!steps.every(isOk)) process.exitCode = 1;
