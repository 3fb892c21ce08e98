import { saveSandboxCredentials } from '../../harness/credentials';
import { startSandbox, type Sandbox } from '../../sandbox';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startSink, type Sink } from '../support/sink';
import { startTestbed, type Testbed } from '../support/testbed';
import { pollWorkflow, publish } from '../support/triggerWorkflows';

describe('Conversation Intelligence Poll Trigger in a real n8n, when its credential changes', () => {
	let testbed: Testbed;
	let other: Sandbox;
	let sink: Sink;

	beforeAll(async () => {
		[testbed, other, sink] = await Promise.all([
			startTestbed({ conversations: 20 }),
			startSandbox({ conversations: 20 }),
			startSink(),
		]);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await testbed?.stop();
		await other?.close();
		await sink?.close();
	}, 60_000);

	test('the next poll of a published workflow uses the new address and key', async () => {
		await publish(testbed.n8n.client, pollWorkflow({}, sink.url));
		await saveSandboxCredentials(testbed.n8n.client, other);
		const processed = other.control.insertConversations({ count: 5 });
		await sink.reaches(processed.length);
		expect([...sink.writes.keys()].sort()).toEqual([...processed].sort());
	}, 300_000);
});
