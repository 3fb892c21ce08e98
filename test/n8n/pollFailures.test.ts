import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'libsql';
import { saveSandboxCredentials } from '../../harness/credentials';
import { errorOf } from '../../harness/n8n/execution';
import { startN8n, type RunningN8n } from '../../harness/n8n/start';
import { freePort } from '../../harness/ports';
import { startSandbox, type Sandbox } from '../../sandbox';
import { N8N_START_LIMIT_MS, progress, startTestN8n, type TestN8n } from '../support/n8n';
import { startGate } from '../support/gate';
import { ScriptedServer } from '../support/scriptedServer';
import { startSink, type Sink } from '../support/sink';
import { pollWorkflow, publish } from '../support/triggerWorkflows';

const SINCE_EVER = { startFrom: 'date', startDate: '2020-01-01T00:00:00Z' };

describe('Conversation Intelligence Poll Trigger in a real n8n, when something goes wrong', () => {
	let n8n: TestN8n;
	let sandbox: Sandbox;
	let sink: Sink;
	let again: RunningN8n | undefined;
	let published: string[] = [];
	const onTestEnd: Array<() => Promise<void>> = [];

	beforeAll(async () => {
		n8n = await startTestN8n();
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await again?.stop();
		await n8n?.stop();
	}, 60_000);
	beforeEach(async () => {
		[sandbox, sink] = await Promise.all([startSandbox({ conversations: 20 }), startSink()]);
		await saveSandboxCredentials(n8n.client, sandbox);
	});
	afterEach(async () => {
		for (const close of onTestEnd.splice(0)) await close();
		for (const workflowId of published) await n8n.client.unpublish(workflowId);
		published = [];
		await sandbox.close();
		await sink.close();
	});

	const publishPoll = async (parameters: Parameters<typeof pollWorkflow>[0]) => {
		const workflowId = await publish(n8n.client, pollWorkflow(parameters, sink.url));
		published.push(workflowId);
		return workflowId;
	};
	const insert = (count: number) => sandbox.control.insertConversations({ count });
	const written = () => Object.fromEntries(sink.writes);
	const times = (count: number, ids: string[]) => Object.fromEntries(ids.map((id) => [id, count]));

	test('polls wait while the service is slow, and deliver nothing twice', async () => {
		const service = await ScriptedServer.start();
		service.respond((_request, index) => ({
			...listing(index === 0 ? [] : ['new']),
			delayMs: index * 6000,
		}));
		await saveSandboxCredentials(n8n.client, { ...sandbox, exportUrl: service.url });
		await publishPoll(SINCE_EVER);
		await service.sees(4);
		await service.close();
		expect(service.maxInFlight).toBe(1);
		expect(written()).toEqual({ new: 1 });
	}, 120_000);

	test('a total that stays wrong delays nothing and is logged', async () => {
		const ids = ['first', 'second'];
		const service = await ScriptedServer.start();
		service.respond(() => listing(ids, ids.length + 1));
		await saveSandboxCredentials(n8n.client, { ...sandbox, exportUrl: service.url });
		await publishPoll(SINCE_EVER);
		await sink.reaches(2);
		ids.push('third');
		await sink.reaches(3);
		await service.close();
		expect(written()).toEqual(times(1, ids));
		expect(n8n.log).toContain('The service counts 3 conversations and lists 2');
	}, 120_000);

	/** Publishes a workflow that fails. Expects one failed execution soon, and the error once n8n has polled five times. */
	async function expectToFailToPublish(message: string): Promise<string> {
		const workflowId = await n8n.client.importWorkflow(pollWorkflow({}, sink.url));
		const started = Date.now();
		const publishing = n8n.client.publish(workflowId).catch((error: unknown) => String(error));
		while ((await n8n.client.executions(workflowId, 'error')).length === 0) await delay(250);
		const shownAfter = Date.now() - started;
		expect(await publishing).toContain(message);
		progress(`Shown after ${shownAfter} ms; n8n gave up after ${Date.now() - started} ms`);
		expect(shownAfter).toBeLessThan(12_000);
		const failed = await n8n.client.executions(workflowId, 'error');
		expect(failed).toHaveLength(1);
		expect(errorOf(await n8n.client.execution(failed[0].id))?.message).toContain(message);
		await n8n.client.unpublish(workflowId);
		return workflowId;
	}

	test('shows a person who publishes a refused connection within some ten seconds, and once', async () => {
		const exportUrl = `http://127.0.0.1:${await freePort()}`;
		await saveSandboxCredentials(n8n.client, { ...sandbox, exportUrl });
		await expectToFailToPublish('The service cannot be reached');
	}, 120_000);

	test('stores why the poll of a trigger with a wrong setting failed', async () => {
		const workflowId = await n8n.client.importWorkflow(
			pollWorkflow({ options: { overlapMinutes: 0 } }, sink.url),
		);
		await expect(n8n.client.publish(workflowId)).rejects.toThrow('Overlap (Minutes)');
		const [{ id }] = await n8n.client.executions(workflowId, 'error');
		expect(errorOf(await n8n.client.execution(id))).toMatchObject({
			message: expect.stringContaining('Overlap (Minutes)'),
			context: { details: { code: 'value_invalid' } },
		});
		await n8n.client.unpublish(workflowId);
	}, 120_000);

	test('starts from the successful activation, not from a failed one', async () => {
		await saveSandboxCredentials(n8n.client, sandbox, 'unknown');
		const workflowId = await expectToFailToPublish('does not recognize the API key');
		insert(2);
		await saveSandboxCredentials(n8n.client, sandbox);
		await n8n.client.publish(workflowId);
		published.push(workflowId);
		const marker = insert(1);
		await sink.reaches(1);
		expect(written()).toEqual(times(1, marker));
	}, 120_000);

	test('the next poll of a published workflow uses the address and key of a changed credential', async () => {
		const other = await startSandbox({ conversations: 20 });
		onTestEnd.push(() => other.close());
		await publishPoll({});
		await saveSandboxCredentials(n8n.client, other);
		const processed = other.control.insertConversations({ count: 5 });
		await sink.reaches(processed.length);
		expect(written()).toEqual(times(1, processed));
	}, 120_000);

	test('with Execution Has Succeeded and an execution for each conversation, one that fails is delivered again alone', async () => {
		const workflowId = await publishPoll({
			options: { deliveredWhen: 'succeeded', executionFor: 'conversation' },
		});
		const ids = insert(5);
		sink.refuse((key) => key === ids[2]);
		await sink.reaches(4);
		while ((await n8n.client.executions(workflowId, 'error')).length < 2) await delay(250);
		sink.refuse(() => false);
		await sink.reaches(5);
		expect(written()).toEqual(times(1, ids));
		expect(n8n.log).toContain(`delivers again (attempt 2): ${ids[2]}`);
	}, 240_000);

	test('new conversations wait while as many as fit in a poll are in running executions', async () => {
		const gate = await startGate();
		onTestEnd.push(gate.close);
		gate.hold(() => true);
		const workflowId = await publish(
			n8n.client,
			pollWorkflow({ options: { maxConversations: 2 } }, sink.url, gate.url),
		);
		published.push(workflowId);
		const ids = insert(5);
		await gate.holds(2);
		while (!n8n.log.includes('delivers more once fewer than 2')) await delay(250);
		expect(await n8n.client.executions(workflowId, 'running')).toHaveLength(1);
		gate.open();
		await sink.reaches(5);
		expect(written()).toEqual(times(1, ids));
	}, 120_000);

	// Runs last, because it stops the n8n of the other tests.
	test('a damaged position is reported, and following the message repairs it', async () => {
		const file = pollWorkflow(SINCE_EVER, sink.url);
		const workflowId = await publish(n8n.client, file);
		const known = sandbox.control.conversationIds(0, 20);
		await sink.reaches(20);
		await n8n.client.waitForAll(workflowId, 1);
		await n8n.kill();
		damagePosition(n8n.userFolder, workflowId, file.nodes[0].id);
		again = await startN8n({ userFolder: n8n.userFolder, report: progress });
		await saveSandboxCredentials(again.client, sandbox);
		await again.client.unpublish(workflowId);
		const failure = await again.client.publish(workflowId).catch((error: unknown) => String(error));
		expect(failure).toContain('The saved position of this trigger is damaged');

		const trigger = { ...file.nodes[0].parameters, startDate: '2020-01-02T00:00:00Z' };
		const nodes = [{ ...file.nodes[0], parameters: trigger }, file.nodes[1]];
		await again.client.updateWorkflow(workflowId, { ...file, nodes });
		await again.client.publish(workflowId);
		await sink.takes(40);
		expect(written()).toEqual(times(2, known));
	}, 240_000);
});

/** A service's response with these conversations, on one page. */
function listing(ids: string[], total = ids.length) {
	const processedDate = '2026-01-01T00:00:00.000Z';
	const conversations = ids.map((conversationId) => ({ conversationId, processedDate }));
	const headers = { 'content-type': 'application/json' };
	return { status: 200, headers, body: JSON.stringify({ totalConversations: total, conversations }) };
}

/** Overwrites the trigger's data in the workflow's static data. n8n must not be running. */
function damagePosition(userFolder: string, workflowId: string, nodeId: string): void {
	const database = new Database(join(userFolder, '.n8n', 'database.sqlite'));
	const { staticData } = database
		.prepare('SELECT staticData FROM workflow_entity WHERE id = ?')
		.get(workflowId) as { staticData: string };
	const saved = JSON.parse(staticData);
	saved.global[`conversationIntelligencePollTrigger:${nodeId}`].from = 'lost';
	database
		.prepare('UPDATE workflow_entity SET staticData = ? WHERE id = ?')
		.run(JSON.stringify(saved), workflowId);
	database.close();
}
