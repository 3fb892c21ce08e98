import type { IRun } from 'n8n-workflow';
import {
	Ledger,
	type DeliveredWhen,
	type Delivery,
} from '../../../nodes/ConversationIntelligencePollTrigger/ledger';

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

/** A ledger that has loaded these conversations. */
function ledgerOf(saved: Record<string, Delivery>): Ledger {
	const ledger = new Ledger('activation');
	ledger.load(new Map(Object.entries(saved)));
	return ledger;
}

/** What is saved with everything that ever was. */
const all = (ledger: Ledger) => Object.fromEntries(ledger.needed(-Infinity));

/** Starts one conversation that was processed at this time, and follows it. */
async function deliver(
	ledger: Ledger,
	processed: number,
	done: Promise<IRun | undefined>,
	when: DeliveredWhen,
) {
	const delivery = ledger.deliver('c', processed, 0, false);
	await ledger.follow(new Map([['c', delivery]]), done, when);
}

describe('A ledger', () => {
	test.each<[string, () => Promise<IRun | undefined>, string]>([
		['failed after a node', async () => await run('error', { Write: [] }), 'ended'],
		['was canceled', async () => await run('canceled'), 'ended'],
		['was never reported', async () => await Promise.resolve(undefined), 'failed'],
		['was given up by n8n', async () => await rejection('shutdown'), 'failed'],
	])('delivers again with "succeeded" what is in an execution that %s', async (_, done, state) => {
		for (const [when, expected] of [
			['succeeded', 'failed'],
			['ended', state],
		] as const) {
			const ledger = new Ledger('activation');
			await deliver(ledger, 1, done(), when);
			expect(all(ledger).c.state).toBe(expected);
		}
	});

	test('counts as lost what was running in another process', () => {
		const ended: Delivery = { ...running(), state: 'ended' };
		const failed: Delivery = { ...running(), state: 'failed', deliveredAt: HOUR };
		const ledger = ledgerOf({ running: running(), ended, failed });
		expect(all(ledger)).toEqual({ running: { ...running(), state: 'failed' }, ended, failed });
		expect(ledger.due(HOUR, 1)).toEqual(['running', 'failed']);
	});

	test.each<[string, number, Delivery, Partial<Delivery>]>([
		['its own newer version', 5, running(4), { processedAt: 5, state: 'ended' }],
		['a newer version of another process', 5, running(6), { processedAt: 6, state: 'failed' }],
		['what it knows of the same version', 5, running(5), { processedAt: 5, state: 'ended' }],
		[
			'a later attempt of another process',
			5,
			{ ...running(5), attempts: 2 },
			{ attempts: 2, state: 'failed' },
		],
	])('keeps %s', async (_what, processed, saved, expected) => {
		const ledger = new Ledger('activation');
		await deliver(ledger, processed, run('success'), 'ended');
		ledger.load(new Map([['c', saved]]));
		expect(all(ledger).c).toMatchObject(expected);
	});

	test('keeps that another process ended what it takes for lost', () => {
		const ledger = ledgerOf({ c: running() });
		ledger.load(new Map([['c', { ...running(), state: 'ended' }]]));
		expect(all(ledger).c.state).toBe('ended');
	});

	test('keeps a newer version when the execution of an older one is lost', async () => {
		const ledger = new Ledger('activation');
		const older = deliver(ledger, 5, rejection(), 'ended');
		await deliver(ledger, 6, run('success'), 'ended');
		await older;
		expect(all(ledger).c).toMatchObject({ processedAt: 6, state: 'ended' });
	});

	test('needs what a later poll can list again, including a minute of rounding, and what has not ended', () => {
		const ended = (minute: number): Delivery => ({ ...running(minute * MINUTE), state: 'ended' });
		const ledger = ledgerOf({
			listed: ended(120),
			rounded: ended(119),
			older: ended(119 - 1 / MINUTE),
			failed: { ...ended(1), state: 'failed' },
		});
		expect([...ledger.needed(120 * MINUTE).keys()]).toEqual(['listed', 'rounded', 'failed']);
	});

	test('counts conversations of open executions for a day at most', () => {
		const ledger = new Ledger('activation');
		const never = new Promise<undefined>(() => {});
		void ledger.follow(new Map(Object.entries({ a: running(), b: running() })), never, 'ended');
		const start = Date.now();
		expect(ledger.inFlight(start + 24 * HOUR - MINUTE)).toBe(2);
		expect(ledger.inFlight(start + 24 * HOUR)).toBe(0);
	});

	test.each<[DeliveredWhen, string]>([
		['ended', 'ended'],
		['succeeded', 'failed'],
	])(
		'with "%s", counts as %s a minute after a time limit that n8n did not report, since the last end',
		async (deliveredWhen, state) => {
			const ledger = new Ledger('activation');
			const delivery = running();
			const never = new Promise<undefined>(() => {});
			const now = Date.now();
			const clock = jest.spyOn(Date, 'now').mockReturnValue(now - HOUR);
			void ledger.follow(new Map([['c', delivery]]), never, deliveredWhen);
			clock.mockReturnValue(now);
			await ledger.follow(new Map([['d', running()]]), run('success'), deliveredWhen);
			clock.mockRestore();
			ledger.endOverdue(now + HOUR, 0, deliveredWhen);
			ledger.endOverdue(now + HOUR, HOUR, deliveredWhen);
			expect(delivery.state).toBe('running');
			ledger.endOverdue(now + HOUR + 2 * MINUTE, HOUR, deliveredWhen);
			expect(delivery.state).toBe(state);
			expect(ledger.inFlight(now)).toBe(0);
		},
	);
});

describe('What is due', () => {
	const failed = (attempts: number, deliveredAt = 0): Delivery => ({
		processedAt: 1,
		state: 'failed',
		attempts,
		deliveredAt,
	});

	test('is the oldest first', () => {
		const ledger = ledgerOf({ younger: { ...failed(1), processedAt: 2 }, older: failed(1) });
		expect(ledger.due(HOUR, 500)).toEqual(['older', 'younger']);
	});

	test('does not wait for a time that a clock ahead has left', () => {
		expect(ledgerOf({ c: failed(8, 365 * 24 * HOUR) }).due(0, 500)).toEqual(['c']);
	});

	test.each([
		[1, 500],
		[2, 125],
		[3, 32],
		[4, 8],
		[5, 2],
		[6, 1],
		[20, 1],
	])('after attempt %i is %i of 500 lost conversations in one poll', (attempts, count) => {
		const lost = Array.from({ length: 500 }, (_, n) => [`c${n}`, { ...running(), attempts }] as const);
		const ledger = ledgerOf(Object.fromEntries(lost));
		expect(ledger.due(HOUR, 500)).toHaveLength(count);
		ledger.load(new Map());
		expect(ledger.due(HOUR, 500)).toHaveLength(500);
	});
});
