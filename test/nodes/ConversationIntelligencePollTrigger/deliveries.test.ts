import type { IRun } from 'n8n-workflow';
import {
	Deliveries,
	dueAgain,
	type DeliveredWhen,
} from '../../../nodes/ConversationIntelligencePollTrigger/deliveries';
import type { Delivery } from '../../../nodes/ConversationIntelligencePollTrigger/position';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const run = async (status: string, runData = {}) =>
	await Promise.resolve({ status, data: { resultData: { runData } } } as unknown as IRun);
const rejection = async (reason?: string): Promise<IRun> =>
	await Promise.reject(Object.assign(new Error('rejected'), { reason }));

const running = (processedAt = 1): Delivery => ({
	processedAt,
	state: 'running',
	attempts: 1,
	deliveredAt: 0,
});

/** The state of a conversation after n8n has reported this. */
async function stateAfter(done: Promise<IRun | undefined>, deliveredWhen: DeliveredWhen) {
	const deliveries = new Deliveries('activation');
	await deliveries.follow(new Map([['c', running()]]), done, deliveredWhen);
	return deliveries.merge(new Map([['c', running()]])).all.get('c')?.state;
}

describe('Deliveries', () => {
	test.each<[string, () => Promise<IRun | undefined>, string]>([
		['failed after a node', async () => await run('error', { Write: [] }), 'ended'],
		['was canceled', async () => await run('canceled'), 'ended'],
		['was never reported', async () => await Promise.resolve(undefined), 'failed'],
		['was given up by n8n', async () => await rejection('shutdown'), 'failed'],
	])('are to be delivered again with "succeeded" when the execution %s', async (_, done, state) => {
		expect(await stateAfter(done(), 'succeeded')).toBe('failed');
		expect(await stateAfter(done(), 'ended')).toBe(state);
	});

	test('are lost when they were running in another process', () => {
		const { all, lost } = new Deliveries('activation').merge(
			new Map<string, Delivery>([
				['running', running()],
				['ended', { ...running(), state: 'ended' }],
				['failed', { ...running(), state: 'failed' }],
			]),
		);
		expect([...all.values()].map(({ state }) => state)).toEqual(['failed', 'ended', 'failed']);
		expect([...lost]).toEqual(['running']);
	});

	test('keep the newer version, whether it is saved or known to this process', async () => {
		const deliveries = new Deliveries('activation');
		await deliveries.follow(new Map([['c', running(5)]]), run('success'), 'ended');
		const ended = (processedAt: number): Delivery => ({ ...running(processedAt), state: 'ended' });
		expect(deliveries.merge(new Map([['c', running(4)]])).all.get('c')).toEqual(ended(5));
		expect(deliveries.merge(new Map([['c', ended(6)]])).all.get('c')).toEqual(ended(6));
		expect(deliveries.merge(new Map()).all.get('c')).toEqual(ended(5));
	});

	test('keep the newer version when the execution of an older one is lost', async () => {
		const deliveries = new Deliveries('activation');
		const older = deliveries.follow(new Map([['c', running(5)]]), rejection(), 'ended');
		await deliveries.follow(new Map([['c', running(6)]]), run('success'), 'ended');
		await older;
		const { all } = deliveries.merge(new Map([['c', running(6)]]));
		expect(all.get('c')).toMatchObject({ processedAt: 6, state: 'ended' });
	});

	test('count conversations of open executions for a day at most', () => {
		const deliveries = new Deliveries('activation');
		const never = new Promise<undefined>(() => {});
		void deliveries.follow(new Map(Object.entries({ a: running(), b: running() })), never, 'ended');
		const start = Date.now();
		expect(deliveries.inFlight(start + 24 * HOUR - MINUTE)).toBe(2);
		expect(deliveries.inFlight(start + 24 * HOUR)).toBe(0);
	});

	test.each<[DeliveredWhen, string]>([
		['ended', 'ended'],
		['succeeded', 'failed'],
	])(
		'with "%s", count as %s a minute after a time limit that n8n did not report, since the last end',
		async (deliveredWhen, state) => {
			const deliveries = new Deliveries('activation');
			const delivery = running();
			const never = new Promise<undefined>(() => {});
			const now = Date.now();
			const clock = jest.spyOn(Date, 'now').mockReturnValue(now - HOUR);
			void deliveries.follow(new Map([['c', delivery]]), never, deliveredWhen);
			clock.mockReturnValue(now);
			await deliveries.follow(new Map([['d', running()]]), run('success'), deliveredWhen);
			clock.mockRestore();
			deliveries.endOverdue(now + HOUR, 0, deliveredWhen);
			deliveries.endOverdue(now + HOUR, HOUR, deliveredWhen);
			expect(delivery.state).toBe('running');
			deliveries.endOverdue(now + HOUR + 2 * MINUTE, HOUR, deliveredWhen);
			expect(delivery.state).toBe(state);
			expect(deliveries.inFlight(now)).toBe(0);
		},
	);
});

describe('dueAgain', () => {
	const failed = (attempts: number, deliveredAt = 0): Delivery => ({
		processedAt: 1,
		state: 'failed',
		attempts,
		deliveredAt,
	});

	test('repeats the oldest first', () => {
		const younger = { ...failed(1), processedAt: 2 };
		const all = new Map(Object.entries({ younger, older: failed(1) }));
		expect(dueAgain(all, new Set(), HOUR, 500)).toEqual(['older', 'younger']);
	});

	test('does not wait for a time that a clock ahead has left', () => {
		expect(dueAgain(new Map([['c', failed(8, 365 * 24 * HOUR)]]), new Set(), 0, 500)).toEqual(['c']);
	});

	test.each([
		[1, 500],
		[2, 125],
		[3, 32],
		[4, 8],
		[5, 2],
		[6, 1],
		[20, 1],
	])('after attempt %i, repeats %i of 500 lost conversations in one poll', (attempts, count) => {
		const all = new Map(Array.from({ length: 500 }, (_, n) => [`c${n}`, failed(attempts)]));
		expect(dueAgain(all, new Set(all.keys()), HOUR, 500)).toHaveLength(count);
		expect(dueAgain(all, new Set(), HOUR, 500)).toHaveLength(500);
	});
});
