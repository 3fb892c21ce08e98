import { Pace, retrying, type PaceOptions } from '../../../../nodes/shared/http';
import { Random } from '../../../../sandbox/data/random';

jest.useFakeTimers();
afterAll(() => void jest.useRealTimers());

interface Answer {
	status: number;
	retryAfterSeconds?: number;
}

interface Service {
	latencyMs: number;
	/** Decides the answer to a request when it arrives. */
	answer: (index: number) => Answer;
}

/** Sends requests through one pace, from more workers than it ever admits at once. */
async function send(count: number, options: PaceOptions, { latencyMs, answer }: Service) {
	const pace = new Pace(options);
	const startedAt = Date.now();
	const starts: number[] = [];
	let inFlight = 0;
	let mostUnderWay = 0;
	let failed = 0;
	let endedAt = 0;
	let next = 0;
	const attempt = async () => {
		starts.push(Date.now() - startedAt);
		mostUnderWay = Math.max(mostUnderWay, ++inFlight);
		const { status, retryAfterSeconds } = answer(starts.length - 1);
		await new Promise((resolve) => setTimeout(resolve, latencyMs));
		inFlight--;
		const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
		return status === 200 ? { value: true, status } : { answer: { status, headers } };
	};
	const worker = async () => {
		while (next++ < count) {
			await retrying({ pace, giveUp: () => new Error('gave up') }, attempt).catch(() => failed++);
			endedAt = Date.now() - startedAt;
		}
	};
	const workers = Promise.all(Array.from({ length: 4 * options.most }, worker));
	await jest.runAllTimersAsync();
	await workers;
	return { pace, starts, mostUnderWay, failed, tookMs: endedAt };
}

const ok: Answer = { status: 200 };
const always = (latencyMs: number): Service => ({ latencyMs, answer: () => ok });

