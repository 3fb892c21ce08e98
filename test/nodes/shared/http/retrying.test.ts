import {
	RequestError,
	RequestRun,
	POLICY,
	retrying,
	type FailedAttempt,
	type Outcome,
	type Tried,
} from '../../../../nodes/shared/http';

const BUSY: FailedAttempt = { response: { status: 503, headers: {} } };
const busyFor = (seconds: string): FailedAttempt => ({
	response: { status: 429, headers: { 'retry-after': seconds } },
});

const giveUp = () => new Error('gave up');

/** Runs attempts that end like this, repeating the last, and records when each began, in milliseconds. */
async function run(outcomes: Array<Outcome<string> | Error>, { deadline }: { deadline?: number } = {}) {
	const began: number[] = [];
	const gaveUp: Array<[FailedAttempt, Tried]> = [];
	const start = performance.now();
	const options = {
		run: new RequestRun(new AbortController().signal),
		deadline,
		giveUp(failed: FailedAttempt, tried: Tried) {
			gaveUp.push([failed, tried]);
			return giveUp();
		},
	};
	const running = retrying<string, FailedAttempt>(options, async () => {
		began.push(Math.round(performance.now() - start));
		const outcome = outcomes[Math.min(began.length, outcomes.length) - 1];
		if (outcome instanceof Error) throw outcome;
		return outcome;
	});
	const result = running.catch((error: Error) => error.message);
	await jest.runAllTimersAsync();
	return { result: await result, began, gaveUp };
}

