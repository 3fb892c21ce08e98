import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import { saveSandboxCredentials, SIGNING_SECRET } from '../../../harness/credentials';
import { errorOf, itemsOf } from '../../../harness/n8n/execution';
import { startQueueMode, type QueueMode } from '../../../harness/queue/start';
import { activeUsers, appointment } from '../../../harness/sendAppointment';
import { delivery, processedEvent } from '../../../harness/webhook/deliveries';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { mappedByHand } from '../../support/columns';
import { exportWorkflow, nodeWorkflow } from '../../support/exportWorkflow';
import { N8N_START_LIMIT_MS } from '../../support/n8n';
import { SCHEDULERS } from '../../support/schedulers';
import { KeyedServer } from '../../support/scriptedServer';
import { useServers } from '../../support/testbed';
import * as workflows from '../../support/triggerWorkflows';

const { minutesAgo, pollWorkflow, triggeredItems, waitForExecutions, webhookWorkflow } = workflows;

const env = {
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	// Makes n8n notice a lost worker after about 5 instead of 90 seconds.
	QUEUE_WORKER_LOCK_DURATION: '5000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
	// As always in n8n 3.0.
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	// Every night, each of them.
	...SCHEDULERS[process.env.SCHEDULER ?? 'by default'],
};

describe('Queue mode with a worker and two webhook processes', () => {
	let sandbox: Sandbox;
	let queue: QueueMode;
	const [sink, gate] = useServers(new KeyedServer(), new KeyedServer());
	const dispatcher = new Agent({ connections: 50, pipelining: 0 });
	const published: string[] = [];

	/** Begun before the other tests, because its end takes more than a minute. */
	let limited: Awaited<ReturnType<typeof exceedTimeLimit>>;

	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 10, webhookRetryDelaysMs: [] });
		queue = await startQueueMode({ webhookProcesses: 2, env });
		limited = await exceedTimeLimit(queue.main.client);
		await saveSandboxCredentials(queue.main.client, sandbox);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await queue?.stop();
		await Promise.all([sandbox?.close(), limited?.close(), dispatcher.close()]);
	}, 120_000);
	afterEach(async () => {
		for (const workflowId of published.splice(0)) await queue.main.client.unpublish(workflowId);
		sandbox.control.removeConversations(...inserted.splice(0));
	}, 60_000);

	const inserted: string[] = [];
	const insert = (count: number, date = minutesAgo(0)) => {
		const ids = sandbox.control.insertConversations({ count, date });
		inserted.push(...ids);
		return ids;
	};
	const writes = (ids: string[]) => ids.map((id) => sink.writes.get(id));

	/** Sends an event to one of the two webhook processes. Returns the status in its response. */
	const send = async (process: number, path: string, event: object) => {
		const url = `${queue.webhooks[process].url}/webhook/${path}`;
		const { body } = await request(url, { method: 'POST', dispatcher, ...delivery(event, SIGNING_SECRET) });
		return ((await body.json()) as { status: string }).status;
	};

	test('runs an export and an appointment on a worker when a person starts them', async () => {
		const [owner] = activeUsers(sandbox);
		const { customer, ...visit } = appointment(sandbox, 1, { event_id: 'by-hand', user_email: owner });
		const more = { attendee_emails: owner, customer_id: customer.id, customer_name: customer.name };
		const columns = mappedByHand({ ...visit, ...more });
		const upsert = nodeWorkflow('conversationIntelligenceAppointments', { operation: 'upsert', columns });
		const ids: string[][] = [];
		for (const file of [exportWorkflow(), upsert]) {
			const execution = await queue.main.client.run(file);
			expect(errorOf(execution)).toBeUndefined();
			expect(execution.mode).toBe('manual');
			expect(queue.worker.service.log).toContain(`finished execution ${execution.id} `);
			const returned = itemsOf(execution).map(({ json }) => json.conversationId ?? json.event_id);
			ids.push(returned.map(String).sort());
		}
		expect(ids).toEqual([sandbox.control.conversationIds(0, 10).sort(), ['by-hand']]);
		expect(sandbox.control.appointments().map(({ event_id }) => event_id)).toEqual(['by-hand']);
	}, 120_000);

	test('accepts deliveries in both webhook processes, runs each once, and recognizes duplicates within a process', async () => {
		const { path, file } = webhookWorkflow();
		const { client } = queue.main;
		const workflowId = await client.publish(file);
		const events = Array.from({ length: 200 }, () => processedEvent());
		const limit = pLimit(20);
		const statuses = await Promise.all(
			events.map((event, index) => limit(async () => await send(index % 2, path, event))),
		);
		expect(statuses).toEqual(Array(200).fill('accepted'));
		expect(await client.waitForAll(workflowId, 200)).toEqual({ success: 200 });
		const items = await triggeredItems(client, workflowId, 'Conversation Intelligence Trigger');
		expect(items.map(({ dedupeKey }) => dedupeKey).sort()).toEqual(
			events.map(({ data }) => data.conversation_id).sort(),
		);
		const again = [];
		for (const process of [0, 1, 1]) again.push(await send(process, path, events[0]));
		expect(again).toEqual(['duplicate', 'accepted', 'duplicate']);
	}, 300_000);

	/** Publishes the workflow and delivers conversations that end before and after the ones that the gate holds. */
	async function withLongWork() {
		const sinceAnHourAgo = { startFrom: 'date', startDate: minutesAgo(60) };
		const workflowId = await queue.main.client.publish(pollWorkflow(sinceAnHourAgo, sink.url, gate.url));
		published.push(workflowId);
		gate.hold(() => true);
		const long = insert(2, minutesAgo(50));
		await gate.waitForHeld(2);
		gate.hold((key) => long.includes(key));
		const short = insert(3, minutesAgo(30));
		await sink.waitForKeys(3);
		expect(await queue.main.client.waitForAll(workflowId, 1)).toEqual({ success: 1 });
		const latest = insert(1, minutesAgo(10));
		await sink.waitForKeys(4);
		expect(await queue.main.client.waitForAll(workflowId, 2)).toEqual({ success: 2 });
		return { long, short, latest };
	}

	test('a killed worker’s running conversations are delivered again, and no others', async () => {
		const { long, short, latest } = await withLongWork();
		await queue.worker.service.kill();
		gate.open();
		await queue.restartWorker();
		await sink.waitForKeys(6);
		const marker = insert(1);
		await sink.waitForKeys(7);
		expect(writes([...long, ...short, ...latest, ...marker])).toEqual(Array(7).fill(1));
	}, 180_000);

	test('an execution stopped by its time limit is delivered again if you chose so, and the trigger goes on', async () => {
		const { written, first, next } = limited;
		await written.waitForKeys(3);
		const expected = [`once/${next}`, `retried/${first}`, `retried/${next}`].sort();
		expect([...written.writes.keys()].sort()).toEqual(expected);
		expect(queue.main.log).toContain(`delivers 1 again: ${first}`);
	}, 180_000);

	test('a killed main process delivers running conversations again, and only the latest of the ended ones', async () => {
		const { long, short, latest } = await withLongWork();
		await queue.main.kill();
		await queue.restartMain();
		gate.open();
		const marker = insert(1);
		await sink.waitForKeys(7);
		expect(writes([...short, ...marker])).toEqual(Array(4).fill(1));
		// The worker keeps running, so both executions can write these.
		for (const times of writes([...long, ...latest])) expect(times).toBeLessThanOrEqual(2);
	}, 180_000);
});

