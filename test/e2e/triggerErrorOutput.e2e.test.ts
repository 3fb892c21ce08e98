import { SIGNING_SECRET } from '../../harness/credentials';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startSink, type Sink } from '../support/sink';
import { startTestbed, type Testbed } from '../support/testbed';
import { publish, webhookWorkflow } from '../support/triggerWorkflows';

describe("The Conversation Intelligence Trigger's error output in a real n8n", () => {
	let testbed: Testbed;
	let succeeded: Sink;
	let failed: Sink;

	beforeAll(async () => {
		[testbed, succeeded, failed] = await Promise.all([
			startTestbed({ conversations: 5 }),
			startSink(),
			startSink(),
		]);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await testbed?.stop();
		await succeeded?.close();
		await failed?.close();
	}, 60_000);

	test('receives a conversation that cannot be fetched, while the success output receives the others', async () => {
		const { sandbox, n8n } = testbed;
		const { path, file } = webhookWorkflow({ fullConversation: true }, succeeded.url);
		const [trigger, write] = file.nodes;
		const onError = { ...write, id: 'on-error', name: 'Write Error' };
		onError.parameters = {
			...write.parameters,
			url: `=${failed.url}/{{ $json.message.event.conversation_id }}`,
		};
		const outputs = [write, onError].map(({ name }) => [{ node: name, type: 'main' as const, index: 0 }]);
		await publish(n8n.client, {
			...file,
			nodes: [{ ...trigger, onError: 'continueErrorOutput' }, write, onError],
			connections: { [trigger.name]: { main: outputs } },
		});
		sandbox.webhooks.subscriptions.add({ url: `${n8n.url}/webhook/${path}`, secret: SIGNING_SECRET });

		const [refused, given] = sandbox.control.insertConversations({ count: 2 });
		sandbox.faults.add({ kind: 'htmlPage', status: 400, path: `/data/export/conversations/${refused}` });
		await sandbox.webhooks.emit({ conversationIds: [refused, given] });
		await Promise.all([succeeded.reaches(1), failed.reaches(1)]);

		expect([...succeeded.writes]).toEqual([[given, 1]]);
		expect([...failed.writes]).toEqual([[refused, 1]]);
	}, 120_000);
});
