import type { INodeParameters } from 'n8n-workflow';
import { fieldsDefinedByModel, startAgentTestbed, type AgentTestbed } from '../support/agent/agentTestbed';
import { appointmentTool, exportTool } from '../support/agent/agentWorkflow';
import { MAPPED_AUTOMATICALLY, mappedByHand } from '../support/columns';
import { documentedRows } from '../support/agent/documented';
import { sentFor, visitOf } from '../support/agent/visit';
import { ALL_TIME } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS } from '../support/n8n';

const LIST = {
	resource: 'conversation',
	operation: 'getAll',
	...ALL_TIME,
	limit: "={{ $fromAI('rows', 'How many conversations', 'number') }}",
};

describe("The nodes as tools of n8n's AI Agent node", () => {
	let testbed: AgentTestbed;
	let people: string[];
	/** Every field as the editor fills it, defined by the model. */
	let byModel: Record<'update' | 'upsert', INodeParameters>;

	beforeAll(async () => {
		testbed = await startAgentTestbed();
		({ people } = testbed);
		byModel = {
			update: await fieldsDefinedByModel(testbed, 'update'),
			upsert: await fieldsDefinedByModel(testbed, 'upsert'),
		};
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await testbed?.stop(), 60_000);
	beforeEach(() => testbed.sandbox.requests.reset());

	const book = (columns = mappedByHand(byModel.upsert)) =>
		appointmentTool('Book', { operation: 'upsert', columns });
	const bodies = () =>
		testbed.sandbox.requests.list({ path: '/crm/custom/appointment' }).map(({ body }) => body);
	const stored = (eventId: string) =>
		testbed.sandbox.control.appointments().find(({ event_id }) => event_id === eventId);
	/** The error messages among answers. Fails if one contains an item number or the key. */
	const errorsIn = (responses: string[]) => {
		expect(responses.join()).not.toMatch(/\[Item|\\n/);
		expect(responses.join()).not.toContain(testbed.sandbox.keys.organization);
		return responses.flatMap((response) => JSON.parse(response).map(({ error }: { error: string }) => error));
	};

	test.each([5, 50])(
		'%i conversations reach the model without links, in a third of the characters, and it knows of the others',
		async (rows) => {
			const [simplified, raw] = await testbed.converse(
				[exportTool('Conversations', LIST), exportTool('Raw', { ...LIST, output: 'raw' })],
				{ tool: 'Conversations', input: { rows } },
				{ tool: 'Raw', input: { rows } },
			);

			expect(JSON.parse(simplified)).toHaveLength(rows + 1);
			expect(JSON.parse(simplified).at(-1)).toEqual({
				rows,
				note: `The newest ${rows} of 60 conversations: ask for another date range to get the rest.`,
			});
			expect(simplified).not.toMatch(/transcriptUrl|audioUrl|signature=/);
			expect(raw.match(/signature=/g)).toHaveLength(2 * rows);
			expect(simplified.length).toBeLessThan(raw.length / 3);
			const documented = documentedRows('What it costs').find(([count]) => count === String(rows)) ?? [];
			const figures = documented.slice(1).map((figure) => Number(figure.replace(',', '')));
			expect([simplified.length / figures[0], raw.length / figures[1]]).toEqual([
				expect.closeTo(1, 1),
				expect.closeTo(1, 1),
			]);
		},
		120_000,
	);

	test('the model chooses the dates of a list that has no setting but its credential', async () => {
		const [response] = await testbed.converse(
			[exportTool('Conversations', { resource: 'conversation', operation: 'getAll' })],
			{ tool: 'Conversations', input: { from_date: '2023-01-01', to_date: '2025-12-31' } },
		);

		const [{ parameters }] = testbed.model.tools;
		expect(Object.keys(parameters.properties)).toEqual(['from_date', 'to_date']);
		expect(parameters.required).toEqual(['from_date']);
		const rows = JSON.parse(response) as Array<{ date: string }>;
		const dates = rows.slice(0, 10).map(({ date }) => date);
		expect(dates).toEqual([...dates].sort().reverse());
		expect(rows.at(-1)).toEqual({
			rows: 10,
			note: 'The newest 10 of 60 conversations: ask for another date range to get the rest.',
		});
	}, 120_000);

	test('an export error reaches the model as one text', async () => {
		const conversationId = { __rl: true, mode: 'id', value: "={{ $fromAI('id', '', 'string') }}" };
		const get = { resource: 'conversation', operation: 'get', conversationId };
		const responses = await testbed.converse(
			[exportTool('Conversation', get), exportTool('Conversations', LIST)],
			{ tool: 'Conversation', input: { id: '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10' } },
			{ tool: 'Conversation', input: { id: 'the one with Ana' } },
			{ tool: 'Conversations', input: { rows: 500 } },
		);

		expect(errorsIn(responses)).toEqual([
			expect.stringMatching(
				/^The conversation does not exist or is outside the teams of this key\. Status 404: .*not found.*\. Check the Conversation ID 3f2b/,
			),
			'Conversation must be a UUID or a link with one (it is "the one with Ana"). Use the ID or the link of a conversation, e.g. from the output of Get Many.',
			'Limit must be a whole number from 1 to 50 (it is 500)',
		]);
	}, 120_000);

	test('a list without rows reaches the model as one item that says why', async () => {
		const dates = { fromDate: '1999-03-01', toDate: '1999-03-02' };
		const [response] = await testbed.converse([exportTool('Conversations', { ...LIST, ...dates })], {
			tool: 'Conversations',
			input: { rows: 5 },
		});

		expect(JSON.parse(response)).toEqual([
			{ rows: 0, note: 'No conversations from 1999-03-01 00:00 to 1999-03-02 23:59 (America/Denver).' },
		]);
	}, 120_000);

	test('the schema of an appointment tells the model what is required and how dates are written', async () => {
		await testbed.converse([book()]);

		const [{ name, description, parameters }] = testbed.model.tools;
		expect({ name, description }).toEqual({
			name: 'Book',
			description: 'Create or update appointment in Conversation Intelligence Appointments',
		});
		expect(Object.keys(parameters.properties)).toEqual(Object.keys(byModel.upsert));
		expect(parameters.required).toEqual(
			'event_id user_email start_time end_time title customer_id customer_name'.split(' '),
		);
		expect(Object.values(parameters.properties).map((field) => field.description)).toEqual(
			expect.arrayContaining([
				"Event ID. Required. Your system's ID; a known one is updated.",
				'Start Time. Required. ISO 8601 with an offset, e.g. 2026-03-01T08:30:00+01:00.',
				'Attendee Emails. Empty = only the owner attends. Emails of everyone who attends, separated by commas. Replaces the list.',
			]),
		);
	}, 120_000);

	test('an update without attendees says that it removed them, and sends only what the model provides', async () => {
		const change = { event_id: 'crm/1', user_email: people[0], title: 'Gutters' };
		const [, response] = await testbed.converse(
			[book(), appointmentTool('Change', { operation: 'update', columns: mappedByHand(byModel.update) })],
			{ tool: 'Book', input: visitOf('crm/1', people) },
			{ tool: 'Change', input: change },
		);

		expect(JSON.parse(response)[0].warnings).toEqual([
			'Attendee Emails is empty: the owner (User Email) is the only attendee.',
		]);
		expect(bodies()).toEqual([sentFor('crm/1', people), change]);
		expect(stored('crm/1')).toMatchObject({ attendees: [people[0]], title: 'Gutters' });
	}, 120_000);

	test('a refused appointment reaches the model as one text', async () => {
		const responses = await testbed.converse(
			[book()],
			{ tool: 'Book', input: visitOf('crm/2', ['nobody@example.com']) },
			{ tool: 'Book', input: { ...visitOf('crm/2', people), start_time: 'soon', title: '' } },
		);

		expect(errorsIn(responses)).toEqual([
			expect.stringMatching(
				/^No attendee is a user of the service\. Status 422: "User email is not in .*"\. Repeating does not help\. Check the addresses: .* The appointment is unchanged\.$/,
			),
			'Start Time and Title cannot be sent. ' +
				'Start Time must be a date and time (it is "soon"). Use an ISO date such as 2026-03-01T08:30:00Z or 2026-03-01 08:30:00. ' +
				'Missing: Title. To change an existing appointment, choose the Update operation and send everyone who should attend: it removes the others.',
		]);
		expect(stored('crm/2')).toBeUndefined();
	}, 120_000);

	test("automatic mapping from an ordinary node ignores the agent's toolCallId", async () => {
		const [response] = await testbed.converse([book(MAPPED_AUTOMATICALLY)], {
			tool: 'Book',
			input: visitOf('crm/3', people),
		});

		expect(response).not.toContain('toolCallId');
		expect(bodies()).toEqual([sentFor('crm/3', people)]);
	}, 120_000);
});
