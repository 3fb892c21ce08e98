import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { appointmentTool, exportTool, mcpWorkflow } from '../support/agent/agentWorkflow';
import { mappedByHand } from '../support/columns';
import { activeUsers, fieldsDefinedByModel } from '../support/agent/agentTestbed';
import { documentedExpressions } from '../support/agent/documented';
import { sentFor } from '../support/agent/visit';
import { ALL_TIME } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startTestbed, type Testbed } from '../support/testbed';

const TOKEN = 'token-of-the-client';

describe("The nodes as tools of n8n's MCP Server Trigger", () => {
	let testbed: Testbed;
	let url: URL;
	let client: Client;

	const connect = async (token: string) => {
		const mcp = new Client({ name: 'test', version: '1.0.0' });
		const requestInit = { headers: { authorization: `Bearer ${token}` } };
		await mcp.connect(new StreamableHTTPClientTransport(url, { requestInit }));
		return mcp;
	};
	const call = async (name: string, input: Record<string, unknown> = {}) =>
		await client.callTool({ name, arguments: input });

	beforeAll(async () => {
		testbed = await startTestbed({ conversations: 60 });
		const { n8n } = testbed;
		await n8n.client.saveCredential('httpBearerAuth', { token: TOKEN });
		const read = documentedExpressions('Read one conversation');
		const tools = [
			exportTool('List conversations', {
				resource: 'conversation',
				operation: 'getAll',
				...ALL_TIME,
				limit: 5,
			}),
			exportTool('Get conversation', {
				resource: 'conversation',
				operation: 'get',
				conversationId: { __rl: true, mode: 'id', value: read['Conversation (By ID)'] },
			}),
			appointmentTool('Change', {
				descriptionType: 'manual',
				toolDescription: 'Changes a visit.',
				operation: 'update',
				columns: mappedByHand(await fieldsDefinedByModel(testbed, 'update')),
			}),
		];
		const { path, file } = mcpWorkflow(tools);
		await n8n.client.publish(await n8n.client.importWorkflow(file));
		url = new URL(`${n8n.url}/mcp/${path}`);
		client = await connect(TOKEN);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await client?.close();
		await testbed?.stop();
	}, 60_000);

	/** The text of a response. Each response has exactly one. */
	const textOf = ({ content }: Awaited<ReturnType<typeof call>>) => {
		const [{ text }] = content as Array<{ text: string }>;
		return text;
	};

	test('a client without the token is refused', async () => {
		await expect(connect('another token')).rejects.toThrow('Authorization data is wrong!');
	});

	test('the list of tools describes each tool and its fields', async () => {
		const { tools } = await client.listTools();

		const known = tools.map(({ name, description, inputSchema }) => ({
			name,
			description,
			required: inputSchema.required,
		}));
		expect(known.sort((a, b) => a.name.localeCompare(b.name))).toEqual([
			{ name: 'Change', description: 'Changes a visit.', required: ['event_id', 'user_email'] },
			{
				name: 'Get_conversation',
				description: 'Get conversation in Conversation Intelligence',
				required: ['conversation_id'],
			},
			{
				name: 'List_conversations',
				description: 'Get many conversations in Conversation Intelligence',
				required: undefined,
			},
		]);
		const { properties } = tools.find(({ name }) => name === 'Change')!.inputSchema;
		expect(properties?.start_time).toEqual({
			type: 'string',
			description: 'Start Time. Empty = unchanged. ISO 8601 with an offset, e.g. 2026-03-01T08:30:00+01:00.',
			default: '',
		});
	});

	test('a list returns five simplified rows without links, and says that there are more', async () => {
		const text = textOf(await call('List_conversations'));
		const rows = JSON.parse(text);

		expect(rows).toHaveLength(6);
		expect(rows[5]).toEqual({
			rows: 5,
			note: 'The newest 5 of 60 conversations: ask for another date range to get the rest.',
		});
		expect(text).not.toMatch(/transcriptUrl|audioUrl|signature=/);
	});

	test('an error says in one text what is wrong and what to do, without the key', async () => {
		const response = await call('Get_conversation', {
			conversation_id: '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10',
		});

		expect(response.isError).toBe(true);
		expect(textOf(response)).toMatch(
			/Error: The conversation does not exist or is outside the teams of this key\. Status 404: .* Check the Conversation ID 3f2b8c1e.*$/,
		);
		expect(textOf(response)).not.toMatch(/\[Item|\n/);
		expect(textOf(response)).not.toContain(testbed.sandbox.keys.organization);
	});

	test('an update needs only what changes, and says that it removed the attendees', async () => {
		const [owner, other] = activeUsers(testbed.sandbox);
		const { crmUrl, keys, control } = testbed.sandbox;
		const change = { event_id: 'crm/1', user_email: owner, title: 'Gutters' };
		await fetch(`${crmUrl}/custom/appointment`, {
			method: 'POST',
			headers: { 'x-api-key': keys.organization, 'content-type': 'application/json' },
			body: JSON.stringify(sentFor('crm/1', [owner, other])),
		});
		expect(control.appointments()[0].attendees).toEqual([owner, other]);

		const response = await call('Change', change);

		expect(JSON.parse(textOf(response))).toEqual([
			expect.objectContaining({
				sent: change,
				warnings: ['Attendee Emails is empty: the owner (User Email) is the only attendee.'],
			}),
		]);
		expect(control.appointments()[0]).toMatchObject({ attendees: [owner], title: 'Gutters' });
	});
});
