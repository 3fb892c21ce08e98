import { getEventListeners } from 'node:events';
import type { AttemptResult, FailedAttempt, Tried } from '../../../../nodes/shared/http/policy';
import { orAborted, requestRun, RequestRun, stopRequests } from '../../../../nodes/shared/http/requestRun';
import { NotSent } from '../../../../nodes/shared/http/response';

type Outcome = AttemptResult<string>;
const BUSY: FailedAttempt = { response: { status: 503, headers: {} } };
const TIMED_OUT: FailedAttempt = { limitMs: 60_000 };
const DONE: Outcome = { value: 'done' };
const busyFor = (seconds: string): FailedAttempt => ({
	response: { status: 429, headers: { 'retry-after': seconds } },
});

const newRun = () => new RequestRun(new AbortController().signal);
const stopped = new Error('stopped');

/** Sends a request whose attempts end like this, repeating the last, and records when each began, in milliseconds. */
async function send(outcomes: Outcome[], { run = newRun(), withinMs = Infinity } = {}) {
	const began: number[] = [];
	const start = performance.now();
	const attempt = async () => {
		began.push(Math.round(performance.now() - start));
		return outcomes[Math.min(began.length, outcomes.length) - 1];
	};
	const errorOf = (failed: FailedAttempt, { attempts, askedSeconds }: Tried) => {
		expect(failed).toBe(outcomes.at(-1));
		return new Error(`gave up after ${attempts}, asked for ${askedSeconds}`);
	};
	const result = run.send(attempt, errorOf, start + withinMs).catch((error: Error) => error.message);
	await jest.runAllTimersAsync();
	return { result: await result, began };
}

