import { backoffMs, RETRY, retrying, type Pace } from '../../../../nodes/shared/http';
import type { FailedAttempt, Tried } from '../../../../nodes/shared/http/retry';

const BUSY: FailedAttempt = { answer: { status: 503, headers: {} } };
const busyFor = (seconds: string): FailedAttempt => ({
	answer: { status: 429, headers: { 'retry-after': seconds } },
});

/** Runs attempts that end like this, repeating the last, and records when each began, in milliseconds. */
async function run(
	outcomes: Array<FailedAttempt | { value: string; status?: number } | Error>,
	options: { signal?: AbortSignal; until?: number; pace?: Pace } = {},
) {
	const began: number[] = [];
	const gaveUp: Array<[FailedAttempt, Tried]> = [];
	const giveUp = (failed: FailedAttempt, tried: Tried) => {
		gaveUp.push([failed, tried]);
		return new Error('gave up');
	};
	const start = Date.now();
	const running = retrying<string, FailedAttempt>({ ...options, giveUp }, async (attempts) => {
		began.push(Date.now() - start);
		expect(attempts).toBe(began.length);
		const outcome = outcomes[Math.min(attempts, outcomes.length) - 1];
		if (outcome instanceof Error) throw outcome;
		return outcome;
	});
	const result = running.catch((error: Error) => error.message);
	await jest.runAllTimersAsync();
	return { result: await result, began, gaveUp };
}

/** A pace that admits every request and records how each ended. */
function recordingPace() {
	const ends: unknown[] = [];
	const pace = {
		turn: async () => ({ end: (how: unknown) => void ends.push(how) }),
	} as Partial<Pace> as Pace;
	return { pace, ends };
}

describe('retrying', () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	test('returns the first value immediately', async () => {
		expect(await run([{ value: 'done' }])).toEqual({ result: 'done', began: [0], gaveUp: [] });
	});

	test('retries five times, each after a longer pause, and then reports the number of attempts', async () => {
		const { result, began, gaveUp } = await run([BUSY]);
		expect(result).toBe('gave up');
		expect(gaveUp).toEqual([[BUSY, { attempts: 6 }]]);
		const pauses = began.slice(1).map((at, index) => at - began[index]);
		expect(pauses).toHaveLength(RETRY.maxRetries);
		for (const [index, pause] of pauses.entries()) {
			expect(pause).toBeGreaterThanOrEqual(backoffMs(index + 1, 0));
			expect(pause).toBeLessThanOrEqual(backoffMs(index + 1, 1));
		}
	});

	test('spreads the retries of many requests', async () => {
		const pauses = new Set<number>();
		for (let time = 0; time < 10; time++) pauses.add((await run([BUSY, { value: 'done' }])).began[1]);
		expect(pauses.size).toBeGreaterThan(1);
	});

	test('waits as long as the service asks, but never less than the backoff', async () => {
		expect((await run([busyFor('7'), { value: 'done' }])).began).toEqual([0, 7000]);
		const { began } = await run([busyFor('0'), { value: 'done' }]);
		expect(began[1]).toBeGreaterThanOrEqual(RETRY.baseDelayMs / 2);
	});

	test('waits for five minutes if asked to, and gives up immediately if asked for a second more', async () => {
		expect((await run([busyFor('300'), { value: 'done' }])).began).toEqual([0, 300_000]);
		const { result, began, gaveUp } = await run([busyFor('301')]);
		expect([result, began]).toEqual(['gave up', [0]]);
		expect(gaveUp).toEqual([[busyFor('301'), { attempts: 1, askedSeconds: 301 }]]);
	});

	test('gives up instead of waiting past the deadline', async () => {
		expect((await run([busyFor('60'), { value: 'done' }], { until: Date.now() + 60_000 })).result).toBe(
			'done',
		);
		const late = await run([BUSY], { until: Date.now() });
		expect([late.began, late.gaveUp]).toEqual([[0], [[BUSY, { attempts: 1 }]]]);
	});

	test('does not retry a failure that is not transient', async () => {
		expect(await run([BUSY, new Error('refused')])).toMatchObject({
			result: 'refused',
			began: [0, expect.any(Number)],
			gaveUp: [],
		});
	});

	test('starts no attempt after the execution was stopped', async () => {
		const stopped = AbortSignal.abort(new Error('stopped'));
		expect(await run([{ value: 'done' }], { signal: stopped })).toEqual({
			result: 'stopped',
			began: [],
			gaveUp: [],
		});
	});

	test.each([
		['an attempt', async () => await new Promise<never>(() => {})],
		['a pause', async () => busyFor('300')],
	])('ends %s as soon as the execution is stopped', async (_, attempt) => {
		const stop = new AbortController();
		const giveUp = () => new Error('gave up');
		const running = retrying<string, FailedAttempt>({ signal: stop.signal, giveUp }, attempt);
		const result = running.catch((error: Error) => error.message);
		await jest.advanceTimersByTimeAsync(1000);
		stop.abort(new Error('stopped'));
		expect(await result).toBe('stopped');
	});

	test('reports to the pace how each attempt ended', async () => {
		const { pace, ends } = recordingPace();
		const network: FailedAttempt = { failure: new Error('ECONNRESET') };
		await run([busyFor('3'), network, { value: 'done', status: 204 }], { pace });
		await run([{ value: 'done' }], { pace });
		await run([new Error('refused')], { pace });
		expect(ends).toEqual([
			{ status: 429, retryAfterMs: 3000 },
			{ status: undefined, retryAfterMs: undefined },
			{ status: 204 },
			{ status: 200 },
			{},
		]);
	});
});
