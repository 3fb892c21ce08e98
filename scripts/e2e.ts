/**
 * `npm run test:e2e`: the nodes' tests on n8n's own Node, then the tests with a real n8n and in queue mode. Some run three at a
 * time, the others alone, because they measure time or drive a browser. `-- --testPathPatterns poll` runs what matches alone.
 */
import { spawnSync } from 'node:child_process';
import { ensureHost } from '../harness/install/host';
import { inWords, timedReport } from '../harness/problem';
import { CHROMIUM, ensureTools, POSTGRES, REDIS } from '../harness/tools';

const SIDE_BY_SIDE = 'agents|examples(Appointments|Data)|limits|neighbours|poll|trigger';

const jest = (node: string, ...options: string[]) =>
	spawnSync(node, ['node_modules/jest/bin/jest.js', ...options], { stdio: 'inherit' }).status;
const withN8n = (...options: string[]) =>
	jest(process.execPath, '--selectProjects', 'n8n', 'queue', ...options);

async function main(given: string[]): Promise<boolean> {
	if (given.length > 0) return withN8n('--runInBand', ...given) === 0;
	const report = timedReport();
	// Before tests that take tens of minutes.
	await ensureTools([CHROMIUM, REDIS, POSTGRES], { report });
	const { node } = await ensureHost(report);
	const statuses = [
		// Every supported n8n needs Node 24; `npm test` runs on the Node of this machine.
		node === process.execPath ? 0 : jest(node, '--selectProjects', 'nodes'),
		withN8n('--maxWorkers=3', `--testPathPatterns=n8n/(${SIDE_BY_SIDE})`),
		withN8n('--runInBand', `--testPathPatterns=n8n/(?!${SIDE_BY_SIDE}|nightly)`),
	];
	return statuses.every((status) => status === 0);
}

void main(process.argv.slice(2))
	.catch((error: unknown) => console.error(inWords(error)))
	.then((isOk) => (process.exitCode = isOk ? 0 : 1));
