import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { IDataObject } from 'n8n-workflow';
import { saveMailCredential } from '../../harness/examples/credentials';
import { startMailbox, type Mailbox } from '../../harness/examples/mailbox';
import { errorOf } from '../../harness/n8n/execution';
import { ConversationIntelligence } from '../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { ConversationIntelligenceAppointments } from '../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { ConversationIntelligencePollTrigger } from '../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { ConversationIntelligenceTrigger } from '../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { fieldsDefinedByModel, startAgentTestbed, type AgentTestbed } from '../support/agent/agentTestbed';
import { appointmentTool, exportTool, mcpWorkflow, reviewedWorkflow } from '../support/agent/agentWorkflow';
import { documentedExpressions, documentedRows } from '../support/agent/documented';
import { sentFor, visitOf } from '../support/agent/visit';
import { MAPPED_AUTOMATICALLY, mappedByHand } from '../support/columns';
import { ALL_TIME } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS } from '../support/n8n';
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

jest.setTimeout(120_000);

describe('The nodes as tools in a real n8n', () => {
	let testbed: AgentTestbed;
	let mailbox: Mailbox;

	beforeAll(async () => {
		mailbox = await startMailbox();
		testbed = await startAgentTestbed();
		await saveMailCredential(testbed.n8n.client, mailbox);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await mailbox?.close();
		await testbed?.stop();
	}, 60_000);

	const stored = (eventId: string) =>
		testbed.sandbox.control.appointments().find(({ event_id }) => event_id === eventId);
	const rowsOf = (text: string) => JSON.parse(text) as IDataObject[];
	const MORE = (rows: number) => ({
		rows,
		note: `The newest ${rows} of 60 conversations: ask for another date range to get the rest.`,
	});

	describe('of the AI Agent', () => {
		test.each([5, 50])(
			'%i conversations reach the model without links, at the documented cost',
			async (rows) => {
				const list = { ...LIST, limit: "={{ $fromAI('rows', 'How many conversations', 'number') }}" };
				const [simplified, raw] = await testbed.converse(
					[exportTool('Conversations', list), exportTool('Raw', { ...list, output: 'raw' })],
					{ tool: 'Conversations', input: { rows } },
					{ tool: 'Raw', input: { rows } },
				);

				expect(rowsOf(simplified)).toHaveLength(rows + 1);
				expect(rowsOf(simplified).at(-1)).toEqual(MORE(rows));
				expect(simplified).not.toMatch(/transcriptUrl|audioUrl|signature=/);
				const documented = documentedRows('What it costs').find(([count]) => count === String(rows)) ?? [];
				const [ofSimplified, ofRaw] = documented.slice(1).map((figure) => Number(figure.replace(',', '')));
				expect(simplified.length / ofSimplified).toBeCloseTo(1, 1);
				expect(raw.length / ofRaw).toBeCloseTo(1, 1);
			},
		);

		test('the model chooses the dates of a list that has no setting but its credential', async () => {
			const [response] = await testbed.converse(
				[exportTool('Conversations', { resource: 'conversation', operation: 'getAll' })],
				{ tool: 'Conversations', input: { from_date: '2023-01-01', to_date: '2025-12-31' } },
			);

			const [{ parameters }] = testbed.model.tools;
			expect(Object.keys(parameters.properties)).toEqual(['from_date', 'to_date']);
			expect(parameters.required).toEqual(['from_date']);
			expect(rowsOf(response).at(-1)).toEqual(MORE(10));
		});

		test('an appointment offers each field with its rule, and automatic mapping ignores the toolCallId of n8n', async () => {
			const byModel = await fieldsDefinedByModel(testbed, 'upsert');
			const book = (columns = mappedByHand(byModel)) =>
				appointmentTool('Book', { operation: 'upsert', columns });
			await testbed.converse([book()]);
			const [{ name, description, parameters }] = testbed.model.tools;
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
			const input = visitOf('crm/1', testbed.people);
			const [response] = await testbed.converse([book(MAPPED_AUTOMATICALLY)], { tool: 'Book', input });
			expect(response).not.toContain('toolCallId');
			const sent = testbed.sandbox.requests.list({ path: '/crm/custom/appointment' });
			expect(sent.map(({ body }) => body)).toEqual([sentFor('crm/1', testbed.people)]);
		});
	});

	describe('with the expressions of docs/ai-agents.md', () => {
		const booking = documentedExpressions('Book or change an appointment');
		const read = documentedExpressions('Read one conversation');
		const book = () =>
			appointmentTool('Book', {
				operation: 'upsert',
				columns: mappedByHand({
					event_id: booking['Event ID'],
					user_email: booking['Rep Email'],
					attendee_emails: booking['Attendee Emails'],
					start_time: booking['Start Time'],
					end_time: booking['End Time'],
					title: booking.Title,
					customer_id: booking['Customer ID'],
					customer_name: booking['Customer Name'],
				}),
			});
		/** An appointment with the argument names of those expressions. */
		const visit = (eventId: string) => {
			const { user_email, attendee_emails, start_time, end_time, ...same } = visitOf(eventId, testbed.people);
			return { ...same, rep_email: user_email, attendees: attendee_emails, start: start_time, end: end_time };
		};

		test('a transcript is read by its ID, part by part, and the conversations of its rep are found', async () => {
			const search = documentedExpressions('Find conversations');
			const [conversation_id] = testbed.sandbox.control.conversationIds(1);
			const byModel = byId(read['Conversation (By ID)']);
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
			const [transcript, conversation] = await testbed.converse(
				tools,
				{ tool: 'Read', input: { conversation_id } },
				{ tool: 'Get', input: { conversation_id } },
			);
			expect(rowsOf(transcript)[0].transcript).toMatch(/^\[00:0\d\] /);
			const readOn = async (from_time: number) => {
				const cut = { resource: 'conversation', operation: 'downloadTranscript', maxTranscriptLength: 300 };
				const input = { conversation_id, from_time };
				const [part] = await testbed.converse([exportTool('Part', { ...cut, ...byModel })], {
					tool: 'Part',
					input,
				});
				return String(rowsOf(part)[0].transcript);
			};
			const [, next] = /Continue with From Time ([\d.]+)\]$/.exec(await readOn(0))!;
			expect(await readOn(Number(next))).toMatch(/^\[\d\d:\d\d\] [^]+\[Cut: /);
			expect(await readOn(1e6)).toMatch(/^\[No words from 1000000 on: the last one starts at/);

			const [{ userEmail, date }] = rowsOf(conversation);
			const range = { from_date: '2023-01-01', to_date: String(date).slice(0, 10) };
			const found = await testbed.converse(
				tools,
				{ tool: 'Search', input: range },
				{ tool: 'Search', input: { ...range, rep_emails: userEmail } },
			);
			const [anyone, rep] = found.map((text) => new Set(rowsOf(text).flatMap((row) => row.userEmail ?? [])));
			expect(anyone.size).toBeGreaterThan(1);
			expect(rep).toEqual(new Set([userEmail]));
		});

		test('an appointment is booked and matched with a conversation', async () => {
			const match = documentedExpressions('Match a conversation');
			const [conversation_id] = testbed.sandbox.control.conversationIds(1);
			expect(Object.keys(booking)).toHaveLength(8);
			await testbed.converse(
				[
					book(),
					appointmentTool('Match', {
						operation: 'match',
						eventId: match['Event ID'],
						...byId(match.Conversation),
					}),
				],
				{ tool: 'Book', input: visit('crm/2') },
				{ tool: 'Match', input: { event_id: 'crm/2', conversation_id } },
			);

			expect(stored('crm/2')).toMatchObject({ attendees: testbed.people, hasRecording: true });
		});

		test('a delete waits until a person has approved it', async () => {
			await testbed.converse([book()], { tool: 'Book', input: visit('crm/3') });
			testbed.model.script([
				{ tool: 'Delete', input: { toolParameters: { event_id: 'crm/3' }, hitlParameters: {} } },
			]);
			const remove = appointmentTool('Delete', { operation: 'delete', eventId: booking['Event ID'] });
			const { Message: message } = documentedExpressions('Human review');
			const { client } = testbed.n8n;
			const workflow = await client.importWorkflow(reviewedWorkflow(testbed.model.url, remove, message));
			const executionId = await client.start(workflow);
			await client.waitForPause(executionId);

			expect(stored('crm/3')).toBeDefined();
			const [{ html = '' }] = mailbox.mails;
			expect(html).toContain('Delete appointment crm/3?');
			const [approve] = /http:[^"]*approved=true[^"]*/.exec(html) ?? [];
			// n8n ignores link checkers, which it recognizes by the user agent.
			await fetch(String(approve), { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' } });

			expect(errorOf(await client.waitForResult(executionId))).toBeUndefined();
			const [response] = testbed.model.responses;
			expect(rowsOf(response)).toEqual([expect.objectContaining({ deleted: true, event_id: 'crm/3' })]);
			expect(stored('crm/3')).toBeUndefined();
		});
	});

	test("the MCP Server Trigger describes each tool, and returns rows without links and an error's text", async () => {
		const { client } = testbed.n8n;
		await client.saveCredential('httpBearerAuth', { token: 'token-of-the-client' });
		const read = documentedExpressions('Read one conversation')['Conversation (By ID)'];
		const { path, file } = mcpWorkflow([
			exportTool('List conversations', { ...LIST, limit: 5 }),
			exportTool('Get conversation', { resource: 'conversation', operation: 'get', ...byId(read) }),
			appointmentTool('Change', {
				descriptionType: 'manual',
				toolDescription: 'Changes a visit.',
				operation: 'update',
				columns: mappedByHand(await fieldsDefinedByModel(testbed, 'update')),
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
