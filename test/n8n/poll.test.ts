import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { IDataObject, INode } from 'n8n-workflow';
import { saveSandboxCredentials } from '../../harness/credentials';
import { detailsOf, errorOf } from '../../harness/n8n/execution';
import { inRow, workflowNode, type WorkflowFile } from '../../harness/n8n/workflowFile';
import { startSandbox } from '../../sandbox';
import type { Control } from '../../sandbox/control/control';
import { SCHEDULERS } from '../support/schedulers';
import { KeyedServer, ScriptedServer } from '../support/scriptedServer';
import { useServers, useTestbed } from '../support/testbed';
import { minutesAgo, pollWorkflow } from '../support/triggerWorkflows';

/** All tests run in the first mode, and with `POLL_MODES=all`, as every night, in each; the last two are about the last one. */
describe.each(Object.entries(SCHEDULERS))(
	'Conversation Intelligence Poll Trigger in a real n8n that polls %s',
	(mode, env) => {
		const test = mode === 'by default' || process.env.POLL_MODES === 'all' ? it : it.skip;
		const { sandbox, n8n, restart } = useTestbed({ conversations: 20 }, { env });
		const [sink, gate, slow] = useServers(new KeyedServer(), new KeyedServer(), new ScriptedServer());
		beforeEach(async () => await saveSandboxCredentials(n8n.client, sandbox));
		afterEach(async () => {
			sandbox.faults.clear();
			for (const workflowId of published.splice(0)) await n8n.client.unpublish(workflowId);
			sandbox.control.removeConversations(...inserted.splice(0));
		}, 60_000);

		const published: string[] = [];
		const publish = async (workflow: string | WorkflowFile) => {
			published.push(await n8n.client.publish(workflow));
			return published.at(-1)!;
		};
		const publishPoll = async (parameters = {}) =>
			await publish(pollWorkflow(parameters, sink.url, gate.url));
		const sinceAnHourAgo = () => ({ startFrom: 'date', startDate: minutesAgo(60) });
		const inserted: string[] = [];
		const insert = (given: Parameters<Control['insertConversations']>[0]) => {
			const ids = sandbox.control.insertConversations(given);
			inserted.push(...ids);
			return ids;
		};
		const writes = (ids: string[]) => ids.map((id) => sink.writes.get(id));
		/** Expects these conversations and no others in the sink, however often. */
		const expectWritten = async (ids: string[]) => {
			await sink.waitForKeys(ids.length);
			expect([...sink.writes.keys()].sort()).toEqual([...ids].sort());
		};

		/** For state that n8n does not announce. */
		const waitUntil = async (isSo: () => Promise<boolean>) => {
			while (!(await isSo())) await delay(250);
		};
		const logged = async (text: string) => await waitUntil(async () => n8n.log.includes(text));
		const count = async (workflowId: string, status: string) =>
			(await n8n.client.executions(workflowId, status)).length;
		const waitFor = async (workflowId: string, status: string) =>
			await waitUntil(async () => (await count(workflowId, status)) > 0);

		test('is published while the service takes nine seconds for each page, and then polls one at a time', async () => {
			const conversations = [{ conversationId: 'new', processedDate: '2026-01-01T00:00:00.000Z' }];
			const body = JSON.stringify({ totalConversations: 1, conversations });
			const listing = { status: 200, body, delayMs: 9000 };
			slow.respond([listing]);
			await saveSandboxCredentials(n8n.client, { ...sandbox, exportUrl: slow.url });
			const workflowId = await publishPoll({ startFrom: 'date', startDate: '2020-01-01T00:00:00Z' });
			const failed = await n8n.client.latest(workflowId, 'error');
			expect(detailsOf(failed)).toMatchObject({ code: 'service_silent', retryable: true });
			await sink.waitForKeys(1);
			slow.respond([listing]);
			await slow.waitForRequests(3);
			expect(slow.maxInFlight).toBe(1);
			expect([...sink.writes]).toEqual([['new', 1]]);
			expect(await count(workflowId, 'error')).toBe(1);
		}, 120_000);

		test('shows a refused key once to a person who publishes, and starts from the next activation', async () => {
			await saveSandboxCredentials(n8n.client, sandbox, 'unknown');
			const workflowId = await n8n.client.importWorkflow(pollWorkflow({}, sink.url));
			const startedAt = Date.now();
			const publishing = n8n.client.publish(workflowId).catch((error: unknown) => String(error));
			await waitFor(workflowId, 'error');
			expect(Date.now() - startedAt).toBeLessThan(12_000);
			const failed = await n8n.client.latest(workflowId, 'error');
			const error = errorOf(failed)!;
			expect(detailsOf(failed)).toMatchObject({ code: 'api_key_unknown' });
			expect(await publishing).toContain(error.message);
			expect(await count(workflowId, 'error')).toBe(1);

			await n8n.client.unpublish(workflowId);
			insert({ count: 2 });
			await saveSandboxCredentials(n8n.client, sandbox);
			await publish(workflowId);
			const [marker] = insert({ count: 1 });
			await sink.waitForKeys(1);
			expect([...sink.writes]).toEqual([[marker, 1]]);
		}, 120_000);

		test('the next poll of a published workflow uses the address and key of a changed credential', async () => {
			const other = await startSandbox({ conversations: 20 });
			await publishPoll();
			await saveSandboxCredentials(n8n.client, other);
			const processed = other.control.insertConversations({ count: 5 });
			await expectWritten(processed);
			await other.close();
		}, 120_000);

		const change = async (workflowId: string, edit: (trigger: INode) => void) => {
			const { session } = n8n.client;
			const path = `/workflows/${workflowId}`;
			const { name, nodes, connections, settings } = await session.api<WorkflowFile>('GET', path);
			edit(nodes[0]);
			await session.api('PUT', path, { name, nodes, connections, settings });
			await n8n.client.publish(workflowId);
		};

		test('a changed trigger goes on: published in an outage, and pasted', async () => {
			const workflowId = await publishPoll(sinceAnHourAgo());
			const ids = insert({ count: 1 });
			await sink.waitForKeys(1);

			sandbox.faults.add({ kind: 'serverError', path: '/data/export' });
			await change(workflowId, ({ parameters }) => (parameters.options = { lookBackMinutes: 5 }));
			await waitFor(workflowId, 'error');
			expect(detailsOf(await n8n.client.latest(workflowId, 'error'))).toMatchObject({ retryable: true });
			ids.push(...insert({ count: 1 }));
			sandbox.faults.clear();
			await sink.waitForKeys(2);
			await logged('polls again after failing for');
			expect(n8n.log).toMatch(/poll [\w-]+: Conversation Intelligence Poll Trigger: polls again/);
			expect(await count(workflowId, 'error')).toBe(1);

			await n8n.client.unpublish(workflowId);
			ids.push(...insert({ count: 1 }));
			await change(workflowId, (trigger) => (trigger.id = randomUUID()));
			await expectWritten(ids);
		}, 240_000);

		test('does not repeat conversations that ended after the last save when the workflow is published again', async () => {
			const workflowId = await publishPoll(sinceAnHourAgo());
			gate.hold(() => true);
			const early = insert({ date: minutesAgo(30) });
			await gate.waitForHeld(1);
			gate.hold((key) => early.includes(key));
			const late = insert({ count: 1 });
			await sink.waitForKeys(1);
			gate.open();
			await sink.waitForKeys(2);
			expect(await n8n.client.waitForAll(workflowId, 2)).toEqual({ success: 2 });
			// n8n saves nothing after a poll that finds nothing.
			const before = sandbox.requests.count();
			await waitUntil(async () => sandbox.requests.count() >= before + 2);

			await n8n.client.unpublish(workflowId);
			await n8n.client.publish(workflowId);
			const marker = insert({ count: 1 });
			await sink.waitForKeys(3);
			expect(writes([...early, ...late, ...marker])).toEqual([1, 1, 1]);
		}, 180_000);

		it('delivers again after a kill what was running, however old, and the latest of what had ended', async () => {
			const workflowId = await publishPoll(sinceAnHourAgo());
			gate.hold(() => true);
			const long = insert({ count: 2, date: minutesAgo(50) });
			await gate.waitForHeld(2);
			gate.hold((key) => long.includes(key));
			const short = insert({ count: 3, date: minutesAgo(30) });
			await sink.waitForKeys(3);
			expect(await n8n.client.waitForAll(workflowId, 1)).toEqual({ success: 1 });
			const latest = insert({ count: 1, date: minutesAgo(10) });
			await sink.waitForKeys(4);

			await n8n.kill();
			gate.open();
			await restart();
			await sink.waitForKeys(6);
			const marker = insert({ count: 1 });
			await sink.waitForKeys(7);
			expect(writes([...long, ...short, ...marker])).toEqual(Array(6).fill(1));
			expect(sink.writes.get(latest[0])).toBeLessThanOrEqual(2);
		}, 180_000);

		test('delivers 500 interrupted conversations again, even if the service is unreachable when n8n starts', async () => {
			const workflowId = await publishPoll();
			gate.hold(() => true);
			const ids = insert({ count: 500 });
			await gate.waitForHeld(100);
			await n8n.kill();
			expect(sink.writes.size).toBe(0);
			gate.open();

			sandbox.faults.add({ kind: 'connectionReset', path: '/data/export' });
			await restart();
			// Its scheduler does not poll at the start.
			if (mode === 'by default') await logged('could not poll at the start of n8n');
			// From the second poll on, n8n shows failures. It would have deactivated a trigger that threw in the first.
			await waitFor(workflowId, 'error');
			sandbox.faults.clear();
			ids.push(...insert({ count: 3 }));
			await expectWritten(ids);

			// An idle poll asks at most once for 40 of them, so these requests belong to four polls.
			await n8n.client.waitForAll(workflowId, 2);
			sandbox.requests.reset();
			const startedAt = Date.now();
			await waitUntil(async () => sandbox.requests.count() > 3 * (1 + ids.length / 40));
			expect(Date.now() - startedAt).toBeGreaterThan(10_000);
		}, 240_000);

		test('after a Wait node, a kill repeats with Retry Failed Executions and not without', async () => {
			const publishWaiting = async (name: string, retryFailedExecutions: boolean) => {
				const file = pollWorkflow({ options: { retryFailedExecutions } }, `${sink.url}/${name}`, gate.url);
				const [trigger, work, write] = file.nodes;
				const wait = workflowNode('Wait', 'n8n-nodes-base.wait', 1.1, { amount: 1, unit: 'hours' });
				await publish({ ...file, ...inRow(trigger, write, wait, work) });
			};
			await publishWaiting('once', false);
			await publishWaiting('retried', true);
			const workflows = [...published];
			const [id] = insert({ count: 1 });
			await sink.waitForKeys(2);
			for (const workflowId of workflows) await waitFor(workflowId, 'waiting');
			// n8n saves that the first one has ended with the next delivery.
			const [next] = insert({ count: 1 });
			await sink.waitForKeys(4);
			await n8n.kill();
			await restart();
			await waitUntil(async () => (sink.writes.get(`retried/${id}`) ?? 0) > 1);
			const [marker] = insert({ count: 1 });
			await sink.waitForKeys(6);
			expect(writes([`once/${id}`, `retried/${next}`, `once/${marker}`])).toEqual([1, 2, 1]);
		}, 240_000);

		const ofDurable = mode === 'with durable cursors' ? it : it.skip;

		ofDurable(
			'beside durable cursors, saves a state of its own and delivers everything since publishing, even if n8n is killed',
			async () => {
				const file = pollWorkflow({ pollTimes: { item: [{ mode: 'everyMinute' }] } }, sink.url);
				const position = `conversationIntelligencePollTrigger:${file.nodes[0].id}`;
				const workflowId = await publish(file);
				const processed = insert({ count: 120 });
				await n8n.kill();
				processed.push(...insert({ count: 30 }));
				await restart();
				await expectWritten(processed);
				const path = `/workflows/${workflowId}`;
				const { staticData } = await n8n.client.session.api<{ staticData: IDataObject }>('GET', path);
				expect(Object.keys(staticData.global as IDataObject)).toEqual([position]);

				await n8n.kill();
				processed.push(...insert({ count: 70 }));
				await restart();
				await expectWritten(processed);
			},
			600_000,
		);

		ofDurable(
			'with durable cursors, a pause longer than the time for a poll is reported at once, and n8n polls again after it',
			async () => {
				const workflowId = await publish(pollWorkflow({}, sink.url));
				sandbox.requests.reset();
				const pause = { kind: 'tooManyRequests', retryAfterSeconds: 45, path: '/data/export' } as const;
				sandbox.faults.add({ ...pause, times: 1 });
				insert({ count: 3 });
				await sink.waitForKeys(3);

				expect(errorOf(await n8n.client.latest(workflowId, 'error'))).toMatchObject({
					description: expect.stringContaining('The service asked for a 45-second pause'),
				});
				const [refused, next] = sandbox.requests.list().map(({ at }) => Date.parse(at));
				expect(next - refused).toBeGreaterThanOrEqual(45_000);
			},
			180_000,
		);

		// Runs last, because n8n then waits for the service.
		test('stays published when the service asks for a longer pause at the start than n8n gives a publication', async () => {
			const workflowId = await publishPoll();
			await n8n.kill();
			const pause = { kind: 'tooManyRequests', retryAfterSeconds: 100, path: '/data/export' } as const;
			sandbox.faults.add(pause);
			await restart();
			await logged('is waiting for the service');
			expect((await n8n.client.publication(workflowId)).status).toBe('published');
		}, 300_000);
	},
);
