import { gunzipSync } from 'node:zlib';
import type { IBinaryData, INode, INodeParameters } from 'n8n-workflow';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import type { WorkflowFile } from '../../harness/n8n/client';
import { MAPPED_AUTOMATICALLY } from '../support/columns';
import { ALL_TIME, exportWorkflow, NODE, nodeWorkflow } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startTestbed, type Testbed } from '../support/testbed';
import { workflowNode } from '../support/workflowNode';
import { outputSchemas } from '../../scripts/outputSchemas';

describe('Conversation Intelligence to files and tables in a real n8n', () => {
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
	let testbed: Testbed;
	let sandbox: Testbed['sandbox'];
	let n8n: Testbed['n8n'];

	beforeAll(async () => {
		({ sandbox, n8n } = testbed = await startTestbed({ conversations: 2501, awaitingUpload: 3, errored: 3 }));
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await testbed?.stop(), 60_000);
	beforeEach(() => sandbox.requests.reset());

	const run = async (workflow: WorkflowFile) =>
		await n8n.client.run(await n8n.client.importWorkflow(workflow));
	const download = async ({ id = '' }: IBinaryData) => {
		const url = `${n8n.url}/rest/binary-data?id=${encodeURIComponent(id)}&action=download`;
		const response = await fetch(url, { headers: { cookie: n8n.cookie } });
		return Buffer.from(await response.arrayBuffer());
	};

	/** The export node behind another one. */
	const afterTrigger = (name: string, first: INode, parameters: INodeParameters): WorkflowFile => {
		const workflow = nodeWorkflow('conversationIntelligence', parameters);
		return {
			...workflow,
			name,
			nodes: [...workflow.nodes, first],
			connections: {
				'Manual Trigger': { main: [[{ node: first.name, type: 'main', index: 0 }]] },
				[first.name]: { main: [[{ node: NODE, type: 'main', index: 0 }]] },
			},
		};
	};
	/** The columns of a table for the rows that an operation returns by default. */
	const columnsOf = (kind: string) => {
		const [, text] = [...outputSchemas()].find(([path]) => path.endsWith(`${kind}.json`))!;
		const { properties } = JSON.parse(text) as { properties: Record<string, { type: string }> };
		return Object.entries(properties).map(([name, { type }]) => ({ name, type }));
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

	test('a download never opens a link of the input item', async () => {
		const [conversationId] = sandbox.control.conversationIds(1);
		const input = {
			conversationId,
			audioUrl: `${sandbox.exportUrl}/foreign`,
			urlsExpireAt: '2100-01-01T00:00:00Z',
		};
		const workflow = afterTrigger(
			'Link',
			workflowNode('Link', 'n8n-nodes-base.set', 3.4, {
				mode: 'raw',
				jsonOutput: JSON.stringify(input),
				options: {},
			}),
			{
				resource: 'conversation',
				operation: 'downloadAudio',
				conversationId: { __rl: true, mode: 'id', value: '={{ $json.conversationId }}' },
			},
		);
		const execution = await run(workflow);

		expect(errorOf(execution)).toBeUndefined();
		expect(itemsOf(execution, NODE)[0].json).toMatchObject({ conversationId, mimeType: 'audio/wav' });
		expect(sandbox.requests.count('/data/foreign')).toBe(0);
	}, 120_000);

	test('a scheduled CSV export has semicolons and transcripts, and a hint about its Date Type', async () => {
		const schedule = workflowNode('Schedule Trigger', 'n8n-nodes-base.scheduleTrigger', 1.2, {
			rule: { interval: [{ field: 'days' }] },
		});
		const file = exportWorkflow({
			returnAll: false,
			limit: 5,
			outputAs: 'file',
			output: 'simplified',
			includeTranscript: true,
			fileFormat: 'csv',
			fileOptions: { delimiter: 'semicolon' },
		});
		const execution = await run({
			...file,
			name: 'scheduled',
			nodes: [...file.nodes, schedule],
			connections: {
				...file.connections,
				'Schedule Trigger': { main: [[{ node: NODE, type: 'main', index: 0 }]] },
			},
		});

		expect(errorOf(execution)).toBeUndefined();
		const [{ json, binary }] = itemsOf(execution);
		const text = (await download(binary!.data)).toString('utf8');
		expect(text.split('\r\n')[0]).toBe(
			'conversationId;date;processedDate;title;duration;crmEventID;userName;userEmail;totalSold;outcome;jobSummary;serviceUrl;transcript;transcriptError',
		);
		expect(text.match(/\[00:00\] /g)).toHaveLength(5);
		expect(json).toMatchObject({ rows: 5, failedTranscripts: 0 });
		expect(execution.data?.resultData.runData[NODE][0].hints?.map(({ message }) => message)).toContain(
			'Recordings that are uploaded after a scheduled export are not in it: set the filter Date Type to Processed Date.',
		);
	}, 120_000);

	test("CSV for Excel is read by n8n's Extract from File, with every number as spreadsheets of Europe write it", async () => {
		const list = { ...ALL_TIME, resource: 'user', operation: 'getAll', output: 'raw', returnAll: true };
		const rows = itemsOf(await run(nodeWorkflow('conversationIntelligence', list)), NODE);
		const asFile = { ...list, outputAs: 'file', fileFormat: 'csvForExcel' };
		const workflow = nodeWorkflow('conversationIntelligence', asFile);
		const extract = workflowNode('Extract from File', 'n8n-nodes-base.extractFromFile', 1, {
			operation: 'csv',
			options: { delimiter: ';', enableBOM: true },
		});
		workflow.nodes.push(extract);
		workflow.connections[NODE] = { main: [[{ node: extract.name, type: 'main', index: 0 }]] };
		const execution = await run(workflow);

		expect(errorOf(execution)).toBeUndefined();
		const read = itemsOf(execution, extract.name).map(({ json }) => json);
		expect(read).toHaveLength(rows.length);
		let decimals = 0;
		for (const [index, { json }] of rows.entries()) {
			for (const [field, value] of Object.entries(json)) {
				if (typeof value !== 'number') continue;
				if (!Number.isInteger(value)) decimals++;
				expect([field, read[index][field]]).toEqual([field, String(value).replace('.', ',')]);
			}
			expect(read[index].userId).toBe(json.userId);
		}
		expect(decimals).toBeGreaterThan(0);
	}, 120_000);

	test('errored recordings of which only the error is selected stay off the error output', async () => {
		const parameters = {
			...ALL_TIME,
			resource: 'recording',
			operation: 'getErrored',
			output: 'selectedFields',
			fields: ['error'],
		};
		const execution = await run(
			nodeWorkflow('conversationIntelligence', parameters, { onError: 'continueErrorOutput' }),
		);

		expect(itemsOf(execution, NODE, 0)).toHaveLength(3);
		expect(itemsOf(execution, NODE, 1)).toEqual([]);
	}, 120_000);

	test('a list is filtered by the members of a team and by its outcome', async () => {
		const users = sandbox.control.users().filter(({ isHidden }) => !isHidden);
		const {
			teams: [teamId],
		} = users.find(({ teams }) => teams.length > 0)!;
		const members = users.filter(({ teams }) => teams.includes(teamId)).map(({ email }) => email);
		const execution = await run(
			exportWorkflow({ returnAll: false, limit: 20, filters: { teams: [teamId], outcome: 'sold' } }),
		);

		expect(errorOf(execution)).toBeUndefined();
		const rows = itemsOf(execution).map(({ json }) => json);
		expect(rows.length).toBeGreaterThan(0);
		expect(rows.filter(({ outcome }) => outcome !== 'Sold')).toEqual([]);
		expect(rows.filter(({ userEmail }) => !members.includes(String(userEmail)))).toEqual([]);
		expect(sandbox.requests.count('/data/export/users')).toBe(1);
	}, 120_000);

	test('simplified rows of every kind map automatically into a Data Table', async () => {
		const kinds = [
			'conversation/getAll',
			'recording/getAwaitingUpload',
			'recording/getErrored',
			'team/getAll',
			'user/getAll',
		];
		const trigger = workflowNode('Manual Trigger', 'n8n-nodes-base.manualTrigger', 1, {});
		const workflow: WorkflowFile = {
			name: 'tables',
			nodes: [trigger],
			connections: { [trigger.name]: { main: [[]] } },
			settings: { executionOrder: 'v1', timezone: 'UTC' },
		};
		for (const kind of kinds) {
			const [resource, operation] = kind.split('/');
			await n8n.client.session.api('POST', '/data-tables', { name: kind, columns: columnsOf(kind) });
			const rows = workflowNode(
				`Rows ${kind}`,
				'n8n-nodes-conversation-intelligence.conversationIntelligence',
				1,
				{
					...ALL_TIME,
					resource,
					operation,
					returnAll: false,
					limit: 3,
				},
			);
			const table = workflowNode(kind, 'n8n-nodes-base.dataTable', 1.1, {
				resource: 'row',
				operation: 'insert',
				dataTableId: { __rl: true, mode: 'name', value: kind },
				columns: MAPPED_AUTOMATICALLY,
				options: {},
			});
			workflow.nodes.push({ ...rows, credentials: { conversationExportApi: { id: '', name: '' } } }, table);
			workflow.connections[trigger.name].main[0]!.push({ node: rows.name, type: 'main', index: 0 });
			workflow.connections[rows.name] = { main: [[{ node: table.name, type: 'main', index: 0 }]] };
		}
		const execution = await run(workflow);

		expect(errorOf(execution)).toBeUndefined();
		for (const kind of kinds) {
			const stored = await n8n.client.tableRows<Record<string, unknown>>(kind);
			const rows = itemsOf(execution, `Rows ${kind}`).map(({ json }) => json);
			expect(rows).toHaveLength(3);
			expect(stored).toEqual(rows.map((row) => expect.objectContaining(row)));
		}
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
