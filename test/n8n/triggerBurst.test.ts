import { SIGNING_SECRET } from '../../harness/credentials';
import { startN8n, type RunningN8n } from '../../harness/n8n/start';
import { freePort } from '../../harness/ports';
import { N8N_START_LIMIT_MS, progress } from '../support/n8n';
import { startSink, type Sink } from '../support/sink';
import { startTestbed, type Testbed } from '../support/testbed';
import {
	onlyAtStart,
	pollWorkflow,
	publish,
	triggeredItems,
	webhookWorkflow,
} from '../support/triggerWorkflows';

const COUNT = Number(process.env.BURST ?? 2000);
const DELIVERIES = COUNT + Math.floor(COUNT / 10);

/** Creates n8n's expression sandbox only where it is used, so that the figures are about the trigger. */
const env = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

describe('Conversation Intelligence Trigger under load, in a real n8n', () => {
	let testbed: Testbed;
	let sandbox: Testbed['sandbox'];
	let n8n: Testbed['n8n'];
	let port: number;

	beforeAll(async () => {
		port = await freePort();
		({ sandbox, n8n } = testbed = await startTestbed(
			{ conversations: COUNT, webhookRetryDelaysMs: [] },
			{ env, port },
		));
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await testbed?.stop(), 60_000);

	const subscribe = (path: string) =>
		sandbox.webhooks.subscriptions.add({ url: `${n8n.url}/webhook/${path}`, secret: SIGNING_SECRET });

	test(`${COUNT} deliveries, 50 at a time and one in ten repeated, start ${COUNT} runs`, async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await publish(n8n.client, file);
		const subscription = subscribe(path);
		const summary = await sandbox.webhooks.emit({ count: COUNT, concurrency: 50, repeatShare: 0.1 });
		sandbox.webhooks.subscriptions.remove(subscription.id);
		progress(JSON.stringify(summary));

		expect(summary).toMatchObject({
			attempts: DELIVERIES,
			successes: DELIVERIES,
			statuses: { 200: DELIVERIES },
		});
		expect(await n8n.client.waitForAll(workflowId, COUNT)).toEqual({ success: COUNT });
		const items = await triggeredItems(n8n.client, workflowId, 'Conversation Intelligence Trigger');
		expect(items).toHaveLength(COUNT);
		expect(new Set(items.map(({ conversation_id: id }) => id)).size).toBe(COUNT);
		// The sender gives up after ten seconds.
		expect((summary as { latency: { max: number } }).latency.max).toBeLessThan(10_000);
	}, 600_000);

	describe('killed in the middle of a burst', () => {
		let sink: Sink;
		let again: RunningN8n | undefined;

		beforeAll(async () => (sink = await startSink()));
		afterAll(async () => {
			await again?.stop();
			await sink.close();
		}, 60_000);

		test('webhook and poll together lose no conversation', async () => {
			const { path, file } = webhookWorkflow({}, sink.url);
			await publish(n8n.client, file);
			// A poll during the burst would deliver what the kill should interrupt.
			await publish(n8n.client, pollWorkflow(onlyAtStart(), sink.url));
			const subscription = subscribe(path);

			const conversationIds = sandbox.control.insertConversations({ count: 400 });
			const burst = sandbox.webhooks.emit({ conversationIds, concurrency: 50 });
			await sink.reaches(60);
			await n8n.kill();
			progress(`Killed n8n after ${sink.writes.size} writes`);
			await burst;
			sandbox.webhooks.subscriptions.remove(subscription.id);
			expect(sink.writes.size).toBeLessThan(conversationIds.length);

			again = await startN8n({ userFolder: n8n.userFolder, port, env, report: progress });
			await sink.reaches(conversationIds.length);
			expect([...sink.writes.keys()].sort()).toEqual([...conversationIds].sort());
		}, 600_000);
	});
});
