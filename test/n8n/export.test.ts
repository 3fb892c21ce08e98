import type { INodeParameters } from 'n8n-workflow';

import { saveSandboxCredentials } from '../../harness/credentials';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { startSandbox } from '../../sandbox';
import { freePort } from '../../harness/ports';
import { ALL_TIME, exportWorkflow, NODE } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startTestbed, type Testbed } from '../support/testbed';

const PACKAGE = 'n8n-nodes-conversation-intelligence';
const WRONG_KEY = 'a-key-that-the-service-does-not-know';

describe('Conversation Intelligence in a real n8n, from the packed tarball', () => {
	let testbed: Testbed;
	let sandbox: Testbed['sandbox'];
	let n8n: Testbed['n8n'];

	beforeAll(async () => {
		testbed = await startTestbed({ conversations: 2501, awaitingUpload: 120, errored: 35 });
		({ sandbox, n8n } = testbed);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await testbed?.stop(), 60_000);

	// Some tests change the credentials.
	beforeEach(async () => {
		await saveSandboxCredentials(n8n.client, sandbox);
		sandbox.requests.reset();
	});

	/** Runs an export of all conversations, with some of the node's parameters changed. */
	const runExport = async (parameters: INodeParameters = {}) =>
		await n8n.client.run(await n8n.client.importWorkflow(exportWorkflow(parameters)));

	/** Reads the same range from the service without n8n, page by page. */
	const idsOfService = async () => {
		const { fromDate, toDate } = ALL_TIME;
		const ids: string[] = [];
		for (let page = 1; ; page++) {
			const response = await fetch(`${sandbox.exportUrl}/export/conversations`, {
				method: 'POST',
				headers: { authorization: sandbox.keys.organization, 'content-type': 'application/json' },
				body: JSON.stringify({ fromDate, toDate, page, limit: 50 }),
			});
			const { conversations }: { conversations: Array<{ conversationId: string }> } = JSON.parse(
				await response.text(),
			);
			if (conversations.length === 0) return ids;
			ids.push(...conversations.map(({ conversationId }) => conversationId));
		}
	};

	test('n8n lists the node and both credentials', async () => {
		const nodes = await n8n.client.nodeTypes();
		const credentials = await n8n.client.credentialTypes();

		expect(nodes.map(({ name }) => name)).toContain(`${PACKAGE}.conversationIntelligence`);
		const own = credentials.filter(({ name }) => /^(conversationExport|crmAppointment)Api$/.test(name));
		expect(own.map(({ name, displayName }) => [name, displayName])).toEqual([
			['conversationExportApi', 'Conversation Export API'],
			['crmAppointmentApi', 'CRM Appointment API'],
		]);
	});

	// D1-EXP-02
	test('exports 2,501 conversations with 51 requests, each once and in order', async () => {
		const execution = await runExport();

		expect(errorOf(execution)).toBeUndefined();
		const requests = sandbox.requests.list();
		expect(requests).toHaveLength(51);
		expect(new Set(requests.map(({ method, path }) => `${method} ${path}`))).toEqual(
			new Set(['POST /data/export/conversations']),
		);
		const ids = itemsOf(execution, NODE).map(({ json }) => json.conversationId);
		expect(ids).toHaveLength(2501);
		expect(new Set(ids).size).toBe(2501);
		expect(ids).toEqual(await idsOfService());
	}, 120_000);

	test.each([
		['oldestFirst', 101, 5],
		['shuffled', 50, 5],
		['shuffled', 101, 6],
	] as const)(
		'a service that lists %s gives the newest %i of 2,501 conversations in at most %i requests',
		async (order, limit, most) => {
			const service = await startSandbox({ conversations: 2501, order });
			await saveSandboxCredentials(n8n.client, service);
			const execution = await runExport({ returnAll: false, limit, output: 'raw' });
			const newest = service.control.conversationIds(2501 - limit, limit).reverse();
			const requests = service.requests.list().length;
			await service.close();

			expect(itemsOf(execution, NODE).map(({ json }) => json.conversationId)).toEqual(newest);
			expect(requests).toBeLessThanOrEqual(most);
		},
		120_000,
	);

	// D1-ERR-01
	test('names a wrong key as the cause after a single request', async () => {
		await saveSandboxCredentials(n8n.client, sandbox, WRONG_KEY);
		const execution = await runExport();

		expect(execution.status).toBe('error');
		expect(errorOf(execution)?.message).toMatch(/does not recognize the API key/);
		expect(errorOf(execution)?.description).toMatch(/Conversation Export API credential/);
		expect(sandbox.requests.list()).toHaveLength(1);
	}, 120_000);

	test('names an address where nothing answers as the cause', async () => {
		const nowhere = `http://127.0.0.1:${await freePort()}`;
		await saveSandboxCredentials(n8n.client, { ...sandbox, exportUrl: nowhere });
		const execution = await runExport();

		expect(execution.status).toBe('error');
		const { message, description } = errorOf(execution)!;
		expect(`${message} ${description}`).toMatch(/Base URL/);
		expect(`${message} ${description}`).not.toMatch(/\n\s+at /);
	}, 120_000);

	test('refuses an end before the start before any request', async () => {
		const execution = await runExport({ toDate: '2022-12-31T00:00:00Z' });

		expect(errorOf(execution)?.message).toMatch(/To Date .* must be after From Date/);
		expect(sandbox.requests.list()).toHaveLength(0);
	}, 120_000);

	// Runs last: by now n8n has logged failures of every kind.
	test('leaves no key in the log of n8n', () => {
		expect(n8n.log).toMatch(/Editor is now accessible/);
		expect(n8n.log).not.toContain(WRONG_KEY);
		expect(n8n.log).not.toContain(sandbox.keys.organization);
	});
});
