import { gunzipSync } from 'node:zlib';
import type { IBinaryData, INode } from 'n8n-workflow';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import type { WorkflowFile } from '../../harness/n8n/client';
import { exportWorkflow } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startTestbed, type Testbed } from '../support/testbed';

describe('Conversation Intelligence to files in a real n8n', () => {
	const transcripts: INode = {
		id: '3',
		name: 'Transcripts',
		type: 'n8n-nodes-conversation-intelligence.conversationIntelligence',
		typeVersion: 1,
		position: [440, 0],
		parameters: {
			resource: 'conversation',
			operation: 'downloadTranscript',
			conversationId: { __rl: true, mode: 'id', value: '={{ $json.conversationId }}' },
			transcriptOutput: 'text',
		},
		credentials: { conversationExportApi: { id: '', name: '' } },
	};
	const conversations = exportWorkflow({ returnAll: false, limit: 5 });
	const withTranscripts: WorkflowFile = {
		...conversations,
		name: 'transcripts',
		nodes: [...conversations.nodes, transcripts],
		connections: {
			...conversations.connections,
			'Conversation Intelligence': { main: [[{ node: 'Transcripts', type: 'main', index: 0 }]] },
		},
	};
	let bed: Testbed;
	let sandbox: Testbed['sandbox'];
	let n8n: Testbed['n8n'];

	beforeAll(async () => {
		({ sandbox, n8n } = bed = await startTestbed({ conversations: 2501 }));
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await bed?.stop(), 60_000);
	beforeEach(() => sandbox.requests.reset());

	const run = async (workflow: WorkflowFile) =>
		await n8n.client.run(await n8n.client.importWorkflow(workflow));
	const download = async ({ id, data }: IBinaryData) => {
		// By default, n8n 1.x keeps files in the execution's data.
		if (!id) return Buffer.from(data, 'base64');
		const url = `${n8n.url}/rest/binary-data?id=${encodeURIComponent(id)}&action=download`;
		const response = await fetch(url, { headers: { cookie: n8n.cookie } });
		return Buffer.from(await response.arrayBuffer());
	};

	test('a file contains every conversation once, with as many requests as pages', async () => {
		const execution = await run(
			exportWorkflow({ outputAs: 'file', fileFormat: 'ndjson', fileOptions: { gzip: true } }),
		);

		expect(errorOf(execution)).toBeUndefined();
		const [{ json, binary }] = itemsOf(execution);
		const lines = gunzipSync(await download(binary!.data))
			.toString('utf8')
			.trimEnd()
			.split('\n');
		const ids = new Set(lines.map((line) => (JSON.parse(line) as { conversationId: string }).conversationId));
		expect(json).toMatchObject({ rows: 2501, pages: 51, requests: 51, totalConversations: 2501 });
		expect(lines).toHaveLength(2501);
		expect(ids.size).toBe(2501);
		expect(sandbox.requests.list()).toHaveLength(51);
	}, 120_000);

	test('transcripts become text, and the media host never sees a credential', async () => {
		const execution = await run(withTranscripts);

		expect(errorOf(execution)).toBeUndefined();
		const items = itemsOf(execution);
		expect(items).toHaveLength(5);
		for (const { json } of items) expect(json.transcript).toMatch(/^\[00:\d\d\] .+: .+/);
		const media = sandbox.requests.list().filter(({ host }) => host === 'media');
		expect(media.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
		expect(media.some(({ headersSeen }) => headersSeen.authorization || headersSeen.xApiKey)).toBe(false);
	}, 120_000);

	test('nothing that n8n saved from these runs contains the key', async () => {
		const workflowId = await n8n.client.findWorkflow(withTranscripts.name);
		const [{ id }] = await n8n.client.executions(workflowId!);
		const kept = JSON.stringify(await n8n.client.execution(id));

		expect(kept).toContain('transcript');
		expect(kept).not.toContain(sandbox.keys.organization);
		expect(n8n.log).not.toContain(sandbox.keys.organization);
	});
});
