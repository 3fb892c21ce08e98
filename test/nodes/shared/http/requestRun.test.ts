import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import {
	backoffMs,
	POLICY,
	type FailedAttempt,
	type AttemptResult,
	type Tried,
} from '../../../../nodes/shared/http/policy';
import { NotSent } from '../../../../nodes/shared/http/response';
import { requestRun, RequestRun, stopRequests } from '../../../../nodes/shared/http/requestRun';

const BUSY: FailedAttempt = { response: { status: 503, headers: {} } };
const busyFor = (seconds: string): FailedAttempt => ({
	response: { status: 429, headers: { 'retry-after': seconds } },
});
const DONE = { value: 'done' };

const newRun = () => new RequestRun(new AbortController().signal);

/** Sends a request whose attempts end like this, repeating the last, and records when each began, in milliseconds. */
async function send(outcomes: Array<AttemptResult<string>>, { run = newRun(), deadline = Infinity } = {}) {
	const began: number[] = [];
	const gaveUp: Array<[FailedAttempt, Tried]> = [];
	const start = performance.now();
	const attempt = async () => {
		began.push(Math.round(performance.now() - start));
		return outcomes[Math.min(began.length, outcomes.length) - 1];
	};
	const errorOf = (failed: FailedAttempt, tried: Tried) => {
		gaveUp.push([failed, tried]);
		return new Error(`gave up after ${tried.attempts}`);
	};
	const result = run.send(attempt, errorOf, deadline).catch((error: Error) => error);
	await jest.runAllTimersAsync();
	return { result: await result, began, gaveUp };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('A request that fails', () => {
	test('is retried five times, each after a longer pause, and then reports the number of attempts', async () => {
		const { result, began, gaveUp } = await send([BUSY]);
		expect(result).toEqual(new Error('gave up after 6'));
		expect(gaveUp).toEqual([[BUSY, { attempts: 6, askedSeconds: undefined }]]);
		const pauses = began.slice(1).map((at, index) => at - began[index]);
		expect(pauses).toHaveLength(POLICY.maxRetries.failed);
		for (const [index, pause] of pauses.entries()) {
			expect(pause).toBeGreaterThanOrEqual(250 * 2 ** index);
			expect(pause).toBeLessThanOrEqual(501 * 2 ** index);
		}
	});

	test('has retries for each kind of failure, so that a 503 leaves a time limit its retry', async () => {
		const timedOut = { limitMs: 60_000 };
		expect((await send([BUSY, timedOut, BUSY, DONE])).result).toBe('done');
		expect((await send([timedOut])).began).toHaveLength(2);
	});

	test('with 429 is retried for longer than a minute', async () => {
		const { began } = await send([busyFor('0')]);
		expect(began).toHaveLength(11);
		expect(began[10]).toBeGreaterThan(61_000);
	});

	test('is retried after as long as the service asks, at most five minutes, but never before the backoff', async () => {
		expect((await send([busyFor('7'), DONE])).began).toEqual([0, 7000]);
		expect((await send([busyFor('0'), DONE])).began[1]).toBeGreaterThanOrEqual(POLICY.baseDelayMs / 2);
		expect((await send([busyFor('300'), DONE])).began).toEqual([0, 300_000]);
		const { began, gaveUp } = await send([busyFor('301')]);
		expect(began).toEqual([0]);
		expect(gaveUp).toEqual([[busyFor('301'), { attempts: 1, askedSeconds: 301 }]]);
	});

	test('is given up instead of waiting past its deadline', async () => {
		const deadline = performance.now() + 60_000;
		expect((await send([busyFor('60'), DONE], { deadline })).result).toBe('done');
		const { began, gaveUp } = await send([BUSY], { deadline: performance.now() });
		expect(began).toEqual([0]);
		expect(gaveUp).toEqual([[BUSY, { attempts: 1, askedSeconds: undefined }]]);
	});

	test('ends with the reason when its run is stopped while it waits', async () => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(new Error('stopped')), 100);
		const { result } = await send([BUSY], { run: new RequestRun(stop.signal) });
		expect(result).toEqual(new Error('stopped'));
	});

	test('pauses after a refusal even if another request is accepted at the same moment', async () => {
		const run = newRun();
		const [{ began, result }] = await Promise.all([
			send([busyFor('0'), DONE], { run }),
			send([DONE], { run }),
		]);
		expect(result).toBe('done');
		expect(began[1]).toBeGreaterThanOrEqual(POLICY.baseDelayMs / 2);
	});
});

