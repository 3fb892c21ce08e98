import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { saveSandboxCredentials } from '../../harness/credentials';
import { detailsOf, errorOf, itemsOf } from '../../harness/n8n/execution';
import { exportWorkflow } from '../support/exportWorkflow';
import { KeyedServer, ScriptedServer } from '../support/scriptedServer';
import { useServers, useTestbed } from '../support/testbed';
import { pollWorkflow, waitForExecutions } from '../support/triggerWorkflows';

/** n8n's stores, except the file store, give up a stream that is silent for so long; five minutes by default. */
const IDLE_LIMIT_MS = 25_000;

const env = {
	// Two executions at a time; n8n queues the others.
	N8N_CONCURRENCY_PRODUCTION_LIMIT: '2',
	N8N_DEFAULT_BINARY_DATA_MODE: 'database',
	N8N_HTTP_RESPONSE_BODY_READ_TIMEOUT: String(IDLE_LIMIT_MS),
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	// The services of the tests. Other private addresses stay blocked.
	N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
};

describe('Both nodes of the export in a real n8n with a concurrency limit, a database store and SSRF protection', () => {
	const { sandbox, n8n, restart } = useTestbed({ conversations: 5 }, { env });
	const [service, sink, gate] = useServers(new ScriptedServer(), new KeyedServer(), new KeyedServer());
	afterEach(async () => await saveSandboxCredentials(n8n.client, sandbox));

	/** Runs an export with the scripted service, at this address. */
	const run = async (baseUrl: string, file: ReturnType<typeof exportWorkflow>) => {
		await n8n.client.saveCredential('conversationExportApi', { baseUrl, apiKey: 'a-key' });
		return await n8n.client.run(file, { limitSeconds: 120 });
	};

	test('a request that n8n blocks is refused in its own words, without a retry', async () => {
		const startedAt = Date.now();
		const blocked = await run(service.url.replace('127.0.0.1', '127.0.0.2'), exportWorkflow());

		const { message, description } = errorOf(blocked)!;
		expect(`${message} ${description}`).toMatch(/SSRF/);
		expect(detailsOf(blocked)).toMatchObject({ retryable: false });
		expect(Date.now() - startedAt).toBeLessThan(5000);
		expect(service.seen).toEqual([]);
	}, 60_000);

	test('a file in the database store survives a pause of the service that is longer than its idle limit', async () => {
		service.respond(({ body }) => {
			const page = Number(body?.page ?? 1);
			const conversations = Array.from({ length: 50 }, (_, index) => {
				const date = new Date(Date.UTC(2024, 0, 1, page, index)).toISOString();
				return { conversationId: `conversation-${date}`, date, processedDate: date };
			});
			const list = { currentPage: page, totalPages: 2, totalConversations: 100, conversations };
			return { status: 200, body: JSON.stringify(list), delayMs: page === 2 ? IDLE_LIMIT_MS + 10_000 : 0 };
		});
		const file = exportWorkflow({ outputAs: 'file', fileFormat: 'ndjson', fileOptions: {} });
		const execution = await run(service.url, file);

		expect(errorOf(execution)).toBeUndefined();
		const [{ json, binary }] = itemsOf(execution);
		expect(json).toMatchObject({ rows: 100, complete: true });
		expect(binary?.data.id).toMatch(/^database:/);
	}, 180_000);

	const insert = () => sandbox.control.insertConversations({ count: 1 })[0];

	// Runs last, because it kills n8n and updates the package.
	test('a poll delivers again what was stopped, queued, stopped in the queue, or running when n8n was updated', async () => {
		const publishPoll = async (name: string, retryFailedExecutions: boolean) => {
			const parameters = { options: { retryFailedExecutions, startExecutionFor: 'conversation' } };
			return await n8n.client.publish(pollWorkflow(parameters, sink.url, `${gate.url}/${name}`));
		};
		const once = await publishPoll('once', false);
		const retried = await publishPoll('retried', true);
		gate.hold(() => true);

		const stopped = insert();
		await gate.waitForHeld(2);
		// Both slots are taken.
		const updated = insert();
		const running: string[] = [];
		for (const workflowId of [once, retried]) {
			await waitForExecutions(n8n.client, workflowId, 'new');
			running.push(...(await waitForExecutions(n8n.client, workflowId, 'running')));
		}
		for (const id of running) await n8n.client.stopExecution(id);
		await gate.waitForHeld(4);
		const queued = insert();
		// With the one that was stopped.
		await waitForExecutions(n8n.client, retried, 'new', 2);
		const [last] = await waitForExecutions(n8n.client, once, 'new');
		await n8n.client.stopExecution(last);
		expect(n8n.log).toContain(`delivers 1 again: ${stopped}`);
		await n8n.kill();
		updatePackage(n8n.userFolder);
		gate.open();
		await restart();
		expect(JSON.stringify(await n8n.client.nodeTypes())).toContain(UPDATED);
		const marker = insert();
		await sink.waitForKeys(7);
		const expected = [updated, queued, marker].flatMap((id) => [`once/${id}`, `retried/${id}`]);
		expect([...sink.writes.keys()].sort()).toEqual([...expected, `retried/${stopped}`].sort());
	}, 240_000);
});

const UPDATED = 'This is another build.';

/** Replaces the installed package by another build, as an update does. */
function updatePackage(userFolder: string): void {
	const folder = join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-conversation-intelligence');
	const replace = (file: string, text: string | RegExp, other: string) => {
		const path = join(folder, file);
		writeFileSync(path, readFileSync(path, 'utf8').replace(text, other));
	};
	const node = 'ConversationIntelligencePollTrigger';
	replace('package.json', /"version": "[^"]+"/, '"version": "99.0.0"');
	replace(`dist/nodes/${node}/${node}.node.js`, 'n8n now checks for new conversations.', UPDATED);
}
