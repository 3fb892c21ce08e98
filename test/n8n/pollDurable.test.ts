import type { IDataObject } from 'n8n-workflow';
import { errorOf } from '../../harness/n8n/execution';
import { progress } from '../support/n8n';
import { KeyedServer } from '../support/scriptedServer';
import { SCHEDULERS } from '../support/schedulers';
import { useTestbed } from '../support/testbed';
import { pollWorkflow, publish } from '../support/triggerWorkflows';

/** Lets n8n's scheduler poll and save node state in a separate table, which this trigger does not use. */
const env = SCHEDULERS['with durable cursors'];

describe('Conversation Intelligence Poll Trigger with the durable cursors of a real n8n', () => {
	const { sandbox, n8n, restart } = useTestbed({ conversations: 20 }, { env });
	const sink = new KeyedServer();
	beforeAll(async () => await sink.listen());
	afterAll(async () => await sink.close());

	test('delivers everything since publishing, even if n8n is killed before and after its first scheduled poll', async () => {
		const file = pollWorkflow({ pollTimes: { item: [{ mode: 'everyMinute' }] } }, sink.url);
		const position = `conversationIntelligencePollTrigger:${file.nodes[0].id}`;
		const workflowId = await publish(n8n.client, file);
		const processed = sandbox.control.insertConversations({ count: 120 });
		await n8n.kill();
		processed.push(...sandbox.control.insertConversations({ count: 30 }));
		await restart();
		await sink.waitForKeys(processed.length);
		progress('Everything up to the first scheduled poll was delivered');
		const path = `/workflows/${workflowId}`;
		const { staticData } = await n8n.client.session.api<{ staticData: IDataObject }>('GET', path);
		expect(Object.keys(staticData.global as IDataObject)).toEqual([position]);

		await n8n.kill();
		processed.push(...sandbox.control.insertConversations({ count: 70 }));
		await restart();
		await sink.waitForKeys(processed.length);
		expect([...sink.writes.keys()].sort()).toEqual([...processed].sort());
		await n8n.client.unpublish(workflowId);
	}, 600_000);

	test('a pause longer than the time for a poll is reported immediately, and n8n polls again when it is over', async () => {
		const { client } = n8n;
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
