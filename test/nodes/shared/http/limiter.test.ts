import fc from 'fast-check';
import {
	always,
	around,
	minuteQuota,
	mixed,
	onVirtualClock,
	own,
	plan,
	refusedLate,
	refusing,
	uniform,
	type Service,
} from '../../../../bench/limiter';
import { AcceptedRate, type LoadSignal } from '../../../../nodes/shared/http/acceptedRate';
import { Limiter, PastDeadline, type Release } from '../../../../nodes/shared/http/limiter';

/** Requests at a rate, each of which starts as soon as it may and takes a millisecond. */
class Requests {
	readonly rate = new AcceptedRate();
	now = 0;

	start(): number {
		this.now = Math.max(this.now + 1, this.rate.nextStartAt);
		this.rate.start(this.now);
		return this.now;
	}

	/** @param asked the pause in milliseconds that the service asks for */
	end(startedAt: number, result: LoadSignal | undefined, asked?: number): void {
		this.rate.end(startedAt, result, ++this.now, asked);
	}

	/** How long the next request has to wait. */
	get pause(): number {
		return Math.max(0, this.rate.nextStartAt - this.now);
	}

	after(steps: Step[]): this {
		for (const step of steps) step(this);
		return this;
	}
}
type Step = (requests: Requests) => void;

/** So many requests one after another that end like this. */
const ending =
	(result: LoadSignal | undefined) =>
	(count: number, asked?: number): Step =>
	(requests) => {
		for (let n = 0; n < count; n++) requests.end(requests.start(), result, asked);
	};
const [accepted, refused, failed] = (['accepted', 'refused', 'failed'] as const).map(ending);
const cancelled = ending(undefined);
const wait =
	(ms: number): Step =>
	(requests) =>
		void (requests.now += ms);

describe('A service', () => {
	beforeEach(() => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		jest.spyOn(Date, 'now').mockReturnValue(0);
	});

	const QUOTA = [accepted(12), refused(9), wait(60_000), accepted(1)];
	const USED_UP = [...QUOTA, accepted(13), refused(1), wait(60_000)];
	/** Is measured, and stops. */
	const MEASURED = [accepted(1), refused(5), accepted(1), refused(9)];
	test.each<[rule: string, steps: Step[], pause: number]>([
		['is not tested after eight in a row have failed', [failed(8)], 0],
		['is tested after the ninth in a row has failed', [failed(9)], 375],
		[
			'is tested once nothing was accepted for four times its latency',
			[accepted(1), wait(5), refused(9)],
			375,
		],
		['is tested after the pause that it asked for', [refused(8), refused(1, 5000)], 5000],
		['is tested after the pause that it asked for before', [refused(7), refused(1, 5000), refused(1)], 4998],
		['that accepts one has taken back the pause', [refused(1, 5000), accepted(1), refused(9)], 375],
		['is tested with pauses that double', [refused(9), refused(4)], 6000],
		['is tested after the longer pause that it asks a test for', [refused(10), refused(1, 5000)], 5000],
		['is tested after the longer of both pauses', [refused(13), refused(1, 5000)], 12_000],
		['is tested again after a test that was cancelled', [refused(13), cancelled(1)], 6000],
		['that is being measured is measured on after a short stop', [...MEASURED, wait(4900), accepted(2)], 10],
		[
			'that is being measured is sent all at once after five seconds',
			[...MEASURED, wait(5000), accepted(2)],
			0,
		],
		['with a quota is sent all of it at once', [...QUOTA, accepted(12)], 0],
		['with a quota is sent no more than that', [...QUOTA, accepted(13)], 374],
		[
			'that opens again before 20 seconds has no quota',
			[accepted(12), refused(9), wait(19_000), accepted(14)],
			0,
		],
		['that accepted too few has no quota', [accepted(3), refused(9), wait(60_000), accepted(5)], 0],
		[
			'with a quota that accepts more has none, later either',
			[...QUOTA, accepted(14), refused(9), wait(60_000), accepted(16)],
			0,
		],
		['whose quota is used up has it in the next minute, too', [...USED_UP, accepted(13)], 0],
		['whose quota is used up is sent no more in the next', [...USED_UP, accepted(15)], 374],
	])('%s', (_rule, steps, pause) => {
		expect(Math.round(new Requests().after(steps).pause)).toBe(pause);
	});

	test('is tested by one request at a time, after a pause that those in flight were asked for', () => {
		const requests = new Requests();
		const inFlight = [1, 2, 3, 4].map(() => requests.start());
		requests.after([refused(9)]);
		const test = requests.start();
		expect(requests.pause).toBe(Infinity);
		for (const startedAt of inFlight) requests.end(startedAt, 'refused', 120_000);
		requests.end(test, 'refused');
		expect(requests.pause).toBe(119_999);
	});

	test.each<[which: string, steps: Step[], isDown: boolean, pause: number]>([
		['not down after four tests that failed', [failed(13)], false, 6000],
		['down after five tests that failed', [failed(14)], true, 0],
		['not down after nine tests that were refused', [refused(18)], false, 22_500],
		['down after ten tests that were refused', [refused(19)], true, 0],
		['up again once it accepts one', [refused(19), accepted(1)], false, 0],
	])('is %s', (_which, steps, isDown, pause) => {
		const requests = new Requests().after(steps);
		expect([requests.rate.acceptsNothing, requests.pause]).toEqual([isDown, pause]);
	});

	test('with a quota by the minute is tested a moment after each full minute, but not before it asks', () => {
		jest.spyOn(Date, 'now').mockReturnValue(59_000);
		const pauses = [1, 2, 3, 4].map((tests) => new Requests().after([refused(9 + tests)]).pause);
		expect(pauses).toEqual([750, 1375, 1375, 1375]);
		expect(new Requests().after([refused(12), refused(1, 120_000)]).pause).toBe(120_000);
	});
});