const TIME_LIMIT_SECONDS = 3;

/**
 * Lets an execution of two workflows with a service of their own exceed the workflow's time limit. They deliver one
 * conversation at a time, so the next one waits until the first execution counts as stopped.
 */
async function exceedTimeLimit(client: QueueMode['main']['client']) {
	const [service, written, gate] = await Promise.all([
		startSandbox({ conversations: 1 }),
		KeyedServer.start(),
		KeyedServer.start(),
	]);
	const { exportUrl: baseUrl, keys } = service;
	await client.saveCredential('conversationExportApi', { baseUrl, apiKey: keys.organization }, 'time limit');
	const workflowIds: string[] = [];
	for (const name of ['once', 'retried']) {
		const options = { retryFailedExecutions: name === 'retried', maxConversationsPerPoll: 1 };
		const file = pollWorkflow({ options }, written.url, `${gate.url}/${name}`);
		const settings = { ...file.settings, executionTimeout: TIME_LIMIT_SECONDS };
		workflowIds.push(await client.publish({ ...file, settings }));
	}
	gate.hold(() => true);
	const [first] = service.control.insertConversations({ count: 1 });
	await gate.waitForHeld(2);
	for (const workflowId of workflowIds) await waitForExecutions(client, workflowId, 'canceled');
	gate.open();
	const [next] = service.control.insertConversations({ count: 1 });
	const close = async () => void (await Promise.all([service.close(), written.close(), gate.close()]));
	return { written, first, next, close };
}
