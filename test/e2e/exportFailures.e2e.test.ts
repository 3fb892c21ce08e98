import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { exportWorkflow } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS, startTestN8n, type TestN8n } from '../support/n8n';
import { ScriptedServer } from '../support/scriptedServer';

const KEY = 'a-key-of-some-length';
const ID = '00000000-0000-4000-8000-000000000001';
const page = JSON.stringify({ conversations: [{ conversationId: ID }], totalConversations: 1 });

/** Long enough for the node's limit of a minute without progress, and a retry. */
const STALL_LIMIT_MS = 120_000;

describe('an export in a real n8n when answers stop', () => {
	let n8n: TestN8n;
	let server: ScriptedServer;

	beforeAll(async () => {
		server = await ScriptedServer.start();
		n8n = await startTestN8n();
		await n8n.client.saveCredential('conversationExportApi', { baseUrl: server.url, apiKey: KEY });
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await n8n?.stop();
		await server?.close();
	}, 60_000);

	test(
		'a list page and a download that stop in the body are aborted after a minute, requested again and completed',
		async () => {
			const stalled = new Set<string>();
			server.respond(({ url }) => {
				const isFirst = !stalled.has(url);
				stalled.add(url);
				const body = url.startsWith('/audio') ? 'sound' : page;
				const single = JSON.stringify({ conversationId: ID, audioUrl: `${server.url}/audio?signature=x` });
				if (url.endsWith(ID)) return { status: 200, body: single };
				if (!isFirst) return { status: 200, body };
				return (_request, response) => {
					response.writeHead(200, { 'content-type': 'application/octet-stream' });
					response.write(body.slice(0, 3));
				};
			});
			const list = await n8n.client.importWorkflow(exportWorkflow());
			const audio = await n8n.client.importWorkflow(
				exportWorkflow({ operation: 'downloadAudio', conversationId: ID }),
			);
			const runs = await Promise.all(
				[list, audio].map(async (id) => {
					const execution = await n8n.client.start(id);
					return await n8n.client.waitForResult(execution, { limitSeconds: STALL_LIMIT_MS / 1000 });
				}),
			);

			for (const run of runs) expect(errorOf(run)).toBeUndefined();
			expect(itemsOf(runs[0])[0].json.conversationId).toBe(ID);
			expect(itemsOf(runs[1])[0].binary).toHaveProperty('data');
			expect(server.seen.filter(({ url }) => url === '/export/conversations')).toHaveLength(2);
			expect(server.seen.filter(({ url }) => url.startsWith('/audio'))).toHaveLength(2);
		},
		STALL_LIMIT_MS + 30_000,
	);

	test('ends within a second after it is stopped', async () => {
		const workflowId = await n8n.client.importWorkflow(exportWorkflow());
		server.respond([{ status: 429, headers: { 'retry-after': '120' } }]);
		const executionId = await n8n.client.start(workflowId);
		await server.sees(1);
		const stoppedAt = Date.now();
		await n8n.client.stopExecution(executionId);
		const { status } = await n8n.client.waitForResult(executionId);

		expect(status).toBe('canceled');
		expect(Date.now() - stoppedAt).toBeLessThan(1500);
	}, 60_000);
});

describe('an export in a real n8n with SSRF protection', () => {
	test(
		'is refused in n8n’s own words, without a retry',
		async () => {
			const server = await ScriptedServer.start({ status: 200, body: page });
			const n8n = await startTestN8n({ env: { N8N_SSRF_PROTECTION_ENABLED: 'true' } });
			try {
				await n8n.client.saveCredential('conversationExportApi', { baseUrl: server.url, apiKey: KEY });
				const startedAt = Date.now();
				const run = await n8n.client.run(await n8n.client.importWorkflow(exportWorkflow()));

				const { message, description } = errorOf(run)!;
				expect(`${message} ${description}`).toMatch(/SSRF/);
				expect(Date.now() - startedAt).toBeLessThan(5000);
				expect(server.seen).toHaveLength(0);
			} finally {
				await n8n.stop();
				await server.close();
			}
		},
		N8N_START_LIMIT_MS,
	);
});
