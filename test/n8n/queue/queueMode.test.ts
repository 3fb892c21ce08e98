import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import { saveSandboxCredentials, SIGNING_SECRET } from '../../../harness/credentials';
import { startQueueMode, type QueueMode } from '../../../harness/queue/start';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { delivery, processedEvent } from '../../../harness/webhook/deliveries';
import { N8N_START_LIMIT_MS, progress, TARBALL } from '../../support/n8n';
import { startGate, type Gate } from '../../support/gate';
import { startSink, type Sink } from '../../support/sink';
import {
	EVERY_MINUTE,
	pollWorkflow,
	publish,
	triggeredItems,
	webhookWorkflow,
} from '../../support/triggerWorkflows';

describe('Queue mode with a worker and two webhook processes', () => {
	let sandbox: Sandbox;
	let queue: QueueMode;
	let sink: Sink;
	let gate: Gate;
	const dispatcher = new Agent({ connections: 50 });

	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 10, webhookRetryDelaysMs: [] });
		sink = await startSink();
		gate = await startGate();
		const env = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
		const tarball = process.env[TARBALL];
		queue = await startQueueMode({ webhookProcesses: 2, env, tarball, report: progress });
		await saveSandboxCredentials(queue.main.client, sandbox);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await queue?.stop();
		await Promise.all([sink?.close(), gate?.close(), sandbox?.close(), dispatcher.close()]);
	}, 120_000);

	/** Sends an event to one of the two webhook processes. */
	const send = async (process: number, path: string, event: object, secret = SIGNING_SECRET) => {
		const url = `${queue.webhooks[process].url}/webhook/${path}`;
		const response = await request(url, { method: 'POST', dispatcher, ...delivery(event, secret) });
		return {
			status: response.statusCode,
			body: JSON.parse(await response.body.text()) as { status: string },
		};
	};

	test('accepts deliveries in both webhook processes and runs each once', async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await publish(queue.main.client, file);
		const events = Array.from({ length: 200 }, () => processedEvent());
		const limit = pLimit(20);
		const responses = await Promise.all(
			events.map((event, index) => limit(async () => await send(index % 2, path, event))),
		);
		for (const process of [0, 1]) {
			const own = responses.filter((_, index) => index % 2 === process);
			expect(own.map(({ body }) => body.status)).toEqual(Array(100).fill('accepted'));
		}
		expect(await queue.main.client.waitForAll(workflowId, 200)).toEqual({ success: 200 });
		const items = await triggeredItems(queue.main.client, workflowId, 'Conversation Intelligence Trigger');
		expect(items.map(({ dedupeKey }) => dedupeKey).sort()).toEqual(
			events.map(({ data }) => data.conversation_id).sort(),
		);
	}, 300_000);

	test('starts nothing for a delivery that either process rejects', async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await publish(queue.main.client, file);
		for (const process of [0, 1]) {
			expect(await send(process, path, processedEvent(), 'a guess')).toMatchObject({ status: 401 });
		}
		expect(await queue.main.client.executions(workflowId)).toEqual([]);
	}, 60_000);

	test('recognizes repeats within a process, not across processes', async () => {
		const { path, file } = webhookWorkflow();
		await publish(queue.main.client, file);
		const event = processedEvent(randomUUID());
		const statuses: string[] = [];
		for (const process of [0, 0, 1, 1]) statuses.push((await send(process, path, event)).body.status);
		expect(statuses).toEqual(['accepted', 'repeat', 'accepted', 'repeat']);
	}, 60_000);

	test('a killed worker loses no conversation if webhook and poll are combined', async () => {
		const { path, file } = webhookWorkflow({}, sink.url, gate.url);
		await publish(queue.main.client, file);
		await publish(queue.main.client, pollWorkflow(EVERY_MINUTE, sink.url, gate.url));

		// Executions that the worker has begun when it is killed. Each waits at the gate before its write.
		const open = new Set<string>();
		const ids = sandbox.control.insertConversations({ count: 300 });
		const limit = pLimit(20);
		const burst = Promise.all(
			ids.map((id, index) => limit(async () => await send(index % 2, path, processedEvent(id)))),
		);
		await sink.reaches(50);
		gate.hold((key) => open.add(key).has(key));
		await gate.holds(3);
		const unwritten = [...open].filter((key) => !sink.writes.has(key));
		await queue.worker.service.kill();
		progress(`Killed the worker after ${sink.writes.size} writes, with ${open.size} executions open`);
		expect(unwritten.length).toBeGreaterThan(0);
		gate.open();
		expect((await burst).map(({ status }) => status)).toEqual(ids.map(() => 200));
		await queue.restartWorker();
		await sink.reaches(ids.length);
		expect([...sink.writes.keys()].sort()).toEqual([...ids].sort());
	}, 600_000);
});