describe('A run', () => {
	test('lets the next request start at once when attempts throw, or end in an error that is no failure', async () => {
		const run = newRun();
		run.limiter.limit({ concurrency: 1 });
		const failing = run.send(
			async () => await Promise.reject(new Error('a mistake')),
			() => new Error(),
		);
		await expect(failing).rejects.toThrow('a mistake');
		for (let request = 0; request < 9; request++) await send([{ error: new Error() }], { run });
		expect(await send([DONE], { run })).toMatchObject({ result: 'done', began: [0] });
	});

	test('ends at once when one response asks for more than five minutes', async () => {
		const run = newRun();
		run.limiter.limit({ concurrency: 3 });
		const outcomes: FailedAttempt[] = [busyFor('1'), busyFor('3600'), BUSY, BUSY, BUSY];
		const errorOf = (_failed: FailedAttempt, { attempts }: Tried) => new Error(`gave up after ${attempts}`);
		let sent = 0;
		const attempt = async () => {
			const outcome = outcomes[sent++];
			await new Promise((resolve) => setTimeout(resolve, 50));
			return outcome;
		};
		const request = async () =>
			await run
				.send(attempt, errorOf)
				.catch(({ constructor, message }: Error) => (constructor === NotSent ? 'not sent' : message));
		const ended = Promise.all(Array.from({ length: 8 }, request));
		// The fourth request left when the first ended.
		await jest.advanceTimersByTimeAsync(100);
		expect((await ended).sort()).toEqual([
			...Array<string>(4).fill('gave up after 1'),
			...Array<string>(4).fill('not sent'),
		]);
		expect(sent).toBe(4);
	});

	test.each([
		// One request in two is accepted, so the service is not down; it gives a single retry back.
		['repeats no failure once its budget is used up', [[BUSY], [DONE]], 2],
		['spends no budget on refusals for the rate', [[busyFor('0'), busyFor('0'), DONE]], 6],
	])('%s', async (_rule, requests, attempts) => {
		const run = newRun();
		for (let round = 0; round < POLICY.retryBudget + 20; round++) {
			for (const outcomes of requests) await send(outcomes, { run });
		}
		expect((await send([BUSY], { run })).began).toHaveLength(attempts);
	});

	test('is given up once the service is down and five requests have failed, not by the retries of four', async () => {
		const run = newRun();
		for (let request = 1; request <= 4; request++) await send([BUSY], { run });
		expect([run.limiter.rate.acceptsNothing, run.signal.aborted]).toEqual([true, false]);
		await send([BUSY], { run });
		expect(run.signal.reason).toEqual(new NotSent(new Error('gave up after 1')));
	});
});

/** A node's context in an execution that this signal stops. */
const contextOf = (signal: AbortSignal) => ({ getExecutionCancelSignal: () => signal });

describe('The run of all requests of a node', () => {
	test('adds no listener to its execution, which would keep the run of each round of a loop until its end', () => {
		const { signal } = new AbortController();
		for (let round = 1; round <= 11; round++) requestRun(contextOf(signal));
		expect(getEventListeners(signal, 'abort')).toHaveLength(0);
	});

	test.each(['before', 'after'])('ends with its execution, which is stopped %s it begins', (when) => {
		const execution = new AbortController();
		const context = contextOf(execution.signal);
		const stop = () => execution.abort(new Error('stopped'));
		if (when === 'before') stop();
		const { signal } = requestRun(context);
		if (when === 'after') stop();
		expect(signal.reason).toEqual(new Error('stopped'));
	});

	test('ends for both hosts when an item fails, but not for another node', () => {
		const { signal } = new AbortController();
		const [one, other] = [contextOf(signal), contextOf(signal)];
		const hosts = [requestRun(one, 'service'), requestRun(one, 'media')];
		stopRequests(one);
		expect(hosts.map((run) => run.signal.aborted)).toEqual([true, true]);
		expect(requestRun(other).signal.aborted).toBe(false);
		expect(requestRun(one)).toBe(hosts[0]);
	});
});

test('the backoff doubles up to a cap, with jitter between half and all of it', () => {
	const random = fc.double({ min: 0, max: 0.999, noNaN: true });
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 40 }), random, (retry, drawn) => {
			jest.spyOn(Math, 'random').mockReturnValue(drawn);
			const longest = Math.min(POLICY.maxDelayMs, POLICY.baseDelayMs * 2 ** (retry - 1));
			expect(backoffMs(retry)).toBeGreaterThanOrEqual(Math.floor(longest / 2));
			expect(backoffMs(retry)).toBeLessThanOrEqual(longest);
		}),
	);
});
