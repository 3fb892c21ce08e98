import type { IRun } from 'n8n-workflow';
import { Deliveries } from '../../../nodes/ConversationIntelligencePollTrigger/deliveries';
import type { Entry } from '../../../nodes/ConversationIntelligencePollTrigger/position';

const run = (status: string, resultData: object) =>
	({ status, data: { resultData: { runData: {}, ...resultData } } }) as unknown as IRun;

/** What a process knows about a conversation after its execution has ended like this. */
async function after(done: Promise<IRun | undefined>) {
	const deliveries = new Deliveries('activation');
	await deliveries.follow(new Map<string, Entry>([['c', [1, 0]]]), done);
	const { seen, lost } = deliveries.reconcile({ c: [1, 0] });
	return { entry: seen.get('c'), isLost: lost.has('c') };
}

describe('Deliveries', () => {
	test.each([
		['succeeded', run('success', {})],
		['failed in a node', run('error', { lastNodeExecuted: 'Write' })],
		['failed after a node', run('error', { runData: { Write: [] } })],
	])('count as ended when the execution %s', async (_, ended) => {
		expect(await after(Promise.resolve(ended))).toEqual({ entry: [1, 1], isLost: false });
	});

	test.each(['manual', 'timeout'])('count as ended when the execution was stopped: %s', async (reason) => {
		expect(await after(Promise.reject(Object.assign(new Error('stopped'), { reason })))).toEqual({
			entry: [1, 1],
			isLost: false,
		});
	});

	test.each([
		['was never reported', Promise.resolve(undefined)],
		['crashed', Promise.resolve(run('crashed', { lastNodeExecuted: 'Write' }))],
		['failed before its first node', Promise.resolve(run('error', {}))],
	])('are lost when the execution %s', async (_, done) => {
		expect(await after(done)).toEqual({ entry: [1, 0], isLost: true });
	});

	test.each(['shutdown', undefined])('are lost when n8n gave up the execution: %s', async (reason) => {
		const done = Promise.reject(Object.assign(new Error('given up'), { reason }));
		expect((await after(done)).isLost).toBe(true);
	});

	test('keep the newer version, whether it is saved or known to this process', async () => {
		const deliveries = new Deliveries('activation');
		await deliveries.follow(new Map<string, Entry>([['c', [5, 0]]]), Promise.resolve(run('success', {})));
		expect(deliveries.reconcile({ c: [4, 0] }).seen.get('c')).toEqual([5, 1]);
		expect(deliveries.reconcile({ c: [6, 1] }).seen.get('c')).toEqual([6, 1]);
		expect(deliveries.reconcile({}).seen.get('c')).toEqual([5, 1]);
	});

	test('keep the newer version when the execution of an older one is lost', async () => {
		const deliveries = new Deliveries('activation');
		const older = deliveries.follow(
			new Map<string, Entry>([['c', [5, 0]]]),
			Promise.reject(new Error('lost')),
		);
		await deliveries.follow(new Map<string, Entry>([['c', [6, 0]]]), Promise.resolve(run('success', {})));
		await older;
		expect(deliveries.reconcile({ c: [6, 0] }).seen.get('c')).toEqual([6, 1]);
	});

	test('forget what the position no longer needs', async () => {
		const deliveries = new Deliveries('activation');
		const delivered = new Map<string, Entry>([
			['kept', [5, 0]],
			['old', [1, 0]],
		]);
		await deliveries.follow(delivered, Promise.resolve(run('success', {})));
		deliveries.keepOnly({ kept: [5, 1] });
		expect([...deliveries.reconcile({}).seen.keys()]).toEqual(['kept']);
	});
});