describe('Pace', () => {
	test('sends as many at once as it starts with, and never more than its maximum', async () => {
		expect(await send(40, { start: 8, most: 8 }, always(50))).toMatchObject({ mostUnderWay: 8, tookMs: 250 });
		expect((await send(4000, { start: 8, most: 20 }, always(50))).mostUnderWay).toBe(20);
	});

	test('does not send more at once when more requests make answers slower', async () => {
		let inFlight = 0;
		const pace = new Pace({ start: 4, most: 50 });
		const one = async () => {
			const turn = await pace.turn();
			inFlight++;
			// The service works on eight requests at once; further ones wait.
			await new Promise((resolve) => setTimeout(resolve, 50 * Math.max(1, inFlight / 8)));
			inFlight--;
			turn.end({ status: 200 });
		};
		const all = Promise.all(Array.from({ length: 2000 }, one));
		await jest.runAllTimersAsync();
		await all;
		expect(pace.concurrency).toBeGreaterThanOrEqual(8);
		expect(pace.concurrency).toBeLessThanOrEqual(20);
	});

	test('spaces requests out to the cap, and does not save up requests while idle', async () => {
		const { starts } = await send(5, { start: 5, most: 5, perSecond: 20 }, always(10));
		expect(starts).toEqual([0, 50, 100, 150, 200]);
		const pace = new Pace({ start: 5, most: 5, perSecond: 10 });
		(await pace.turn()).end({ status: 200 });
		await jest.advanceTimersByTimeAsync(5000);
		const from = Date.now();
		const turns = Promise.all([1, 2, 3].map(async () => (await pace.turn(), Date.now() - from)));
		await jest.runAllTimersAsync();
		expect(await turns).toEqual([0, 100, 200]);
	});

	test.each([429, 503])(
		'halves the concurrent requests once for a burst of %i, but never below one',
		async (status) => {
			const pace = new Pace({ start: 16, most: 16 });
			const seen: number[] = [];
			for (let round = 0; round < 6; round++) {
				const turns = Array.from({ length: pace.concurrency }, async () => await pace.turn());
				await jest.runAllTimersAsync();
				await jest.advanceTimersByTimeAsync(1);
				for (const turn of await Promise.all(turns)) turn.end({ status });
				seen.push(pace.concurrency);
			}
			expect(seen).toEqual([8, 4, 2, 1, 1, 1]);
		},
	);

	test('recovers to the start with one accepted request per step, however slow', async () => {
		const pace = new Pace({ start: 8, most: 8 });
		const end = async (status: number, afterMs: number) => {
			const turning = pace.turn();
			await jest.advanceTimersByTimeAsync(1000);
			const turn = await turning;
			await jest.advanceTimersByTimeAsync(afterMs);
			turn.end({ status });
		};
		await end(200, 1);
		await end(429, 1);
		expect(pace.concurrency).toBe(4);
		for (const expected of [5, 6, 7, 8, 8]) {
			await end(200, 5000);
			expect(pace.concurrency).toBe(expected);
		}
	});

	test.each([429, 503])('pauses all requests when a %i asks for it', async (status) => {
		const { starts } = await send(
			30,
			{ start: 5, most: 5 },
			{
				latencyMs: 50,
				answer: (index) => (index === 6 ? { status, retryAfterSeconds: 2 } : ok),
			},
		);
		// Sent at 50 ms, answered at 100 ms.
		expect(starts.filter((at) => at > 100 && at < 2100)).toEqual([]);
		expect(starts).toHaveLength(31);
	});

	test('recovers soon after an outage of five seconds, without a failed request', async () => {
		const calm = await send(1000, { start: 16, most: 16 }, always(50));
		const from = Date.now();
		const answer = () => (Date.now() - from < 5000 ? { status: 503 } : ok);
		const outage = await send(1000, { start: 16, most: 16 }, { latencyMs: 50, answer });
		expect(outage.failed).toBe(0);
		expect(outage.tookMs - 5000 - calm.tookMs).toBeLessThan(30_000);
	});

	test('refuses waiting and later requests once stopped, and lets the others end', async () => {
		const pace = new Pace({ start: 1, most: 1 });
		const turn = await pace.turn();
		const waiting = pace.turn();
		const reason = new Error('refused');
		pace.stop(reason);
		await expect(waiting).rejects.toBe(reason);
		turn.end({ status: 200 });
		await expect(pace.turn()).rejects.toBe(reason);
	});

	describe.each([1, 4, 16])('from %i at once', (start) => {
		test.each<[string, (random: Random) => number | undefined]>([
			['no Retry-After', () => undefined],
			['a zero Retry-After', () => 0],
			['an occasional Retry-After', (random) => (random.chance(0.2) ? 1 : undefined)],
		])(
			'takes less than three times as long, plus the pauses, with one random 429 in twenty and %s',
			async (_name, retryAfter) => {
				for (const seed of [1, 2, 3]) {
					const random = new Random(seed);
					let asked = 0;
					const calm = await send(1000, { start, most: start }, always(50));
					const faulty = await send(
						1000,
						{ start, most: start },
						{
							latencyMs: 50,
							answer: () => {
								if (!random.chance(1 / 20)) return ok;
								const retryAfterSeconds = retryAfter(random);
								asked += retryAfterSeconds ?? 0;
								return { status: 429, retryAfterSeconds };
							},
						},
					);
					expect(faulty.failed).toBe(0);
					expect(faulty.tookMs).toBeLessThanOrEqual(3 * calm.tookMs + asked * 1000);
				}
			},
		);

		test.each([
			[10, 20, 50],
			[10, 20, 500],
			[2, 5, 50],
			[50, 100, 20],
		])(
			'uses 80 %% of a usage plan of %i a second with a burst of %i, at %i ms a request, without a failed request [D2-LIM-01]',
			async (rate, burst, latencyMs) => {
				let tokens = burst;
				let at = Date.now();
				const count = rate * 60;
				const { failed, tookMs, starts } = await send(
					count,
					{ start, most: start },
					{
						latencyMs,
						answer: () => {
							tokens = Math.min(burst, tokens + ((Date.now() - at) / 1000) * rate);
							at = Date.now();
							if (tokens < 1) return { status: 429 };
							tokens--;
							return ok;
						},
					},
				);
				const possible = Math.max((count - burst) / rate, (count * latencyMs) / 1000 / start);
				expect(failed).toBe(0);
				expect((possible * 1000) / tookMs).toBeGreaterThanOrEqual(0.8);
				expect(starts.length / count).toBeLessThanOrEqual(1.4);
			},
		);
	});
});