const elapse = async (milliseconds: number) =>
	await new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** A limiter with these limits, of one item among others that allow more. */
function limited(concurrency: number, perSecond: number): Limiter {
	const limiter = new Limiter(new AbortController().signal);
	for (const more of [3, 0, 5])
		limiter.limit({ concurrency: concurrency + more, perSecond: perSecond + more });
	return limiter;
}

// Two in any second of 2.5, because half a request cannot start.
test.each([
	['', 5, 20, 10, [0, 50, 100, 150, 200]],
	['', 1, 1, 10, [0, 1000, 2000]],
	[' when timers fire late', 1, 1, 1900, [0, 1900, 3800, 5700]],
	['', 5, 0.5, 10, [0, 2000, 4000]],
	[' when timers fire late', 1, 2.5, 490, [0, 490, 1000, 1490, 2000]],
])(
	'the lowest of several limits holds in every second%s: %i in flight, %d a second',
	async (_, most, cap, tookMs, expected) => {
		const limiter = limited(most, cap);
		const starts: number[] = [];
		const one = async () => {
			const release = await limiter.acquire();
			starts.push(performance.now());
			await elapse(tookMs);
			release('accepted');
		};
		await onVirtualClock(1, async () => await Promise.all(expected.map(one)));
		expect(starts).toEqual(expected);
	},
);

describe('Waiting for a permit', () => {
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

	test.each([
		['as many requests as may be in flight', false, [100, 100]],
		['ten requests of a key with a plan, and another for each that is accepted', true, [10, 18, 34]],
	])('lets a run begin with %s', async (_what, isSlow, counts) => {
		const limiter = new Limiter(new AbortController().signal);
		if (isSlow) limiter.rate.startSlowly();
		const started: Release[] = [];
		for (let n = 0; n < 300; n++) void limiter.acquire().then((release) => started.push(release));
		for (const count of counts) {
			await new Promise(setImmediate);
			expect(started).toHaveLength(count);
			const results: LoadSignal[] = ['failed', 'refused'];
			for (const release of started.splice(0)) release(results.shift() ?? 'accepted');
		}
	});
});

type Behaviour = () => Service['statusAt'];

const send = async (seed: number, items: number, statusAt: Behaviour, more: Partial<Service> = {}) =>
	await onVirtualClock(
		seed,
		async () => await own(items, { latencyMs: uniform, ...more, statusAt: statusAt() }),
	);

