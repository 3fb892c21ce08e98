import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ListService } from './listService';
import { MINUTE, PollingN8n, START, type Outcome } from './pollingN8n';

type Scenario = Outcome | ((n8n: PollingN8n) => Promise<void> | void);

/** What can happen to a running execution, by the first column of the table in the documentation. */
const SCENARIOS: Record<string, Scenario[]> = {
	'It succeeds': ['success'],
	'A node fails': ['error', 'error after a node', 'canceled'],
	'A person stops it': ['stopped'],
	"It exceeds the workflow's time limit": ['timed out'],
	'It exceeds its time limit, and n8n reports no end': [
		async (n8n) => {
			n8n.more = { getWorkflowSettings: () => ({ executionTimeout: 60 }) };
			n8n.running = [];
			n8n.now += 2 * MINUTE;
			expect(await n8n.poll()).toBe(0);
			n8n.now += 1000;
		},
	],
	'It waits in a Wait node for more than a minute': ['waiting'],
	'n8n cannot store or queue it': ['not queued', 'given up by n8n', 'ended without a run'],
	'It is still queued when n8n stops': [() => {}],
	'Its worker is lost': ['worker lost'],
	'n8n itself (the main process) is lost': [() => {}],
	'n8n marks it as crashed': ['crashed'],
	'The package is updated while it runs': [(n8n) => void (n8n.process += ' updated')],
};

/** Rows of the table: how an execution ends, and whether its conversations are delivered again with each setting. */
function documentedEnds(): string[][] {
	const file = resolve(__dirname, '../../../docs/reference/triggers.md');
	const [, table] = readFileSync(file, 'utf8').split(/\n\| How an execution ends .*\n\|[ -|]+\n/);
	const rows = table.split('\n\n')[0].split('\n');
	return rows.map((row) =>
		row
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}

test('the table of ends in the documentation has a test for each row', () => {
	expect(documentedEnds().map(([end]) => end)).toEqual(Object.keys(SCENARIOS));
});

describe.each(documentedEnds())('%s', (end, byDefault, ifRetried) => {
	test.each([
		[false, byDefault],
		[true, ifRetried],
	])('is delivered again with Retry Failed Executions %s: %s', async (retryFailedExecutions, again) => {
		for (const scenario of SCENARIOS[end]) {
			const n8n = new PollingN8n(new ListService());
			n8n.options = { retryFailedExecutions };
			n8n.service.put('c0', START);
			expect(await n8n.poll()).toBe(1);
			if (typeof scenario === 'string') await n8n.end(0, scenario);
			else await scenario(n8n);
			expect(await n8n.poll()).toBe(again === 'Yes' ? 1 : 0);
			if (again === 'Yes') continue;
			// n8n saves what it knows with the next delivery.
			n8n.service.put('later', (n8n.now += MINUTE));
			await n8n.poll();
			await n8n.end(n8n.running.length - 1);
			n8n.crash();
			expect(['No', 'After a restart']).toContain(again);
			await n8n.poll();
			expect(n8n.latest?.includes('c0') ?? false).toBe(again === 'After a restart');
		}
	});
});