describe('Single answers', () => {
	/** Starts a request as soon as it may and ends it after so long; resolves to when it started. */
	const answerOne = async (pace: Pace, status: number | undefined, afterMs = 0) => {
		const turning = pace.turn().then((turn) => ({ turn, startedAt: Date.now() }));
		await jest.advanceTimersToNextTimerAsync();
		const { turn, startedAt } = await turning;
		await jest.advanceTimersByTimeAsync(afterMs);
		turn.end({ status });
		return startedAt;
	};

	test.each([
		[200, 6],
		[404, 6],
		[499, 6],
		[500, 4],
		[502, 4],
		[undefined, 4],
	])('three with status %p turn four requests at once into %i', async (status, expected) => {
		const pace = new Pace({ start: 4, most: 50 });
		for (let answers = 0; answers < 3; answers++) await answerOne(pace, status, 50);
		expect(pace.concurrency).toBe(expected);
	});

	test.each([
		[100, 6],
		[101, 5],
	])(
		'twice as slow as the fastest of 50 ms still allow more, slower ones do not: %i ms',
		async (afterMs, expected) => {
			const pace = new Pace({ start: 4, most: 50 });
			for (const took of [50, afterMs, afterMs]) await answerOne(pace, 200, took);
			expect(pace.concurrency).toBe(expected);
		},
	);

	test('go beyond the start slowly once a limit was met', async () => {
		const pace = new Pace({ start: 2, most: 50 });
		const seen: number[] = [];
		for (const status of [429, 200, 200, 200, 200]) {
			await answerOne(pace, status, 1);
			seen.push(pace.concurrency);
		}
		expect(seen).toEqual([1, 2, 2, 2, 3]);
	});

	test('with a 429 after another double the pause, up to a second', async () => {
		const pace = new Pace({ start: 1, most: 1 });
		await answerOne(pace, 200, 100);
		const pauses: number[] = [];
		for (const status of [429, 429, 429, 429, 429, 429]) {
			const endedAt = Date.now();
			pauses.push((await answerOne(pace, status)) - endedAt);
		}
		expect(pauses).toEqual([0, 125, 250, 500, 1000, 1000]);
	});

	test('with success shorten the pause by a fiftieth each, and by a tenth after twenty-five', async () => {
		const pace = new Pace({ start: 1, most: 1 });
		await answerOne(pace, 200, 1000);
		await answerOne(pace, 429);
		const starts: number[] = [];
		for (let answers = 0; answers < 29; answers++) starts.push(await answerOne(pace, 200));
		for (let answers = 0; answers < 28; answers++) {
			const expected = 1000 * 0.98 ** Math.min(answers, 25) * 0.9 ** Math.max(0, answers - 25);
			expect(Math.abs(starts[answers + 1] - starts[answers] - expected)).toBeLessThanOrEqual(1);
		}
	});

	test('keep the rate although timers fire up to a millisecond late', async () => {
		const { starts } = await send(7, { start: 9, most: 9, perSecond: 3 }, always(1));
		expect(starts).toEqual([0, 334, 667, 1000, 1334, 1667, 2000]);
	});

	test('save up no request in a pause as long as the time between two', async () => {
		const pace = new Pace({ start: 5, most: 5, perSecond: 10 });
		await pace.turn();
		await jest.advanceTimersByTimeAsync(200);
		const from = Date.now();
		const starts = Promise.all([1, 2].map(async () => (await pace.turn(), Date.now() - from)));
		await jest.runAllTimersAsync();
		expect(await starts).toEqual([0, 100]);
	});
});