describe('A simulated service', () => {
	// D2-LIM-01
	test('with any steady plan loses no item, takes a tenth longer at most, and refuses few after five seconds', async () => {
		const steady = fc.record({
			/** Of what the requests would send without a plan. */
			share: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
			inFlight: fc.integer({ min: 5, max: 25 }),
			latencyMs: fc.integer({ min: 100, max: 300 }),
			/** As a gateway does, or after as long as any response. */
			isRefusedAtOnce: fc.boolean(),
			burstSeconds: fc.double({ min: 0.5, max: 2, noNaN: true }),
			seed: fc.integer(),
		});
		await fc.assert(
			fc.asyncProperty(
				steady,
				async ({ share, inFlight, latencyMs, isRefusedAtOnce, burstSeconds, seed }) => {
					const perSecond = (share * inFlight * 1000) / latencyMs;
					const burst = Math.max(5, perSecond * burstSeconds);
					// Half a minute, as long as that takes no minute of ours.
					const items = Math.ceil(Math.min(30 * perSecond, 2500) + burst);
					const { sent, failed, endedAt } = await send(seed, items, plan(perSecond, burst), {
						latencyMs: around(latencyMs),
						inFlight,
						...(isRefusedAtOnce && { refusalMs: 2 }),
					});
					expect(failed).toBe(0);
					expect(refusedLate(sent)).toBeLessThanOrEqual(0.15);
					expect(endedAt / 1000 / ((items - burst) / perSecond)).toBeLessThan(1.1);
				},
			),
			{ seed: 1, numRuns: 12 },
		);
	}, 120_000);

	const slow = { latencyMs: mixed };
	const outage =
		(ms: number): Behaviour =>
		() =>
		(now) =>
			now < ms ? 503 : 200;
	const changes =
		(before: Behaviour, after: Behaviour): Behaviour =>
		() => {
			const [first, then] = [before(), after()];
			return (now) => (now < 20_000 ? first : then)(now);
		};
	// How long it takes at least, and how many times as long it may take.
	test.each<[string, number, Behaviour, leastMs: number, times: number, more?: Partial<Service>]>([
		['refuses 5 % at random', 2000, refusing(0.05), 5500, 1.3],
		['refuses 20 % at random', 2000, refusing(0.2), 6250, 1.6],
		['refuses 20 % at random, at once', 2000, refusing(0.2), 5500, 1.6, { refusalMs: 2 }],
		['refuses 20 % at random, and takes long at times', 2000, refusing(0.2), 18_000, 1.6, slow],
		['has a small plan that a run soon exceeds', 100, plan(10, 20), 8000, 1.2, { refusalMs: 2 }],
		['has a plan, and asks for pauses', 300, plan(10, 20), 28_000, 1.1, { retryAfter: 1 }],
		['has a plan, and asks for pauses as if by a quota', 600, plan(10, 20), 58_000, 1.6, { retryAfter: 20 }],
		['has a plan of one in two seconds', 40, plan(0.5, 2), 76_000, 1.2],
		['has a plan that is soon larger', 3000, changes(plan(10, 20), plan(200, 200)), 33_000, 1.5],
		['has a plan that is soon smaller', 4300, changes(plan(200, 200), plan(20, 20)), 25_000, 1.3],
		// Four minutes must pass before the fifth quota opens.
		...[20, 30, 60, 100].map((quota): [string, number, Behaviour, number, number] => [
			...([`has a quota of ${quota} a minute`, quota * 5, minuteQuota(quota), 240_000, 1.1] as const),
		]),
		['is down for five seconds', 1000, outage(5000), 7500, 1.6],
		['is down for ten seconds', 1000, outage(10_000), 12_500, 1.6],
		['is down for ten seconds, and asks for pauses', 1000, outage(10_000), 12_500, 1.6, { retryAfter: 1 }],
	])('that %s is used in full', async (_, items, statusAt, leastMs, times, ...[more]) => {
		for (const seed of [1, 2, 3]) {
			const { failed, endedAt } = await send(seed, items, statusAt, more);
			expect(failed).toBe(0);
			expect(endedAt).toBeLessThan(leastMs * times);
		}
	});

	test('with a plan is asked at the learned pace after an outage', async () => {
		const fails = (now: number) => now >= 20_000 && now < 30_000;
		const behaviour: Behaviour = () => {
			const withPlan = plan(100, 100)();
			return (now) => (fails(now) ? 503 : withPlan(now));
		};
		for (const seed of [1, 2, 3]) {
			const { sent, failed } = await send(seed, 5000, behaviour);
			const later = sent.filter(({ at }) => at >= 30_000);
			expect(failed).toBe(0);
			expect(later.length).toBeGreaterThan(2000);
			expect(later.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(50);
		}
	});

	test.each([500, 429, 403])(
		'that responds with %i for ever gets a hundred requests at most',
		async (status) => {
			const { sent, failed } = await send(1, 1000, always(status));
			expect(failed).toBe(1000);
			expect(sent.length).toBeLessThanOrEqual(100);
		},
	);
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
					// A second, or as long as one request may take.
					const windowMs = Math.max(1000, 1000 / perSecond);
					const inWindow = starts.map(
						(from) => starts.filter((at) => at >= from && at < from + windowMs).length,
					);
					expect(Math.max(...inWindow)).toBeLessThanOrEqual(Math.max(1, Math.floor(perSecond)));
					// Six minutes at most for a pause of a minute, a growing pause, and each request of a slow cap.
					expect(starts.at(-1)! - starts.at(-21)!).toBeLessThan(1_200_000);
				});
			},
		),
		// A request that takes longer than the pause between two starts.
		{ examples: [[[[2001, 'accepted', 0, 0], calm], 1, 0.5]] },
	);
}, 60_000);