describe('retrying', () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	test('retries five times, each after a longer pause, and then reports the number of attempts', async () => {
		const { result, began, gaveUp } = await run([BUSY]);
		expect(result).toBe('gave up');
		expect(gaveUp).toEqual([[BUSY, { attempts: 6, askedSeconds: undefined }]]);
		const pauses = began.slice(1).map((at, index) => at - began[index]);
		expect(pauses).toHaveLength(POLICY.maxRetries.failed);
		for (const [index, pause] of pauses.entries()) {
			expect(pause).toBeGreaterThanOrEqual(250 * 2 ** index);
			expect(pause).toBeLessThanOrEqual(501 * 2 ** index);
		}
	});

	test('counts the retries of each kind of failure apart, so that a 503 leaves a time limit its retry', async () => {
		const timedOut = { limitMs: 60_000 };
		expect((await run([BUSY, timedOut, BUSY, { value: 'done' }])).result).toBe('done');
		expect((await run([timedOut])).began).toHaveLength(2);
	});

	test('spreads the retries of many requests', async () => {
		const pauses = new Set<number>();
		for (let time = 0; time < 10; time++) pauses.add((await run([BUSY, { value: 'done' }])).began[1]);
		expect(pauses.size).toBeGreaterThan(1);
	});

	test('waits as long as the service asks, but never less than the backoff', async () => {
		expect((await run([busyFor('7'), { value: 'done' }])).began).toEqual([0, 7000]);
		const { began } = await run([busyFor('0'), { value: 'done' }]);
		expect(began[1]).toBeGreaterThanOrEqual(POLICY.baseDelayMs / 2);
	});

	test('waits for five minutes if asked to, and gives up immediately if asked for a second more', async () => {
		expect((await run([busyFor('300'), { value: 'done' }])).began).toEqual([0, 300_000]);
		const { result, began, gaveUp } = await run([busyFor('301')]);
		expect({ result, began }).toEqual({ result: 'gave up', began: [0] });
		expect(gaveUp).toEqual([[busyFor('301'), { attempts: 1, askedSeconds: 301 }]]);
	});

	test('gives up instead of waiting past the deadline', async () => {
		expect(
			(await run([busyFor('60'), { value: 'done' }], { deadline: performance.now() + 60_000 })).result,
		).toBe('done');
		const late = await run([BUSY], { deadline: performance.now() });
		expect({ began: late.began, gaveUp: late.gaveUp }).toEqual({
			began: [0],
			gaveUp: [[BUSY, { attempts: 1, askedSeconds: undefined }]],
		});
	});

	test('pauses after a refusal even if another request is accepted at the same moment', async () => {
		const requests = new RequestRun(new AbortController().signal);
		const began: number[] = [];
		const refusedOnce = async () => {
			began.push(performance.now());
			return began.length === 1 ? busyFor('0') : { value: 'done' };
		};
		const sent = [refusedOnce, async () => ({ value: 'accepted' })].map(
			async (attempt) => await retrying<string, FailedAttempt>({ run: requests, giveUp }, attempt),
		);
		await jest.runAllTimersAsync();
		expect(await Promise.all(sent)).toEqual(['done', 'accepted']);
		expect(began[1] - began[0]).toBeGreaterThanOrEqual(POLICY.baseDelayMs / 2);
	});

	test('repeats a 429 for longer than a minute', async () => {
		const { began } = await run([busyFor('0')]);
		expect(began).toHaveLength(11);
		expect(began[10]).toBeGreaterThan(61_000);
	});

	test('ends the whole run at once when one response asks for more than five minutes', async () => {
		const requests = new RequestRun(new AbortController().signal);
		requests.limiter.limit({ concurrency: 3, perSecond: Infinity });
		const giveUp = (_failed: FailedAttempt, { attempts }: Tried) => new Error(`gave up after ${attempts}`);
		const outcomes: FailedAttempt[] = [busyFor('1'), busyFor('3600'), BUSY, BUSY, BUSY];
		let sent = 0;
		const request = async () =>
			await retrying<string, FailedAttempt>({ run: requests, giveUp }, async () => {
				const outcome = outcomes[sent++];
				await new Promise((resolve) => setTimeout(resolve, 50));
				return outcome;
			}).catch((error: Error) => error);
		const ended = Promise.all(Array.from({ length: 8 }, request));
		// The fourth request left when the first ended.
		await jest.advanceTimersByTimeAsync(100);
		const errors = await ended;
		expect(errors.filter((error) => (error as Error).message === 'gave up after 1')).toHaveLength(4);
		expect(errors.filter((error) => error instanceof RequestError)).toHaveLength(4);
		expect(sent).toBe(4);
	});

	test('a refusal for the rate costs nothing of the budget that failures spend', async () => {
		const requests = new RequestRun(new AbortController().signal);
		const send = async (outcomes: Array<Outcome<string>>) => {
			let sent = 0;
			const running = retrying<string, FailedAttempt>({ run: requests, giveUp }, async () => {
				return outcomes[Math.min(sent++, outcomes.length - 1)];
			}).catch(() => {});
			await jest.runAllTimersAsync();
			await running;
			return sent;
		};
		const refusedTwice = [busyFor('0'), busyFor('0'), { value: 'done' }];
		for (let item = 0; item < POLICY.retryBudget + 20; item++) await send(refusedTwice);
		expect(await send([BUSY, { value: 'done' }])).toBe(2);
	});

	test('repeats no failure once the budget of the run is used up', async () => {
		const requests = new RequestRun(new AbortController().signal);
		let sent = 0;
		// One request in two is accepted, so the service is not down; what fails, fails every time.
		const one = async (outcome: Outcome<string>) =>
			await retrying<string, FailedAttempt>({ run: requests, giveUp }, async () => {
				sent++;
				return outcome;
			}).catch(() => {});
		const attempts: number[] = [];
		for (let item = 0; item < 40; item++) {
			const before = sent;
			const running = one(BUSY);
			await jest.runAllTimersAsync();
			await running;
			attempts.push(sent - before);
			const accepted = one({ value: 'done' });
			await jest.runAllTimersAsync();
			await accepted;
		}
		expect(attempts[0]).toBe(6);
		expect(attempts.at(-1)).toBeLessThanOrEqual(2);
	});
});
