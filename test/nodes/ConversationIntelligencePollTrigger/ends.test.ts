import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ListService } from './listService';
import { PollingN8n, START } from './pollingN8n';

const MINUTE = 60_000;

/** What happens to a running execution, by the first column of the table in the documentation. */
const SCENARIOS: Record<string, (n8n: PollingN8n) => Promise<void> | void> = {
	'It succeeds': async (n8n) => await n8n.end(0, 'success'),
	'A node fails': async (n8n) => await n8n.end(0, 'error'),
	'A person stops it': async (n8n) => await n8n.end(0, 'stopped'),
	"It exceeds the workflow's time limit": async (n8n) => await n8n.end(0, 'timed out'),
	'It exceeds its time limit, and n8n reports no end': async (n8n) => {
		n8n.executionTimeout = 60;
		await n8n.end(0, 'not reported');
		n8n.now += 2 * MINUTE;
		expect(await n8n.poll()).toBe(0);
		n8n.now += 1000;
	},
	'It waits in a Wait node for more than a minute': async (n8n) => await n8n.end(0, 'waiting'),
	'n8n cannot store or queue it': async (n8n) => await n8n.end(0, 'not queued'),
	'It is still queued when n8n stops': () => {},
	'Its worker is lost': async (n8n) => await n8n.end(0, 'worker lost'),
	'n8n itself (the main process) is lost': () => {},
	'n8n marks it as crashed': async (n8n) => await n8n.end(0, 'crashed'),
	'The package is updated while it runs': (n8n) => n8n.dropMemory(),
};

/** Rows of the table: how an execution ends, and whether its conversations are delivered again with each setting. */
function documentedEnds(): string[][] {
	const file = resolve(__dirname, '../../../docs/reference/triggers.md');
	const [, table] = readFileSync(file, 'utf8').split(/\n\| How an execution ends .*\n\|[ -|]+\n/);
	return table
		.split('\n\n')[0]
		.split('\n')
		.map((row) =>
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
	] as const)(
		'is delivered again with Retry Failed Executions %s: %s',
		async (retryFailedExecutions, again) => {
			const service = new ListService();
			const n8n = new PollingN8n(service);
			n8n.options = { retryFailedExecutions };
			service.put('c0', START);
			expect(await n8n.poll()).toBe(1);
			await SCENARIOS[end](n8n);
			expect(await n8n.poll()).toBe(again === 'Yes' ? 1 : 0);
			if (again === 'Yes') return;
			// n8n saves what it knows with the next delivery.
			service.put('later', (n8n.now += MINUTE));
			await n8n.poll();
			await n8n.end(n8n.running.length - 1, 'success');
			n8n.crash();
			expect(['No', 'After a restart']).toContain(again);
			await n8n.poll();
			const repeated = n8n.running.flatMap(({ delivered }) => delivered.map((one) => one.split('@')[0]));
			expect(repeated.includes('c0')).toBe(again === 'After a restart');
		},
	);
});
