import fc from 'fast-check';
import { onVirtualClock } from '../../../../bench/limiter/virtualClock';
import { own } from '../../../../bench/limiter/contestants';
import {
	always,
	minuteQuota,
	mixed,
	plan,
	refusing,
	uniform,
	type Service,
} from '../../../../bench/limiter/services';
import { Limiter, PastDeadline, type LoadSignal, type Release } from '../../../../nodes/shared/http/limiter';

const elapse = async (milliseconds: number) =>
	await new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** A limiter with these limits, of one item among others that allow more. */
function limited(concurrency: number, perSecond: number, signal = new AbortController().signal): Limiter {
	const limiter = new Limiter(signal);
	for (const more of [3, 0, 5])
		limiter.limit({ concurrency: concurrency + more, perSecond: perSecond + more });
	return limiter;
}

test.each([
	['spaces requests out', 5, 20, 10, [0, 50, 100, 150, 200]],
	['of one spaces requests out', 1, 1, 10, [0, 1000, 2000]],
	['of one holds for the second request, too, when timers fire late', 1, 1, 1900, [0, 1900, 3800, 5700]],
	['of less than one spaces requests further out', 5, 0.5, 10, [0, 2000, 4000]],
	// Two in any second, because half a request cannot start.
	['of 2.5 holds in every second when timers fire late', 1, 2.5, 490, [0, 490, 1000, 1490, 2000]],
])(
	'the lowest of several caps of requests per second %s',
	async (_rule, concurrency, perSecond, tookMs, expected) => {
		const limiter = limited(concurrency, perSecond);
		const starts: number[] = [];
		await onVirtualClock(1, async () => {
			const one = async () => {
				const release = await limiter.acquire();
				starts.push(performance.now());
				await elapse(tookMs);
				release('accepted');
			};
			await Promise.all(expected.map(one));
		});
		expect(starts).toEqual(expected);
	},
);

describe('Waiting for a permit', () => {
	test('ends at once when the run is stopped, for requests that come later too', async () => {
		const stop = new AbortController();
		const limiter = limited(1, Infinity, stop.signal);
		const release = await limiter.acquire();
		const waiting = limiter.acquire();
		const reason = new Error('refused');
		stop.abort(reason);
		await expect(waiting).rejects.toBe(reason);
		await expect(limiter.acquire()).rejects.toBe(reason);
		release('accepted');
	});

	test('fails instead of passing its deadline', async () => {
		await onVirtualClock(1, async () => {
			const limiter = limited(5, 1);
			(await limiter.acquire())('accepted');
			const waiting = [999, Infinity, 999, 1000].map(async (deadline) => await limiter.acquire(deadline));
			await expect(waiting[0]).rejects.toBeInstanceOf(PastDeadline);
			(await waiting[1])('accepted');
			for (const late of [waiting[2], waiting[3]]) await expect(late).rejects.toBeInstanceOf(PastDeadline);
			expect(performance.now()).toBe(1000);
			(await limiter.acquire(2000))('accepted');
			expect(performance.now()).toBe(2000);
		});
	});

	test('fails by its own deadline alone while a request tests a service that refused most', async () => {
		await onVirtualClock(1, async () => {
			const limiter = new Limiter(new AbortController().signal);
			for (let n = 0; n < 9; n++) (await limiter.acquire())('refused');
			const permits = [60_000, 900, 60_000].map(async (deadline) => await limiter.acquire(deadline));
			const release = await permits[0];
			await elapse(1000);
			release('refused');
			await expect(permits[1]).rejects.toBeInstanceOf(PastDeadline);
			(await permits[2])('accepted');
			expect(performance.now()).toBeLessThan(10_000);
		});
	});
});

/** Sends items to a service and returns how that went. */
async function send(
	items: number,
	service: Omit<Service, 'statusAt'> & { statusAt: () => Service['statusAt'] },
	seed = 1,
) {
	const statusAt = service.statusAt();
	const value = await onVirtualClock(seed, async () => await own(items, { ...service, statusAt }));
	const late = value.sent.filter(({ at }) => at > 5000);
	const refused = late.filter(({ status }) => status !== 200).length;
	return { ...value, lateRefusedShare: refused / Math.max(1, late.length) };
}

