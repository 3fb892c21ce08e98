import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { IDataObject, INode, INodeParameters, ResourceMapperFields } from 'n8n-workflow';
import { callingTools, toolResults, type ToolCall } from '../../harness/examples/completion';
import { errorOf } from '../../harness/n8n/execution';
import { ConversationIntelligence } from '../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { ConversationIntelligenceAppointments } from '../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { ConversationIntelligencePollTrigger } from '../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { ConversationIntelligenceTrigger } from '../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import {
	agentWorkflow,
	appointmentTool,
	exportTool,
	mcpWorkflow,
	reviewedWorkflow,
} from '../support/agentWorkflow';
import { MAPPED_AUTOMATICALLY, mappedByHand } from '../support/columns';
import { useDoublesTestbed } from '../support/doublesTestbed';
import { ALL_TIME } from '../support/exportWorkflow';
import { publish } from '../support/triggerWorkflows';

const PACKAGE = 'n8n-nodes-conversation-intelligence';
const NODES = [
	new ConversationIntelligence(),
	new ConversationIntelligenceAppointments(),
	new ConversationIntelligencePollTrigger(),
	new ConversationIntelligenceTrigger(),
];
const UNKNOWN_ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const byId = (value: string) => ({ conversationId: { __rl: true, mode: 'id', value } });
const LIST = { resource: 'conversation', operation: 'getAll', ...ALL_TIME };

const GUIDE = readFileSync(join(__dirname, '../../docs/ai-agents.md'), 'utf8');

/** The rows of the tables below a heading of docs/ai-agents.md, including header rows. */
function documentedRows(heading: string): string[][] {
	const chapter = GUIDE.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
	const rows = chapter.split('\n').filter((line) => /^\| [^-]/.test(line));
	return rows.map((row) => row.split('|').map((cell) => cell.trim())).map((cells) => cells.slice(1, -1));
}

