import type { INodeExecutionData } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { processedEvent } from '../../../harness/webhook/deliveries';
import { createEngine } from '../../support/engine';

const PARAMETERS = { events: ['conversation_processed'], fullConversation: true };
const item = (conversationId?: string): INodeExecutionData => {
	const { data, ...event } = processedEvent(conversationId);
	return { json: { ...data, ...event } };
};

describe('Conversation Intelligence Trigger: a conversation that cannot be fetched', () => {
	let sandbox: Sandbox;
	beforeAll(async () => (sandbox = await startSandbox({ conversations: 5 })));
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.faults.clear());

	/** Two events. The service refuses the request for the first conversation. */
	const run = async (onError: 'continueErrorOutput' | 'continueRegularOutput') => {
		const [refused, given] = sandbox.control.insertConversations({ count: 2 });
		sandbox.faults.add({ kind: 'htmlPage', status: 400, path: `/data/export/conversations/${refused}` });
		const engine = await createEngine({
			conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey: sandbox.keys.organization },
		});
		const input = [item(refused), item(given)];
		const result = await engine.runNode('conversationIntelligenceTrigger', PARAMETERS, { input, onError });
		return { ...result, event: input[0].json, refused, given };
	};

	test('goes to the error output with its event, while the others go to the success output', async () => {
		const { items, errorItems, event, given } = await run('continueErrorOutput');

		expect(items.map(({ json }) => json.conversationId)).toEqual([given]);
		expect(errorItems).toEqual([
			{
				json: {
					error: 'The service refused the request',
					message: { description: expect.stringMatching(/^Status 400: a web page/), event },
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test('keeps its place under Continue, with its event next to the message', async () => {
		const { items, errorItems, event, given } = await run('continueRegularOutput');

		expect(items.map(({ json }) => json.conversationId ?? json.conversation_id)).toEqual([
			event.conversation_id,
			given,
		]);
		expect(items[0].json).toEqual({
			...event,
			error: 'The service refused the request',
			message: expect.stringMatching(/^Status 400/),
		});
		expect(errorItems).toEqual([]);
	});
});
