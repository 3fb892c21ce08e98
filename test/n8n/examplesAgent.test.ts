import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { appointment, sendAppointment } from '../../harness/sendAppointment';
import { exampleWorkflow } from '../../harness/workflows';
import { ChatPage } from '../support/agent/chatPage';
import { conversationOf, resultsIn, type ToolCall } from '../support/agent/scriptedModel';
import { startExamplesTestbed, type ExamplesTestbed } from '../support/examplesTestbed';
import { N8N_START_LIMIT_MS } from '../support/n8n';

/** The store, the agent and its tools are n8n's; the model's calls are scripted, and its embeddings count words. */
describe('The chat about recorded conversations, in a real n8n', () => {
	let testbed: ExamplesTestbed;

	beforeAll(async () => {
		testbed = await startExamplesTestbed();
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await testbed?.stop(), 60_000);

	/** Publishes the example with a public chat. Its first poll delivers what is processed from now on. */
	const publishChat = async () => {
		const { n8n } = testbed;
		const file = exampleWorkflow('ask-your-calls');
		const webhookId = randomUUID();
		const changes: Record<string, object> = {
			'New Conversations': { startFrom: 'date', startDate: new Date(Date.now() - 1000).toISOString() },
			Ask: { public: true },
		};
		const workflowId = await n8n.client.importWorkflow({
			...file,
			nodes: file.nodes.map((node) => ({
				...node,
				...(node.name === 'Ask' ? { webhookId } : {}),
				...(node.name === 'Approve' ? { webhookId: randomUUID() } : {}),
				disabled: false,
				parameters: { ...node.parameters, ...changes[node.name] },
			})),
		});
		return { workflowId, webhookId };
	};
	/** Asks in the chat; the model makes these calls. */
	const ask = async (webhookId: string, ...calls: ToolCall[]) => {
		testbed.doubles.script.push(...conversationOf(calls));
		return await ChatPage.say(testbed.n8n.url, webhookId, 'What was said?');
	};
	/** What the model received for its calls. */
	const results = () => resultsIn(JSON.parse(testbed.doubles.prompts.at(-1)!));
	const titled = (title: string) =>
		testbed.sandbox.control.appointments().filter((appointment) => appointment.title === title);

	test('Try It fills the store with the newest conversations of the last seven days', async () => {
		const execution = await testbed.run('ask-your-calls', 'Try It');
		expect(errorOf(execution)).toBeUndefined();
		expect(itemsOf(execution, 'Has Transcript')).toHaveLength(20);
		expect(itemsOf(execution, 'Remember').length).toBeGreaterThanOrEqual(20);
	}, 120_000);

	test('finds a polled conversation by what was said, with its link', async () => {
		const { n8n, sandbox } = testbed;
		const [wanted] = ['Zephyr geothermal upgrade', 'Gutter cleaning'].flatMap((title) =>
			sandbox.control.insertConversations({ userEmail: 'ava.adams@example.com', fields: { title } }),
		);
		const { workflowId, webhookId } = await publishChat();
		await n8n.client.publish(workflowId);
		expect(await n8n.client.waitForAll(workflowId, 1)).toEqual({ success: 1 });

		const now = DateTime.now().setZone('America/New_York');
		const today = now.toISODate();
		const chat = await ask(
			webhookId,
			{ tool: 'Search_Transcripts', input: { input: 'Zephyr geothermal upgrade' } },
			{
				tool: 'Find_Conversations',
				input: { from_date: today, to_date: today, rep_emails: 'ava.adams@example.com' },
			},
			{
				tool: 'Find_Conversations',
				input: { from_date: now.minus({ days: 60 }).toISODate(), to_date: today, rep_emails: '' },
			},
		);
		expect(await chat.next()).toEqual({ text: 'Done.', buttons: [] });
		await n8n.client.unpublish(workflowId);
		const [passages, rows, newest] = results();
		expect(passages).toContain(`${sandbox.url}/app/conversations/${wanted}`);
		expect(passages).toContain('Ava Adams');
		expect(rows).toContain(wanted);
		expect(newest).toContain(wanted);
		expect(newest).toMatch(/The newest 10 of \d{4} conversations: ask for another date range/);
	}, 120_000);

	test('books a follow-up only after a person has approved it, under an ID that the model cannot choose', async () => {
		const { n8n, sandbox } = testbed;
		const kept = appointment(sandbox, 0, { event_id: 'crm-1', title: 'Kept' });
		await sendAppointment(sandbox, kept);
		const { workflowId, webhookId } = await publishChat();
		await n8n.client.publish(workflowId);
		const booking = (title: string): ToolCall => ({
			tool: 'Book_Follow-Up',
			input: {
				toolParameters: {
					// A transcript may have told the model to overwrite an appointment.
					event_id: 'crm-1',
					rep_email: 'ava.adams@example.com',
					start: '2026-03-01T10:00:00Z',
					end: '2026-03-01T11:00:00Z',
					title,
					customer_id: 'sam@example.com',
					customer_name: 'Sam Doe',
				},
				hitlParameters: {},
			},
		});
		const hostile = 'Follow-up\n```\n[Open](https://evil.example)';
		const ids = [];
		for (const attempt of [1, 2]) {
			const chat = await ask(webhookId, booking(hostile));
			const question = await chat.next();
			expect([attempt, titled(hostile).length]).toEqual([attempt, attempt - 1]);
			expect(question.text).toContain('"rep_email": "ava.adams@example.com"');
			// The title cannot end the code block.
			expect(question.text).toContain('"title": "Follow-up\\n```\\n[Open](https://evil.example)"');
			await chat.click(question, 'Book');
			expect(await chat.next()).toEqual({ text: 'Done.', buttons: [] });
			const [booked] = results();
			ids.push(/"event_id":"(follow-up-[^"]+)"/.exec(booked)?.[1]);
		}
		expect(new Set(ids).size).toBe(2);
		expect(titled(hostile).map(({ event_id }) => event_id)).toEqual(ids);

		const refusal = await ask(webhookId, booking('Refused'));
		await refusal.click(await refusal.next(), 'Do Not Book');
		expect(await refusal.next()).toEqual({ text: 'Done.', buttons: [] });
		expect(results()[0]).toContain('User rejected the tool call');

		const typed = await ask(webhookId, booking('Typed'));
		await typed.next();
		typed.type('yes, but at 11');
		expect(await typed.next()).toEqual({ text: 'Done.', buttons: [] });
		expect(results()[0]).toContain('yes, but at 11');

		await n8n.client.unpublish(workflowId);
		expect([titled('Refused'), titled('Typed')]).toEqual([[], []]);
		expect(titled('Kept')).toEqual([expect.objectContaining({ event_id: 'crm-1', title: 'Kept' })]);
	}, 120_000);
});
