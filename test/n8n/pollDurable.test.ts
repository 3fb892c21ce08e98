import type { IDataObject } from 'n8n-workflow';
import { saveSandboxCredentials } from '../../harness/credentials';
import { errorOf } from '../../harness/n8n/execution';
import { startN8n, type RunningN8n } from '../../harness/n8n/start';
import { N8N_START_LIMIT_MS, progress } from '../support/n8n';
import { KeyedServer } from '../support/scriptedServer';
import { startTestbed, type Testbed } from '../support/testbed';
import { EVERY_MINUTE, pollWorkflow, publish } from '../support/triggerWorkflows';

/** Lets n8n's scheduler poll and save node state in a separate table, which this trigger does not use. */
const env = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

describe('Conversation Intelligence Poll Trigger with the durable cursors of a real n8n', () => {
	let testbed: Testbed;
	let sandbox: Testbed['sandbox'];
	let n8n: Testbed['n8n'];
	let sink: KeyedServer;
	let again: RunningN8n | undefined;

	beforeAll(async () => {
		sink = await KeyedServer.start();
		({ sandbox, n8n } = testbed = await startTestbed({ conversations: 20 }, { env }));
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await again?.stop();
		await testbed?.stop();
		await sink?.close();
	}, 60_000);

	test('delivers everything since publishing, even if n8n is killed before and after its first scheduled poll', async () => {
		const file = pollWorkflow(EVERY_MINUTE, sink.url);
		const position = `conversationIntelligencePollTrigger:${file.nodes[0].id}`;
		const workflowId = await publish(n8n.client, file);
		const processed = sandbox.control.insertConversations({ count: 120 });
		await n8n.kill();
		processed.push(...sandbox.control.insertConversations({ count: 30 }));
		again = await startN8n({ userFolder: n8n.userFolder, env, report: progress });
		await sink.waitForKeys(processed.length);
		progress('Everything up to the first scheduled poll was delivered');
		expect(Object.keys((await staticDataOf(again, workflowId)).global as IDataObject)).toEqual([position]);

		await again.kill();
		processed.push(...sandbox.control.insertConversations({ count: 70 }));
		again = await startN8n({ userFolder: n8n.userFolder, env, report: progress });
		await sink.waitForKeys(processed.length);
		expect([...sink.writes.keys()].sort()).toEqual([...processed].sort());
		await again.client.unpublish(workflowId);
	}, 600_000);

	test('a pause longer than the time for a poll is reported immediately, and n8n polls again when it is over', async () => {
		const { client } = again!;
		await saveSandboxCredentials(client, sandbox);
		const workflowId = await publish(client, pollWorkflow({}, sink.url));
		const pause = { kind: 'tooManyRequests', retryAfterSeconds: 45, times: 1, path: '/data/export' } as const;
		sandbox.requests.reset();
		sandbox.faults.add(pause);
		const before = sink.writes.size;
		sandbox.control.insertConversations({ count: 3 });
		await sink.waitForKeys(before + 3);

		const [failed] = await client.executions(workflowId, 'error');
		expect(errorOf(await client.execution(failed.id))).toMatchObject({
			description: expect.stringContaining('The service asked for a 45-second pause'),
		});
		const [refused, next] = sandbox.requests.list().map(({ at }) => Date.parse(at));
		expect(next - refused).toBeGreaterThanOrEqual(45_000);
	}, 180_000);
});

/** What n8n has saved for a workflow. */
async function staticDataOf(
	{ client }: Pick<RunningN8n, 'client'>,
	workflowId: string,
): Promise<IDataObject> {
	const { staticData } = await client.session.api<{ staticData: IDataObject }>(
		'GET',
		`/workflows/${workflowId}`,
	);
	return staticData;
}
