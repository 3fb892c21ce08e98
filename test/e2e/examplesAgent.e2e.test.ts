import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { exampleWorkflow } from '../../harness/workflows';
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

	/** Sends a chat message; the model makes these calls. */
	const chat = async (webhookId: string, ...calls: ToolCall[]) => {
		const { prompts, script } = testbed.doubles;
		script.push(...conversationOf(calls));
		const response = await fetch(`${testbed.n8n.url}/webhook/${webhookId}/chat`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ action: 'sendMessage', sessionId: randomUUID(), chatInput: 'What was said?' }),
		});
		expect(await response.json()).toEqual({ output: 'Done.' });
		return resultsIn(JSON.parse(prompts.at(-1)!));
	};

	test('Try It fills the store with the newest conversations of the last seven days', async () => {
		const execution = await testbed.run('ask-your-calls', 'Try It');
		expect(errorOf(execution)).toBeUndefined();
		expect(itemsOf(execution, 'Has Transcript')).toHaveLength(20);
		expect(itemsOf(execution, 'Remember').length).toBeGreaterThanOrEqual(20);
	}, 120_000);

	test('finds a polled conversation by what was said, with its link, and books a follow-up', async () => {
		const { n8n, sandbox } = testbed;
		const file = exampleWorkflow('ask-your-calls');
		const webhookId = randomUUID();
		const changes: Record<string, object> = {
			'New Conversations': { startFrom: 'date', startDate: new Date(Date.now() - 1000).toISOString() },
			Ask: { public: true },
		};
		const [wanted] = ['Zephyr geothermal upgrade', 'Gutter cleaning'].flatMap((title) =>
			sandbox.control.insertConversations({ userEmail: 'ava.adams@example.com', fields: { title } }),
		);
		const workflowId = await n8n.client.importWorkflow({
			...file,
			nodes: file.nodes.map((node) => ({
				...node,
				...(node.name === 'Ask' ? { webhookId } : {}),
				disabled: false,
				parameters: { ...node.parameters, ...changes[node.name] },
			})),
		});
		await n8n.client.publish(workflowId);
		expect(await n8n.client.waitForAll(workflowId, 1)).toEqual({ success: 1 });

		const now = DateTime.now().setZone('America/New_York');
		const today = now.toISODate();
		const booking = {
			event_id: 'follow-up-1',
			rep_email: 'ava.adams@example.com',
			start: '2026-03-01T10:00:00Z',
			end: '2026-03-01T11:00:00Z',
			title: 'Follow-up',
			customer_id: 'sam@example.com',
			customer_name: 'Sam Doe',
		};
		const [passages, rows, newest, booked] = await chat(
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
			{
				tool: 'Book_Follow-Up',
				input: booking,
			},
		);
		const bookAgain = { ...booking, event_id: '' };
		const [second] = await chat(webhookId, { tool: 'Book_Follow-Up', input: bookAgain });
		const [third] = await chat(webhookId, { tool: 'Book_Follow-Up', input: bookAgain });
		const idOf = (result: string) => /"event_id":"([^"]+)"/.exec(result)?.[1];
		expect(new Set([booked, second, third].map(idOf)).size).toBe(3);
		await n8n.client.unpublish(workflowId);

		expect(passages).toContain(`${sandbox.url}/app/conversations/${wanted}`);
		expect(passages).toContain('Ava Adams');
		expect(rows).toContain(wanted);
		expect(newest).toContain(wanted);
		expect(newest).toMatch(/The newest 10 of \d{4} conversations: ask for another date range/);
		expect(booked).toContain('follow-up-1');
		expect(sandbox.control.appointments()).toContainEqual(
			expect.objectContaining({ event_id: 'follow-up-1', title: 'Follow-up' }),
		);
	}, 120_000);
});
