import { startMailbox, type Mailbox } from '../../harness/examples/mailbox';
import { saveMailCredential } from '../../harness/examples/credentials';
import { errorOf } from '../../harness/n8n/execution';
import { startAgentTestbed, type AgentTestbed } from '../support/agent/agentTestbed';
import { appointmentTool, exportTool, reviewedWorkflow } from '../support/agent/agentWorkflow';
import { mappedByHand } from '../support/columns';
import { documentedExpressions } from '../support/agent/documented';
import { visitOf } from '../support/agent/visit';
import { N8N_START_LIMIT_MS } from '../support/n8n';

describe("The expressions of docs/ai-agents.md in n8n's AI Agent node", () => {
	let testbed: AgentTestbed;
	let mailbox: Mailbox;
	const booking = documentedExpressions('Book or change an appointment');

	beforeAll(async () => {
		mailbox = await startMailbox();
		testbed = await startAgentTestbed();
		await saveMailCredential(testbed.n8n.client, mailbox);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await mailbox?.close();
		await testbed?.stop();
	}, 60_000);

	const book = () =>
		appointmentTool('Book', {
			operation: 'upsert',
			columns: mappedByHand({
				event_id: booking['Event ID'],
				user_email: booking['User Email'],
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
	const stored = (eventId: string) =>
		testbed.sandbox.control.appointments().find(({ event_id }) => event_id === eventId);

	test('a transcript is read by its ID, and the conversations of its rep are found', async () => {
		const search = documentedExpressions('Find conversations');
		const read = documentedExpressions('Read one conversation');
		const [conversation_id] = testbed.sandbox.control.conversationIds(1);
		const conversationId = { __rl: true, mode: 'id', value: read['Conversation (By ID)'] };
		const tools = [
			exportTool('Read', { resource: 'conversation', operation: 'downloadTranscript', conversationId }),
			exportTool('Get', { resource: 'conversation', operation: 'get', conversationId }),
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
		expect(JSON.parse(transcript)[0]).toMatchObject({ transcript: expect.stringMatching(/^\[00:0\d\] /) });
		const [{ userEmail, date }] = JSON.parse(conversation);

		const found = await testbed.converse(
			tools,
			{ tool: 'Search', input: { from_date: '2023-01-01', to_date: '2025-12-31' } },
			{
				tool: 'Search',
				input: { from_date: '2023-01-01', to_date: date.slice(0, 10), rep_emails: userEmail },
			},
		);
		const emailsOf = (response: string): string[] =>
			JSON.parse(response).flatMap((row: { userEmail?: string }) => row.userEmail ?? []);
		expect(found.map((response) => emailsOf(response).length)).toEqual([10, expect.any(Number)]);
		expect(new Set(emailsOf(found[1]))).toEqual(new Set([userEmail]));
	}, 120_000);

	test('an appointment is booked and matched with a conversation', async () => {
		const match = documentedExpressions('Match a conversation');
		const [conversation_id] = testbed.sandbox.control.conversationIds(1);
		expect(Object.keys(booking)).toHaveLength(8);
		const [, matched] = await testbed.converse(
			[
				book(),
				appointmentTool('Match', {
					operation: 'match',
					eventId: match['Event ID'],
					conversationId: { __rl: true, mode: 'id', value: match.Conversation },
				}),
			],
			{ tool: 'Book', input: visit('crm/1') },
			{ tool: 'Match', input: { event_id: 'crm/1', conversation_id } },
		);

		expect(JSON.parse(matched)[0]).toMatchObject({ event_id: 'crm/1', status: 200 });
		expect(stored('crm/1')).toMatchObject({ attendees: testbed.people, hasRecording: true });
	}, 120_000);

	test('a delete waits until a person has approved it', async () => {
		await testbed.converse([book()], { tool: 'Book', input: visit('crm/2') });
		testbed.model.script([
			{ tool: 'Delete', input: { toolParameters: { event_id: 'crm/2' }, hitlParameters: {} } },
		]);
		const remove = appointmentTool('Delete', { operation: 'delete', eventId: booking['Event ID'] });
		const { Message: message } = documentedExpressions('Human review');
		const { client } = testbed.n8n;
		const workflow = await client.importWorkflow(reviewedWorkflow(testbed.model.url, remove, message));
		const executionId = await client.start(workflow);
		await client.waitForPause(executionId);

		expect(stored('crm/2')).toBeDefined();
		const [{ html = '' }] = mailbox.mails;
		expect(html).toContain('Delete appointment crm/2?');
		const [approve] = /http:[^"]*approved=true[^"]*/.exec(html) ?? [];
		// n8n ignores link checkers, which it recognizes by the user agent.
		await fetch(String(approve), { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' } });

		expect(errorOf(await client.waitForResult(executionId))).toBeUndefined();
		expect(testbed.model.responses.map((response) => JSON.parse(response))).toEqual([
			[expect.objectContaining({ deleted: true, event_id: 'crm/2' })],
		]);
		expect(stored('crm/2')).toBeUndefined();
	}, 120_000);
});