describe('A service that refuses', () => {
	test.each([
		['5 % at random', 0.05, 1.3],
		['10 % at random', 0.1, 1.5],
		['20 % at random', 0.2, 2],
	])('%s costs little more than the refusals', async (_name, share, most) => {
		for (const latencyMs of [uniform, mixed]) {
			const calm = await send(2000, { latencyMs, statusAt: refusing(0) });
			const { failed, endedAt } = await send(2000, { latencyMs, statusAt: refusing(share) });
			expect(failed).toBe(0);
			expect(endedAt / calm.endedAt).toBeLessThan(most);
		}
	});

	// D2-LIM-01
	test.each([
		[50, 100, 2000, undefined],
		[10, 20, 300, undefined],
		[10, 20, 300, 1],
		[2, 5, 60, 1],
		[0.5, 2, 40, undefined],
	])(
		'by a plan of %f a second with a burst of %i is used in full: %i items, Retry-After %p',
		async (perSecond, burst, items, retryAfter) => {
			const service = { latencyMs: () => 50, retryAfter, statusAt: plan(perSecond, burst) };
			const { failed, endedAt, lateRefusedShare } = await send(items, service);
			expect(failed).toBe(0);
			expect(endedAt / 1000 / ((items - burst) / perSecond)).toBeLessThan(1.1);
			expect(lateRefusedShare).toBeLessThan(0.08);
		},
	);

	test.each([1, 2, 3, 4, 5])(
		'by a plan is used in a short run too, whether it refuses at once or not: seed %i',
		async (seed) => {
			for (const refusalMs of [undefined, 2]) {
				const service = { latencyMs: uniform, refusalMs, statusAt: plan(10, 20) };
				const { failed, endedAt } = await send(100, service, seed);
				expect(failed).toBe(0);
				expect(endedAt).toBeLessThan(8000 * 1.1);
			}
		},
	);

	test('by a plan at once refuses few from the start', async () => {
		const { sent } = await send(300, { latencyMs: uniform, refusalMs: 2, statusAt: plan(10, 20) });
		expect(sent.filter(({ status }) => status === 429).length / sent.length).toBeLessThan(0.12);
	});

	test('by a plan with a long Retry-After is not taken for a quota', async () => {
		const service = { latencyMs: uniform, retryAfter: 20, statusAt: plan(10, 20) };
		const { failed, endedAt, lateRefusedShare } = await send(600, service);
		expect(failed).toBe(0);
		expect(endedAt).toBeLessThan(58_000 * 2.5);
		expect(lateRefusedShare).toBeLessThan(0.15);
	});

	test.each([20, 30, 60, 100])('all but %i a minute is used in full in each minute', async (perMinute) => {
		for (const seed of [1, 2, 3]) {
			const service = { latencyMs: uniform, statusAt: minuteQuota(perMinute) };
			const { failed, endedAt } = await send(5 * perMinute, service, seed);
			expect(failed).toBe(0);
			// Four minutes must pass before the fifth quota opens.
			expect(endedAt).toBeLessThan(240_000 * 1.2);
		}
	});

	test.each([500, 429, 403])('everything with %i gets a hundred requests at most', async (status) => {
		const { sent, failed } = await send(1000, { latencyMs: uniform, statusAt: always(status) });
		expect(failed).toBe(1000);
		expect(sent.length).toBeLessThanOrEqual(100);
	});

	test('everything for five seconds loses nothing', async () => {
		const statusAt = () => (now: number) => (now < 5000 ? 503 : 200);
		const { failed, endedAt } = await send(1000, { latencyMs: uniform, statusAt });
		expect(failed).toBe(0);
		expect(endedAt).toBeLessThan(20_000);
	});
});

test('whatever happens, the cap is kept, no permit is lost, and a service that accepts is used', async () => {
	type Step = [tookMs: number, result: LoadSignal | undefined, retryAfterMs: number, clockStepMs: number];
	const step: fc.Arbitrary<Step> = fc.tuple(
		fc.integer({ min: 0, max: 5000 }),
		fc.constantFrom('accepted', 'refused', 'failed', undefined),
		fc.constantFrom(0, 0, 0, 1000, 60_000),
		fc.constantFrom(0, 0, -3_600_000, 3_600_000),
	);
	const calm: Step = [10, 'accepted', 0, 0];
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { minLength: 1, maxLength: 60 }),
			fc.integer({ min: 1, max: 8 }),
			fc.constantFrom(0.5, 1, 3, 20, Infinity),
			async (steps, concurrency, perSecond) => {
				await onVirtualClock(1, async () => {
					const limiter = limited(concurrency, perSecond);
					const starts: number[] = [];
					let [inFlight, highest, stepped] = [0, 0, 0];
					const date = Date.now;
					const one = async ([tookMs, result, retryAfterMs, clockStepMs]: Step) => {
						const release = await limiter.acquire();
						starts.push(performance.now());
						highest = Math.max(highest, ++inFlight);
						stepped += clockStepMs;
						Date.now = () => date() + stepped;
						await elapse(tookMs);
						inFlight--;
						release(result, retryAfterMs);
					};
					// After the script, the service accepts everything.
					await Promise.all([...steps, ...Array<Step>(20).fill(calm)].map(one));
					expect(inFlight).toBe(0);
					expect(starts).toHaveLength(steps.length + 20);
					expect(highest).toBeLessThanOrEqual(concurrency);
					const inOneSecond = starts.map(
						(from) => starts.filter((at) => at >= from && at < from + 1000).length,
					);
					expect(Math.max(...inOneSecond)).toBeLessThanOrEqual(Math.max(1, Math.floor(perSecond)));
					// Six minutes at most for a pause of a minute, a growing pause, and each request of a slow cap.
					expect(starts.at(-1)! - starts.at(-21)!).toBeLessThan(1_200_000);
				});
			},
		),
	);
}, 60_000);

test('a run of another service starts with as many requests as may be in flight', async () => {
	const limiter = new Limiter(new AbortController().signal);
	let started = 0;
	for (let request = 0; request < 200; request++) void limiter.acquire().then(() => started++);
	await new Promise(setImmediate);
	expect(started).toBe(100);
});

test('a run of a key with a plan starts with ten requests, and each that is accepted allows another', async () => {
	const limiter = new Limiter(new AbortController().signal);
	limiter.rate.startSlowly();
	const started: Release[] = [];
	for (let request = 0; request < 200; request++)
		void limiter.acquire().then((release) => started.push(release));
	for (const count of [10, 30, 70, 150]) {
		await new Promise(setImmediate);
		expect(started).toHaveLength(count);
		for (const release of started.splice(0, count)) release('accepted');
		started.unshift(...Array<Release>(count).fill(() => {}));
	}
});
