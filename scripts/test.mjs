/**
 * `npm test` checks everything that needs no real n8n, each part to its end: lint, types, and the tests of the nodes, the local
 * service and the repository. `npm test -- --changed` runs the tests that uncommitted changes reach, `npm test -- <pattern>`
 * those whose path matches; options of jest may follow.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';

const RESULTS = 'node_modules/.cache/test-results.json';
const SLOWEST = 10;

const [choice, ...options] = process.argv.slice(2);
const chosen = choice && (choice === '--changed' ? ['--onlyChanged'] : ['--testPathPatterns', choice]);
const jest = ['jest', '--selectProjects', 'nodes', 'service', 'repo', '--json', `--outputFile=${RESULTS}`];
const stages = chosen
	? { tests: ['npx', ...jest, ...chosen, ...options] }
	: { lint: ['npm', 'run', 'lint'], types: ['npm', 'run', 'typecheck'], tests: ['npx', ...jest] };

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`.padStart(8);

rmSync(RESULTS, { force: true });
const ended = Object.entries(stages).map(([name, [command, ...args]]) => {
	const startedAt = Date.now();
	const { status } = spawnSync(command, args, { stdio: 'inherit' });
	return { name, isOk: status === 0, took: Date.now() - startedAt };
});
// Without a test to run, there are no results.
const { testResults } = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : { testResults: [] };
// Not from the start and end of a file: a fake clock of its tests moves them.
const files = testResults.map(({ name, assertionResults }) => ({
	name,
	took: assertionResults.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
}));
console.log('\nThe slowest test files:');
for (const { name, took } of files.sort((a, b) => b.took - a.took).slice(0, SLOWEST))
	console.log(`${seconds(took)}  ${relative('.', name)}`);
console.log('\nStages:');
for (const { name, isOk, took } of ended) console.log(`${seconds(took)}  ${name}${isOk ? '' : ' FAILED'}`);
if (ended.some(({ isOk }) => !isOk)) process.exitCode = 1;
