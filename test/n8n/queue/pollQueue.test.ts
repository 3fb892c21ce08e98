import { saveSandboxCredentials } from '../../../harness/credentials';
import { startQueueMode, type QueueMode } from '../../../harness/queue/start';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { startGate, type Gate } from '../../support/gate';
import { N8N_START_LIMIT_MS, progress, TARBALL } from '../../support/n8n';
import { startSink, type Sink } from '../../support/sink';
import { minutesAgo, pollWorkflow, publish, waitForExecutions } from '../../support/triggerWorkflows';

/** Makes n8n notice a lost worker after about 5 instead of 90 seconds. */
const env = {
	QUEUE_WORKER_LOCK_DURATION: '5000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

describe('Conversation Intelligence Poll Trigger in queue mode', () => {
	let sandbox: Sandbox;
	let queue: QueueMode;
	let sink: Sink;
	let gate: Gate;
	const published: string[] = [];

	/** Begun before the other tests, because its end takes more than a minute. */
	let limited: Awaited<ReturnType<typeof exceedTimeLimit>>;

	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 10 });
		queue = await startQueueMode({
			webhookProcesses: 1,
			env,
			tarball: process.env[TARBALL],
			report: progress,
		});
		limited = await exceedTimeLimit(queue.main.client);
		await saveSandboxCredentials(queue.main.client, sandbox);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await queue?.stop();
		await Promise.all([sandbox?.close(), limited?.close()]);
	}, 120_000);
	beforeEach(async () => void ([sink, gate] = await Promise.all([startSink(), startGate()])));
	afterEach(async () => {
		gate.open();
		for (const workflowId of published.splice(0)) await queue.main.client.unpublish(workflowId);
		sandbox.control.removeConversations(...inserted.splice(0));
		await Promise.all([sink.close(), gate.close()]);
	}, 60_000);

	const inserted: string[] = [];
	const insert = (count: number, date = minutesAgo(0)) => {
		const ids = sandbox.control.insertConversations({ count, date });
		inserted.push(...ids);
		return ids;
	};
	const writes = (ids: string[]) => ids.map((id) => sink.writes.get(id));

	/** Publishes the workflow and delivers conversations that end before and after the ones that the gate holds. */
	async function withLongWork() {
		const sinceAnHourAgo = { startFrom: 'date', startDate: minutesAgo(60) };
		const workflowId = await publish(queue.main.client, pollWorkflow(sinceAnHourAgo, sink.url, gate.url));
		published.push(workflowId);
		gate.hold(() => true);
		const long = insert(2, minutesAgo(50));
		await gate.holds(2);
		gate.hold((key) => long.includes(key));
		const short = insert(3, minutesAgo(30));
		await sink.reaches(3);
		expect(await queue.main.client.waitForAll(workflowId, 1)).toEqual({ success: 1 });
		const latest = insert(1, minutesAgo(10));
		await sink.reaches(4);
		expect(await queue.main.client.waitForAll(workflowId, 2)).toEqual({ success: 2 });
		return { long, short, latest };
	}

	test('a killed worker’s running conversations are delivered again, and no others', async () => {
		const { long, short, latest } = await withLongWork();
		await queue.worker.service.kill();
		gate.open();
		await queue.restartWorker();
		await sink.reaches(6);
		const marker = insert(1);
		await sink.reaches(7);
		expect(writes([...long, ...short, ...latest, ...marker])).toEqual(Array(7).fill(1));
	}, 180_000);

	test('a killed worker loses no conversation of a delivery of 500', async () => {
		published.push(await publish(queue.main.client, pollWorkflow({}, sink.url, gate.url)));
		gate.hold(() => true);
		const ids = insert(500);
		await gate.holds(100);
		await queue.worker.service.kill();
		expect(sink.writes.size).toBe(0);
		gate.open();
		await queue.restartWorker();
		await sink.reaches(ids.length);
		expect([...sink.writes.keys()].sort()).toEqual([...ids].sort());
	}, 180_000);

	test('an execution stopped by its time limit is delivered again if you chose so, and the trigger goes on', async () => {
		const { sink, first, next } = limited;
		await sink.reaches(3);
		expect([...sink.writes.keys()].sort()).toEqual(
			[`ended/${next}`, `succeeded/${first}`, `succeeded/${next}`].sort(),
		);
		expect(queue.main.log).toContain(`delivers again (attempt 2): ${first}`);
	}, 180_000);

	test('a killed main process delivers running conversations again, and only the latest of the ended ones', async () => {
		const { long, short, latest } = await withLongWork();
		await queue.main.kill();
		await queue.restartMain();
		gate.open();
		const marker = insert(1);
		await sink.reaches(7);
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
	const [service, sink, gate] = await Promise.all([
		startSandbox({ conversations: 1 }),
		startSink(),
		startGate(),
	]);
	const { exportUrl: baseUrl, keys } = service;
	await client.saveCredential('conversationExportApi', { baseUrl, apiKey: keys.organization }, 'time limit');
	const workflowIds: string[] = [];
	for (const deliveredWhen of ['ended', 'succeeded']) {
		const options = { deliveredWhen, maxConversations: 1 };
		const file = pollWorkflow({ options }, sink.url, `${gate.url}/${deliveredWhen}`);
		const settings = { ...file.settings, executionTimeout: TIME_LIMIT_SECONDS };
		workflowIds.push(await publish(client, { ...file, settings }));
	}
	gate.hold(() => true);
	const [first] = service.control.insertConversations({ count: 1 });
	await gate.holds(2);
	for (const workflowId of workflowIds) await waitForExecutions(client, workflowId, 'canceled');
	gate.open();
	const [next] = service.control.insertConversations({ count: 1 });
	const close = async () => void (await Promise.all([service.close(), sink.close(), gate.close()]));
	return { sink, first, next, close };
}