/** The ready expressions below a heading by their fields, as the editor stores them. */
function documentedExpressions(heading: string): Record<string, string> {
	const rows = documentedRows(heading).filter(([, cell]) => cell.includes('{{'));
	return Object.fromEntries(rows.map(([field, cell]) => [field, `=${cell.replaceAll('`', '')}`]));
}

jest.setTimeout(120_000);

describe('The nodes as tools in a real n8n', () => {
	const testbed = useDoublesTestbed({ conversations: 60 });
	/** Email addresses of two users who can attend an appointment. */
	let people: string[];

	beforeAll(() => {
		const users = testbed.sandbox.control.users();
		const active = users.filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden);
		people = active.slice(0, 2).map(({ email }) => email);
	});

	/** Runs an agent whose model makes these calls one by one. Returns the text that it received for each. */
	const converse = async (tools: INode[], ...calls: ToolCall[]) => {
		const { n8n, doubles } = testbed;
		doubles.reset();
		doubles.script.push(...callingTools(calls));
		const execution = await n8n.client.run(await n8n.client.importWorkflow(agentWorkflow(tools)));
		expect(errorOf(execution)).toBeUndefined();
		return toolResults(doubles.modelRequests);
	};
	const offered = () => testbed.doubles.modelRequests[0].tools!.map((tool) => tool.function);
	/** The fields of an appointment tool as the editor fills them when the tool is added: each defined by the model. */
	const fieldsDefinedByModel = async (operation: 'update' | 'upsert'): Promise<INodeParameters> => {
		const { session } = testbed.n8n.client;
		const path = '/dynamic-node-parameters/resource-mapper-fields';
		const { fields } = await session.rest<ResourceMapperFields>('POST', path, {
			path: 'parameters.columns',
			methodName: 'getAppointmentFields',
			nodeTypeAndVersion: { name: `${PACKAGE}.conversationIntelligenceAppointmentsTool`, version: 1 },
			currentNodeParameters: { resource: 'appointment', operation },
		});
		return Object.fromEntries(fields.map(({ id, defaultValue }) => [id, String(defaultValue)]));
	};
	const byModel = byId(documentedExpressions('Read one conversation')['Conversation (By ID)']);
	const stored = (eventId: string) =>
		testbed.sandbox.control.appointments().find(({ event_id }) => event_id === eventId);
	const rowsOf = (text: string) => JSON.parse(text) as IDataObject[];
	const MORE = (rows: number) => ({
		rows,
		note: `The newest ${rows} of 60 conversations: ask for another date range to get the rest.`,
	});

	describe('of the AI Agent', () => {
		test('conversations reach the model without links, at the documented cost, of dates that it can choose', async () => {
			const list = { ...LIST, limit: "={{ $fromAI('rows', 'How many conversations', 'number') }}" };
			const documented = documentedRows('What it costs').slice(1);
			const counts = documented.map(([rows]) => Number(rows));
			const [newest, ...texts] = await converse(
				[
					// No setting but the credential.
					exportTool('Newest', { resource: 'conversation', operation: 'getAll' }),
					exportTool('Simplified', list),
					exportTool('Raw', { ...list, output: 'raw' }),
				],
				{ tool: 'Newest', input: { from_date: '2023-01-01', to_date: '2025-12-31' } },
				...counts.flatMap((rows) => ['Simplified', 'Raw'].map((tool) => ({ tool, input: { rows } }))),
			);

			const { parameters } = offered().find(({ name }) => name === 'Newest')!;
			expect(Object.keys(parameters.properties)).toEqual(['from_date', 'to_date']);
			expect(parameters.required).toEqual(['from_date']);
			expect(rowsOf(newest).at(-1)).toEqual(MORE(10));
			expect(counts).toEqual(expect.arrayContaining([5, 50]));
			for (const [index, rows] of counts.entries()) {
				const [simplified, raw] = texts.slice(2 * index);
				expect(rowsOf(simplified)).toHaveLength(rows + 1);
				expect(rowsOf(simplified).at(-1)).toEqual(MORE(rows));
				expect(simplified).not.toMatch(/transcriptUrl|audioUrl|signature=/);
				const costs = documented[index].slice(1).map((figure) => Number(figure.replace(',', '')));
				expect(simplified.length / costs[0]).toBeCloseTo(1, 1);
				expect(raw.length / costs[1]).toBeCloseTo(1, 1);
			}
		});

		test('an appointment offers each field with its rule, and automatic mapping ignores the toolCallId of n8n', async () => {
			const byModel = await fieldsDefinedByModel('upsert');
			const book = (columns = mappedByHand(byModel)) =>
				appointmentTool('Book', { operation: 'upsert', columns });
			await converse([book()]);
			const [{ name, description, parameters }] = offered();
			expect([name, description]).toEqual([
				'Book',
				'Create or update appointment in Conversation Intelligence Appointments',
			]);
			expect(Object.keys(parameters.properties)).toEqual(Object.keys(byModel));
			expect(parameters.required).toEqual(
				'event_id user_email start_time end_time title customer_id customer_name'.split(' '),
			);
			expect(parameters.properties.start_time.description).toMatch(/Required\. ISO 8601 with an offset/);

			testbed.sandbox.requests.reset();
			const visit = { event_id: 'crm/1', user_email: people[0], title: 'Roof inspection' };
			const [response] = await converse([book(MAPPED_AUTOMATICALLY)], {
				tool: 'Book',
				input: {
					...visit,
					start_time: '2026-03-01T09:00:00+01:00',
					end_time: '2026-03-01T10:00:00+01:00',
					customer_id: 'c-1',
					customer_name: 'Blue Door Ltd',
					attendee_emails: people.join(', '),
				},
			});
			expect(response).not.toContain('toolCallId');
			const sent = testbed.sandbox.requests.list({ path: '/crm/custom/appointment' });
			expect(sent.map(({ body }) => body)).toEqual([
				{
					...visit,
					start_time: '2026-03-01 08:00:00',
					end_time: '2026-03-01 09:00:00',
					customer: { id: 'c-1', name: 'Blue Door Ltd' },
					attendee_emails: people,
				},
			]);
		});
	});

	test('a filter that the builder computes is refused when it is empty, and one that the model leaves out is none', async () => {
		const tool = (name: string, filters: INodeParameters) => exportTool(name, { ...LIST, limit: 2, filters });
		const byModel = "={{ $fromAI('rep', 'Exact email; empty for all', 'string', '') }}";
		const computed: Array<[string, INodeParameters]> = [
			['Users', { users: '={{ $json.rep ?? "" }}' }],
			['List', { users: '={{ [] }}' }],
			['Teams', { teams: '={{ $json.team ?? [] }}' }],
			['Text', { text: '={{ $json.words ?? "" }}' }],
			['Mixed', { users: "={{ ['a@x.com'].filter((user) => user === $fromAI('rep', '', 'string', '')) }}" }],
		];
		const tools = [
			...computed.map(([name, filters]) => tool(name, filters)),
			tool('Model', { users: byModel }),
		];
		const texts = await converse(tools, ...computed.map(([name]) => ({ tool: name, input: {} })), {
			tool: 'Model',
			input: {},
		});
		for (const text of texts.slice(0, -1)) expect(text).toMatch(/The expression for .* returned no/);
		expect(rowsOf(texts.at(-1)!)).toHaveLength(3);
	});

	describe('with the expressions of docs/ai-agents.md', () => {
		test('a transcript is read by its ID, part by part, and the conversations of its rep are found', async () => {
			const search = documentedExpressions('Find conversations');
			const [conversation_id] = testbed.sandbox.control.conversationIds(1);
			const tools = [
				exportTool('Read', { resource: 'conversation', operation: 'downloadTranscript', ...byModel }),
				exportTool('Get', { resource: 'conversation', operation: 'get', ...byModel }),
				exportTool('Search', {
					resource: 'conversation',
					operation: 'getAll',
					dateRange: 'custom',
					fromDate: search['From Date'],
					toDate: search['To Date'],
					filters: { users: search['User Names or IDs (Filters)'] },
				}),
			];
			const [transcript, conversation] = await converse(
				tools,
				{ tool: 'Read', input: { conversation_id } },
				{ tool: 'Get', input: { conversation_id } },
			);
			expect(rowsOf(transcript)[0].transcript).toMatch(/^\[00:0\d\] /);
			// The model follows what each part says, to the end.
			const cut = { resource: 'conversation', operation: 'downloadTranscript', maxTranscriptLength: 1500 };
			const parts: string[] = [];
			for (let from_position: number | undefined = 0; from_position !== undefined; ) {
				const input = { conversation_id, from_position };
				const calls = [{ tool: 'Part', input }];
				const [part] = await converse([exportTool('Part', { ...cut, ...byModel })], ...calls);
				const { transcript: text } = rowsOf(part)[0] as { transcript: string };
				expect(text.length).toBeLessThanOrEqual(1500);
				const [shown, next] = text.split(/\n\[Cut: .* Continue with From Position (\d+)\]$/);
				parts.push(shown);
				from_position = next === undefined ? undefined : Number(next);
			}
			expect(parts.length).toBeGreaterThan(1);
			const spoken = (text: string) => text.replace(/^\[[\d:]+\] [^:]+: /gm, '').split(/\s+/);
			expect(parts.flatMap(spoken)).toEqual(spoken(String(rowsOf(transcript)[0].transcript)));

			const [{ userEmail, date }] = rowsOf(conversation);
			const range = { from_date: '2023-01-01', to_date: String(date).slice(0, 10) };
			const found = await converse(
				tools,
				{ tool: 'Search', input: range },
				{ tool: 'Search', input: { ...range, rep_emails: userEmail } },
			);
			const [anyone, rep] = found.map((text) => new Set(rowsOf(text).flatMap((row) => row.userEmail ?? [])));
			expect(anyone.size).toBeGreaterThan(1);
			expect(rep).toEqual(new Set([userEmail]));
		});

		test('an appointment is booked and matched, and a delete waits until a person has approved it', async () => {
			const booking = documentedExpressions('Book or change an appointment');
			const match = documentedExpressions('Match a conversation');
			const { Message: message } = documentedExpressions('Human review');
			const { n8n, sandbox, doubles } = testbed;
			const [conversation_id] = sandbox.control.conversationIds(1);
			expect(Object.keys(booking)).toHaveLength(8);
			const columns = mappedByHand({
				event_id: booking['Event ID'],
				user_email: booking['Rep Email'],
				attendee_emails: booking['Attendee Emails'],
				start_time: booking['Start Time'],
				end_time: booking['End Time'],
				title: booking.Title,
				customer_id: booking['Customer ID'],
				customer_name: booking['Customer Name'],
			});
			const visit = (event_id: string): ToolCall => ({
				tool: 'Book',
				input: {
					event_id,
					rep_email: people[0],
					attendees: people.join(', '),
					start: '2026-03-01T09:00:00+01:00',
					end: '2026-03-01T10:00:00+01:00',
					title: 'Roof inspection',
					customer_id: 'c-1',
					customer_name: 'Blue Door Ltd',
				},
			});
			await converse(
				[
					appointmentTool('Book', { operation: 'upsert', columns }),
					appointmentTool('Match', {
						operation: 'match',
						eventId: match['Event ID'],
						...byId(match.Conversation),
					}),
				],
				visit('crm/2'),
				{ tool: 'Match', input: { event_id: 'crm/2', conversation_id } },
				visit('crm/3'),
			);
			expect(stored('crm/2')).toMatchObject({ attendees: people, hasRecording: true });

			doubles.script.push(
				...callingTools([
					{ tool: 'Delete', input: { toolParameters: { event_id: 'crm/3' }, hitlParameters: {} } },
				]),
			);
			const remove = appointmentTool('Delete', { operation: 'delete', eventId: booking['Event ID'] });
			const workflow = await n8n.client.importWorkflow(reviewedWorkflow(remove, message));
			const executionId = await n8n.client.start(workflow);
			await n8n.client.waitForPause(executionId);

			expect(stored('crm/3')).toBeDefined();
			const [{ html = '' }] = doubles.mailbox.mails;
			expect(html).toContain('Delete appointment crm/3?');
			const [approve] = /http:[^"]*approved=true[^"]*/.exec(html) ?? [];
			// n8n ignores link checkers, which it recognizes by the user agent.
			await fetch(String(approve), { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' } });

			expect(errorOf(await n8n.client.waitForResult(executionId))).toBeUndefined();
			const [response] = toolResults(doubles.modelRequests);
			expect(rowsOf(response)).toEqual([expect.objectContaining({ deleted: true, event_id: 'crm/3' })]);
			expect(stored('crm/3')).toBeUndefined();
		});
	});

	test("the MCP Server Trigger describes each tool, and returns rows without links and an error's text", async () => {
		const { client } = testbed.n8n;
		await client.saveCredential('httpBearerAuth', { token: 'token-of-the-client' });
		const { path, file } = mcpWorkflow([
			exportTool('List conversations', { ...LIST, limit: 5 }),
			exportTool('Get conversation', { resource: 'conversation', operation: 'get', ...byModel }),
			appointmentTool('Change', {
				descriptionType: 'manual',
				toolDescription: 'Changes a visit.',
				operation: 'update',
				columns: mappedByHand(await fieldsDefinedByModel('update')),
			}),
		]);
		await publish(client, file);
		const { mcp, call } = await connect(`/mcp/${path}`, 'token-of-the-client');

		const { tools } = await mcp.listTools();
		const known = tools.map(({ name, description, inputSchema: { required } }) => [
			name,
			description,
			required,
		]);
		expect(known.sort()).toEqual([
			['Change', 'Changes a visit.', ['event_id', 'user_email']],
			['Get_conversation', 'Get conversation in Conversation Intelligence', ['conversation_id']],
			['List_conversations', 'Get many conversations in Conversation Intelligence', undefined],
		]);
		const listed = await call('List_conversations');
		expect(rowsOf(listed.text)).toHaveLength(6);
		expect(rowsOf(listed.text)[5]).toEqual(MORE(5));
		expect(listed.text).not.toMatch(/transcriptUrl|audioUrl|signature=/);
		const failed = await call('Get_conversation', { conversation_id: UNKNOWN_ID });
		expect(failed.isError).toBe(true);
		expect(failed.text).toMatch(new RegExp(`^[^\\n]*Status 404: .*Check the Conversation ID ${UNKNOWN_ID}`));
		await mcp.close();
	});

	test("n8n's node catalogue tells builders which trigger needs no public address, and what else to choose", async () => {
		const { session } = testbed.n8n.client;
		await session.rest('PATCH', '/mcp/settings', { mcpAccessEnabled: true });
		const { apiKey } = await session.rest<{ apiKey: string }>('GET', '/mcp/api-key');
		const { mcp, call } = await connect('/mcp-server/http', apiKey);
		const found = (await call('search_nodes', { queries: ['conversation intelligence'] })).text;
		for (const { description } of NODES) {
			const { searchHint, relatedNodes = [] } = description.builderHint!;
			expect(found).toContain(`@builderHint ${searchHint}`);
			for (const { relationHint } of relatedNodes) expect(found).toContain(relationHint);
		}
		const nodeIds = [{ nodeId: `${PACKAGE}.conversationIntelligencePollTrigger` }];
		expect((await call('get_node_types', { nodeIds })).text).toContain('no public address');
		await mcp.close();
	});

	/** A client of an MCP server of n8n. Each response has exactly one text. */
	async function connect(path: string, token: string) {
		const mcp = new Client({ name: 'test', version: '1.0.0' });
		const requestInit = { headers: { authorization: `Bearer ${token}` } };
		await mcp.connect(new StreamableHTTPClientTransport(new URL(testbed.n8n.url + path), { requestInit }));
		const call = async (name: string, input: Record<string, unknown> = {}) => {
			const { isError, content } = await mcp.callTool({ name, arguments: input });
			const [{ text }] = content as Array<{ text: string }>;
			return { isError, text };
		};
		return { mcp, call };
	}
});
