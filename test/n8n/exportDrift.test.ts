import type { IDataObject } from 'n8n-workflow';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { exportWorkflow } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startTestbed, type Testbed } from '../support/testbed';

const CONVERSATIONS = 1000;
const PAGES = CONVERSATIONS / 50;
const RUNS = Number(process.env.DRIFT_RUNS ?? 20);
const KINDS = {
	'a removal': ['removeConversations'],
	'an arrival': ['insertConversations'],
	both: ['removeConversations', 'insertConversations'],
} as const;

const exportAll = exportWorkflow({
	fromDate: '2020-01-01T00:00:00Z',
	toDate: '2030-01-01T00:00:00Z',
	output: 'selectedFields',
	fields: ['conversationId'],
});

describe('an export in a real n8n while the service changes', () => {
	let testbed: Testbed;
	let workflowId: string;
	let nextDate = Date.parse('2024-06-01T00:00:00Z');

	beforeAll(async () => {
		testbed = await startTestbed({ conversations: CONVERSATIONS });
		workflowId = await testbed.n8n.client.importWorkflow(exportAll);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await testbed?.stop(), 60_000);

	const runOnce = async () => {
		const execution = await testbed.n8n.client.run(workflowId);
		expect(errorOf(execution)).toBeUndefined();
		return itemsOf(execution).map(({ json }) => json.conversationId as string);
	};
	const total = async () => {
		const response = await fetch(`${testbed.sandbox.exportUrl}/export/conversations`, {
			method: 'POST',
			headers: { authorization: testbed.sandbox.keys.organization, 'content-type': 'application/json' },
			body: JSON.stringify({ fromDate: '2020-01-01T00:00:00Z', toDate: '2030-01-01T00:00:00Z', limit: 1 }),
		});
		return ((await response.json()) as { totalConversations: number }).totalConversations;
	};
	const all = async () => testbed.sandbox.control.conversationIds(0, await total());
	/** Restores the length of the list. */
	const restore = async () => {
		testbed.sandbox.faults.clear();
		const surplus = (await total()) - CONVERSATIONS;
		// Each in a different minute, because hundreds in one millisecond would be read differently.
		for (let missing = -surplus; missing > 0; missing--)
			testbed.sandbox.control.insertConversations({ date: new Date((nextDate += 60_000)).toISOString() });
		if (surplus > 0)
			testbed.sandbox.control.removeConversations(...testbed.sandbox.control.conversationIds(0, surplus));
		testbed.sandbox.requests.reset();
	};

	test('takes exactly as many requests as pages when nothing changes', async () => {
		const expected = await all();
		await restore();
		const ids = await runOnce();

		expect(testbed.sandbox.requests.count()).toBe(PAGES);
		expect(ids).toEqual(expected);
	}, 60_000);

	// D1-EXP-02
	test.each([
		['a new row has no processed date', { fields: { processedDate: null } }, []],
		['the clock of the service is five minutes ahead', {}, [{ kind: 'clockAhead', milliseconds: 300_000 }]],
	] as const)(
		'with a swap after every third response, nothing is missing although %s',
		async (_why, swap, others) => {
			await restore();
			const before = await all();
			for (const fault of others) testbed.sandbox.faults.add({ ...fault, path: '/data/' });
			for (let strike = 0; strike < 5; strike++) {
				const afterRequests = 2 + strike * 3;
				const settings = { afterRequests, position: strike * 20, times: 1, path: '/data/' };
				testbed.sandbox.faults.add({ kind: 'swapConversations', ...settings, ...swap });
			}
			const ids = await runOnce();
			testbed.sandbox.faults.clear();
			const after = new Set(await all());
			const output = new Set(ids);

			expect(ids).toHaveLength(output.size);
			expect(before.filter((id) => after.has(id) && !output.has(id))).toEqual([]);
		},
		60_000,
	);

	test('On Error Continue loses a few rows to two unreadable ones, and says so', async () => {
		await restore();
		const unreadable = [
			...testbed.sandbox.control.conversationIds(300),
			...testbed.sandbox.control.conversationIds(700),
		];
		for (const text of unreadable) {
			testbed.sandbox.faults.add({ kind: 'unreadableRow', status: 400, text, path: '/data/' });
		}
		const workflow = exportWorkflow({
			fromDate: '2020-01-01T00:00:00Z',
			toDate: '2030-01-01T00:00:00Z',
		});
		for (const node of workflow.nodes) node.onError = 'continueRegularOutput';
		const execution = await testbed.n8n.client.run(await testbed.n8n.client.importWorkflow(workflow));
		testbed.sandbox.faults.clear();
		const items = itemsOf(execution);

		expect(errorOf(execution)).toBeUndefined();
		expect(items.length - 2).toBeGreaterThanOrEqual(CONVERSATIONS - 100);
		expect(items.slice(-2).map(({ json }) => (json.details as IDataObject).code)).toEqual([
			'list_incomplete',
			'list_incomplete',
		]);
	}, 60_000);

	// D1-EXP-02
	test.each(Object.entries(KINDS))(
		`with %s after every third response, ${RUNS} runs miss and repeat nothing`,
		async (_name, kinds) => {
			for (let seed = 1; seed <= RUNS; seed++) {
				await restore();
				const before = await all();
				testbed.sandbox.requests.reset();
				for (let strike = 0; strike < PAGES; strike++) {
					for (const [index, kind] of kinds.entries()) {
						const chance = Math.abs(Math.sin(seed * 97 + strike * 7 + index)) * 0.95;
						const position = Math.floor(chance * CONVERSATIONS);
						const afterRequests = 3 + strike * 3;
						testbed.sandbox.faults.add({ kind, position, afterRequests, times: 1, path: '/data/' });
					}
				}
				const ids = await runOnce();
				const requests = testbed.sandbox.requests.count();
				testbed.sandbox.faults.clear();
				const after = new Set(await all());

				expect(ids).toHaveLength(new Set(ids).size);
				const output = new Set(ids);
				expect(before.filter((id) => after.has(id) && !output.has(id))).toEqual([]);
				expect(requests).toBeLessThanOrEqual(3 * PAGES);
			}
		},
		600_000,
	);
});