beforeEach(() => {
	jest.useFakeTimers();
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => void jest.useRealTimers());

const QUOTA = [0, 250, 750, 1750, 3750, 7750, 15_750, 30_750, 45_750, 60_750, 75_750];
const SIXTH = 'gave up after 6, asked for undefined';

// D2-RETRY-01..03
test.each<[string, Outcome[], began: number[], result: string, withinMs?: number]>([
	['five times, each after twice the pause', [BUSY], QUOTA.slice(0, 6), SIXTH],
	['once after its time limit', [TIMED_OUT], [0, 250], 'gave up after 2, asked for undefined'],
	['for each kind of failure on its own', [BUSY, TIMED_OUT, BUSY, DONE], [0, 250, 750, 1750], 'done'],
	['for longer than a minute after a 429', [busyFor('0')], QUOTA, 'gave up after 11, asked for undefined'],
	['after as long as the service asks', [busyFor('7'), DONE], [0, 7000], 'done'],
	['never before the backoff', [busyFor('0'), DONE], [0, 250], 'done'],
	['after five minutes, if the service asks', [busyFor('300'), DONE], [0, 300_000], 'done'],
	['not after a longer pause', [busyFor('301')], [0], 'gave up after 1, asked for 301'],
	['until its deadline', [busyFor('60'), DONE], [0, 60_000], 'done', 60_000],
	['not past its deadline', [BUSY], [0], 'gave up after 1, asked for undefined', 249],
	['not past its deadline, if the service asks', [busyFor('9')], [0], 'gave up after 1, asked for 9', 8999],
])('a request that fails is repeated %s', async (_how, outcomes, began, result, withinMs = Infinity) => {
	expect(await send(outcomes, { withinMs })).toEqual({ result, began });
});

describe('A run', () => {
	test('pauses a request after a refusal even if another is accepted at the same moment', async () => {
		const run = newRun();
		const both = await Promise.all([send([busyFor('0'), DONE], { run }), send([DONE], { run })]);
		expect(both[0]).toEqual({ result: 'done', began: [0, 250] });
	});

	test('keeps the pauses of a refused request short while others are accepted', async () => {
		const run = newRun();
		const other = async () =>
			await run.send(
				async () => DONE,
				() => new Error(),
			);
		setTimeout(() => void other(), 100);
		const refused = [busyFor('0'), busyFor('0'), DONE];
		expect(await send(refused, { run })).toEqual({ result: 'done', began: [0, 250, 500] });
	});

	test('sends nothing that waits when a failure stops it', async () => {
		const stop = new AbortController();
		const run = new RequestRun(stop.signal);
		run.limiter.limit({ concurrency: 1 });
		const refused = async () =>
			await run.send(
				async () => ({ error: new Error() }),
				() => new Error(),
			);
		void refused().catch(() => stop.abort(stopped));
		expect(await send([DONE], { run })).toEqual({ result: 'stopped', began: [] });
	});

	test('lets the next request start at once when attempts throw, or end in an error that is no failure', async () => {
		const run = newRun();
		run.limiter.limit({ concurrency: 1 });
		const mistake = async () => await Promise.reject(new Error('a mistake'));
		await expect(run.send(mistake, () => new Error())).rejects.toThrow('a mistake');
		for (let request = 0; request < 9; request++) await send([{ error: new Error() }], { run });
		expect(await send([DONE], { run })).toEqual({ result: 'done', began: [0] });
	});

	test('ends at once when one response asks for more than five minutes', async () => {
		const run = newRun();
		run.limiter.limit({ concurrency: 3 });
		const outcomes = [busyFor('1'), busyFor('3600'), BUSY, BUSY, BUSY];
		let sent = 0;
		const attempt = async () => {
			const outcome = outcomes[sent++];
			await new Promise((resolve) => setTimeout(resolve, 50));
			return outcome;
		};
		const errorOf = (_failed: FailedAttempt, { attempts }: Tried) => new Error(`gave up after ${attempts}`);
		const requests = Array.from({ length: 8 }, async () => await run.send(attempt, errorOf));
		const ended = Promise.allSettled(requests);
		// The fourth request left when the first ended.
		await jest.advanceTimersByTimeAsync(100);
		const reasons = (await ended).map((one) => (one as PromiseRejectedResult).reason as Error);
		expect(reasons.filter((reason) => reason instanceof NotSent)).toHaveLength(4);
		expect(reasons.filter(({ message }) => message === 'gave up after 1')).toHaveLength(4);
		expect(sent).toBe(4);
	});

	test.each<[string, Outcome[][], number]>([
		// One request in two is accepted, so the service is not down; it gives a single retry back.
		['repeats no failure once its budget is used up', [[BUSY], [DONE]], 2],
		['spends no budget on refusals for the rate', [[busyFor('0'), busyFor('0'), DONE]], 6],
	])('%s', async (_rule, requests, attempts) => {
		const run = newRun();
		for (let round = 0; round < 120; round++) {
			for (const outcomes of requests) await send(outcomes, { run });
		}
		expect((await send([BUSY], { run })).began).toHaveLength(attempts);
	});

	test('is given up once the service is down and five requests have failed, not by the retries of four', async () => {
		const run = newRun();
		for (let request = 1; request <= 4; request++) await send([BUSY], { run });
		expect([run.limiter.rate.acceptsNothing, run.signal.aborted]).toEqual([true, false]);
		await send([BUSY], { run });
		expect(run.signal.reason).toEqual(new NotSent(new Error('gave up after 1, asked for undefined')));
	});

	/** A node's context in an execution that this signal stops. */
	const contextOf = (signal: AbortSignal) => ({ getExecutionCancelSignal: () => signal });

	test('adds no listener to its execution, which would keep the run of each round of a loop until its end', () => {
		const { signal } = new AbortController();
		for (let round = 1; round <= 11; round++) requestRun(contextOf(signal));
		expect(getEventListeners(signal, 'abort')).toHaveLength(0);
	});

	test.each(['before', 'after', 'while a request waits'])(
		'ends with its execution, stopped %s it begins',
		async (when) => {
			const execution = new AbortController();
			if (when === 'before') execution.abort(stopped);
			const run = requestRun(contextOf(execution.signal));
			setTimeout(() => execution.abort(stopped), 100);
			const { result } = await send([BUSY], { run });
			expect([run.signal.reason, result]).toEqual([stopped, 'stopped']);
		},
	);

	test('ends for both hosts when an item fails, but not for another node', () => {
		const { signal } = new AbortController();
		const [one, other] = [contextOf(signal), contextOf(signal)];
		const hosts = [requestRun(one, 'service'), requestRun(one, 'media')];
		stopRequests(one);
		expect(hosts.map((run) => run.signal.aborted)).toEqual([true, true]);
		expect(requestRun(other).signal.aborted).toBe(false);
		expect([requestRun(one), requestRun(one, 'media')].map((run, host) => run === hosts[host])).toEqual([
			true,
			true,
		]);
		expect(hosts[0]).not.toBe(hosts[1]);
	});
});

describe('orAborted', () => {
	const forEver = async () => await new Promise<never>(() => {});

	test('settles like its work, and then leaves nothing behind that would keep its result until the end', async () => {
		const stop = new AbortController();
		const asked = jest.spyOn(stop.signal, 'reason', 'get');
		expect(await orAborted(Promise.resolve('done'), stop.signal)).toBe('done');
		await expect(orAborted(Promise.reject(new Error('failed')), stop.signal)).rejects.toThrow('failed');
		stop.abort();
		expect(asked).not.toHaveBeenCalled();
	});

	test('rejects immediately when the execution is stopped or has been stopped before', async () => {
		const stop = new AbortController();
		const running = Array.from({ length: 20 }, async () => await orAborted(forEver(), stop.signal));
		// One for all, because Node warns of more than ten.
		expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
		stop.abort(stopped);
		const ended = await Promise.allSettled([...running, orAborted(forEver(), stop.signal)]);
		expect(ended).toEqual(Array(21).fill({ status: 'rejected', reason: stopped }));
	});
});
