import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { IDataObject, INode, INodeParameters, ResourceMapperFields } from 'n8n-workflow';
import { callingTools, toolResults, type ToolCall } from '../../harness/examples/completion';
import { errorOf } from '../../harness/n8n/execution';
import { activeUsers } from '../../harness/sendAppointment';
import { APPOINTMENT_FIELDS } from '../../nodes/ConversationIntelligenceAppointments/mapping/appointmentFields';
import { NODES } from '../../scripts/parametersPage';
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

const PACKAGE = 'n8n-nodes-conversation-intelligence';
const UNKNOWN_ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const byId = (value: string) => ({ conversationId: { __rl: true, mode: 'id', value } });
/** What the model says of an appointment, beside its people, its ID and its times. */
const VISIT = { title: 'Roof inspection', customer_id: 'c-1', customer_name: 'Blue Door Ltd' };
const [START, END] = ['2026-03-01T09:00:00+01:00', '2026-03-01T10:00:00+01:00'];
const LIST = { resource: 'conversation', operation: 'getAll', ...ALL_TIME };

const PAGES = ['ai-agents.md', 'reference/tool-expressions.md'];
const GUIDE = PAGES.map((page) => readFileSync(join(__dirname, '../../docs', page), 'utf8')).join('\n');

/** The rows of the tables below a heading of the pages about agents, including header rows. */
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
	beforeAll(() => void (people = activeUsers(testbed.sandbox).slice(0, 2)));

	/** Runs an agent whose model makes these calls one by one. Returns the text that it received for each. */
	const converse = async (tools: INode[], ...calls: ToolCall[]) => {
		const { n8n, doubles } = testbed;
		doubles.reset();
		doubles.script.push(...callingTools(calls));
		const execution = await n8n.client.run(agentWorkflow(tools));
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
		note: expect.stringMatching(
			`^These are the newest ${rows} of 60 conversations in the date range: .+ Today is `,
		) as string,
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
			const ids = { event_id: 'crm/1', user_email: people[0] };
			const input = {
				...VISIT,
				...ids,
				start_time: START,
				end_time: END,
				attendee_emails: people.join(', '),
			};
			const [response] = await converse([book(MAPPED_AUTOMATICALLY)], { tool: 'Book', input });
			expect(response).not.toContain('toolCallId');
			const sent = testbed.sandbox.requests.list({ path: '/crm/custom/appointment' });
			const times = { start_time: '2026-03-01 08:00:00', end_time: '2026-03-01 09:00:00' };
			const customer = { id: VISIT.customer_id, name: VISIT.customer_name };
			expect(sent.map(({ body }) => body)).toEqual([
				{ ...ids, ...times, title: VISIT.title, customer, attendee_emails: people },
			]);
		});
	});

	test('a filter of the builder is refused when it is empty, and one that the model leaves out is none', async () => {
		const tool = (name: string, users: string) => exportTool(name, { ...LIST, limit: 2, filters: { users } });
		const model = "$fromAI('rep', 'Exact email; empty for all', 'string', '')";
		const names = ['Computed', 'Mixed', 'Model'];
		const [computed, mixed, left] = await converse(
			[
				tool('Computed', '={{ $json.rep ?? "" }}'),
				tool('Mixed', `={{ ['a@x.com'].filter((user) => user === ${model}) }}`),
				tool('Model', `={{ ${model} }}`),
			],
			...names.map((name) => ({ tool: name, input: {} })),
		);
		for (const text of [computed, mixed]) expect(text).toMatch(/The expression for .* returned no/);
		expect(rowsOf(left)).toHaveLength(3);
	});

	describe('with the expressions of docs/ai-agents.md', () => {
		test('a transcript is read by its ID, and the conversations of its rep are found', async () => {
			const search = documentedExpressions('Find conversations');
			const [conversation_id] = testbed.sandbox.control.conversationIds(1);
			const one = { resource: 'conversation', ...byModel };
			const tools = [
				exportTool('Read', { ...one, operation: 'downloadTranscript', maxTranscriptLength: 1500 }),
				exportTool('Get', { ...one, operation: 'get' }),
				exportTool('Search', {
					...LIST,
					fromDate: search['From Date'],
					toDate: search['To Date'],
					filters: { users: search['User Names or IDs (Filters)'] },
				}),
			];
			const [transcript, conversation, rest] = await converse(
				tools,
				{ tool: 'Read', input: { conversation_id } },
				{ tool: 'Get', input: { conversation_id } },
				{ tool: 'Read', input: { conversation_id, from_position: 1000 } },
			);
			const said = (text: string) => String(rowsOf(text)[0].transcript);
			expect(said(transcript)).toMatch(/^\[00:0\d\] [^]*\n\[Cut: .* Continue with From Position \d+\]$/);
			expect(said(rest)).toMatch(/^\[\d\d:\d\d\] /);

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
			const ids = new Map(APPOINTMENT_FIELDS.map(({ displayName, id }) => [displayName, id]));
			const mapped = Object.entries(booking).map(([label, value]) => [ids.get(label) ?? 'event_id', value]);
			const columns = mappedByHand(Object.fromEntries(mapped));
			const [rep_email, attendees] = [people[0], people.join(', ')];
			const visit = (event_id: string): ToolCall => ({
				tool: 'Book',
				input: { ...VISIT, event_id, rep_email, attendees, start: START, end: END },
			});
			const matched = { eventId: match['Event ID'], ...byId(match.Conversation) };
			await converse(
				[
					appointmentTool('Book', { operation: 'upsert', columns }),
					appointmentTool('Match', { operation: 'match', ...matched }),
				],
				visit('crm/2'),
				{ tool: 'Match', input: { event_id: 'crm/2', conversation_id } },
				visit('crm/3'),
			);
			expect(stored('crm/2')).toMatchObject({ attendees: people, hasRecording: true });

			const input = { toolParameters: { event_id: 'crm/3' }, hitlParameters: {} };
			doubles.script.push(...callingTools([{ tool: 'Delete', input }]));
			const remove = appointmentTool('Delete', { operation: 'delete', eventId: booking['Event ID'] });
			const executionId = await n8n.client.start(reviewedWorkflow(remove, message));
			await n8n.client.waitForEnd(executionId, { status: 'waiting' });

			expect(stored('crm/3')).toBeDefined();
			const [{ html = '' }] = doubles.mailbox.mails;
			expect(html).toContain('Delete appointment crm/3?');
			const [approve] = /http:[^"]*approved=true[^"]*/.exec(html) ?? [];
			// n8n ignores link checkers, which it recognizes by the user agent.
			await fetch(String(approve), { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' } });

			expect((await n8n.client.waitForEnd(executionId)).status).toBe('success');
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
		await client.publish(file);
		const { mcp, call } = await connect(`/mcp/${path}`, 'token-of-the-client');

		const { tools } = await mcp.listTools();
		const known = tools.map((tool) => [tool.name, tool.description, tool.inputSchema.required]);
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
		for (const Node of NODES) {
			const { searchHint, relatedNodes = [] } = new Node().description.builderHint!;
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
