import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { exportWorkflow } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS, startTestN8n, type TestN8n } from '../support/n8n';
import { ScriptedServer } from '../support/scriptedServer';

/** n8n's stores, except the file store, give up a stream that is silent for so long; five minutes by default. */
const IDLE_LIMIT_MS = 25_000;
/** Longer than the limit. */
const SILENCE_MS = 35_000;

describe("a file export into n8n's database, in a real n8n", () => {
	let n8n: TestN8n;
	let server: ScriptedServer;

	beforeAll(async () => {
		server = await ScriptedServer.start();
		n8n = await startTestN8n({
			env: {
				N8N_DEFAULT_BINARY_DATA_MODE: 'database',
				N8N_HTTP_RESPONSE_BODY_READ_TIMEOUT: String(IDLE_LIMIT_MS),
			},
		});
		await n8n.client.saveCredential('conversationExportApi', { baseUrl: server.url, apiKey: 'a-key' });
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await n8n?.stop();
		await server?.close();
	}, 60_000);

	test('survives a pause of the service that is longer than the idle limit of the store', async () => {
		const row = (index: number) => ({
			conversationId: `00000000-0000-4000-8000-000000000${index + 100}`,
			date: new Date(Date.UTC(2024, 0, 1, 0, index)).toISOString(),
			processedDate: new Date(Date.UTC(2024, 0, 1, 1, index)).toISOString(),
		});
		server.respond(({ body }) => {
			const page = Number(body?.page ?? 1);
			const conversations = Array.from({ length: 50 }, (_, index) => row((page - 1) * 50 + index));
			const list = {
				currentPage: page,
				totalPages: 2,
				totalConversations: 100,
				totalAwaitingUpload: 0,
				totalErrored: 0,
				conversations,
				awaitingUpload: [],
				errored: [],
			};
			return { status: 200, body: JSON.stringify(list), delayMs: page === 2 ? SILENCE_MS : 0 };
		});
		const id = await n8n.client.importWorkflow(
			exportWorkflow({ outputAs: 'file', fileFormat: 'ndjson', fileOptions: {} }),
		);
		const execution = await n8n.client.run(id, { limitSeconds: 120 });
		expect(errorOf(execution)).toBeUndefined();
		const [{ json, binary }] = itemsOf(execution);
		expect(json).toMatchObject({ rows: 100, complete: true });
		expect(binary?.data.id).toMatch(/^database:/);
	}, 180_000);
});
