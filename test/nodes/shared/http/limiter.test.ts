import fc from 'fast-check';
import {
	always,
	minuteQuota,
	mixed,
	onVirtualClock,
	own,
	plan,
	refusing,
	uniform,
	type Service,
} from '../../../../bench/limiter';
import { AcceptedRate, type LoadSignal } from '../../../../nodes/shared/http/acceptedRate';
import { Limiter, PastDeadline, type Release } from '../../../../nodes/shared/http/limiter';

const SIGNALS = { a: 'accepted', r: 'refused', f: 'failed' } as const;

/**
 * A rate after requests that start as soon as they may and end at once: `9r` are nine that are refused, `1c` one that is
 * cancelled, `r:5000` one that is refused with a pause. `6s` starts six; `6sa` ends them, accepted, `6sf` failed, again and
 * again. `+5` waits 5 ms, `=5` until 5 ms have passed since the first, `~5` for 5 ms after the next may start. `k` is for a
 * key with a plan.
 */
function rateAfter(script: string) {
	const rate = new AcceptedRate();
	const open: number[] = [];
	let now = 0;
	const start = () => rate.start((now = Math.max(now, rate.nextStartAt)));
	const send = (result?: LoadSignal, asked?: number) => rate.end(start(), result, now, asked);
	for (const step of script.trim().split(/\s+/)) {
		const [count, signal] = [parseInt(step), SIGNALS[step.at(-1) as keyof typeof SIGNALS]];
		if (step === 'k') rate.startSlowly();
		else if (step.startsWith('r:')) send('refused', Number(step.slice(2)));
		else if (step.startsWith('+')) now += count;
		else if (step.startsWith('=')) now = Number(step.slice(1));
		else if (step.startsWith('~')) now = rate.nextStartAt + Number(step.slice(1));
		else if (step.endsWith('s')) for (let n = 0; n < count; n++) open.push(start());
		else if (step.includes('s')) for (const period of open) rate.end(period, signal, now);
		else for (let n = 0; n < count; n++) send(signal);
	}
	const pause = Math.max(0, rate.nextStartAt - now);
	send();
	const { acceptsNothing: isDown, window } = rate;
	return { pause, perSecond: 1000 / (rate.nextStartAt - now), isDown, window };
}

describe('A service', () => {
	/** It was seen to accept ten a second, over ten seconds, before it reached its limit again. */
	const TEN = '9r 100a =10000 9r 1a';
	/** A quota after an outage: five were accepted, and then none for a minute. */
	const QUOTA = '9f 4a 9r +60000 1a';
	let raised = 14;
	for (let n = 0; n < 80; n++) raised *= 1 + 0.0005 * Math.min(80, 16 + n);

	test.each([
		['is not tested after eight in a row have failed', '8f', { pause: 0 }],
		['is tested after the ninth in a row has failed', '9f', { pause: 250 }],
		['is tested after the pause that it asked for', '8r r:5000', { pause: 5000 }],
		['is tested by one request at a time', '9r 1s', { pause: Infinity }],
		['is tested with pauses that double', '9r 4r', { pause: 4000 }],
		['is tested after the longer pause that it asks a test for', '9r 1r r:5000', { pause: 5000 }],
		['is tested again after a test that was cancelled', '9r 4r 1c', { pause: 4000 }],
		['is not down after four tests that failed', '9f 4f', { isDown: false, pause: 4000 }],
		['is down after five tests that failed', '9f 5f', { isDown: true, pause: 0 }],
		['is not down after nine tests that were refused', '9r 9r', { isDown: false }],
		['is down after ten tests that were refused', '9r 10r', { isDown: true, pause: 0 }],
		['is up again once it accepts one', '9r 10r 1a', { isDown: false }],
		['of a key with a plan is sent two fewer at once from a second refusal on', 'k 1a 2r', { window: 9 }],
		['of a key with a plan is sent two at once after it refused most', 'k 20a 9r', { window: 2 }],
		['of a key with a plan is then sent one more at once for every four', `k ${TEN} 4a`, { window: 3 }],
		['with a limit is first sent four tenths more than it accepted', TEN, { perSecond: 14 }],
		['with a limit that a lower rate has not helped shows none', `${TEN} 9r 1a`, { perSecond: Infinity }],
		['shows no limit while it only fails', '10f 30a =10000 10f 1a', { perSecond: Infinity }],
		['counts what it accepts of earlier requests, too', '60s 9r 1a =10000 9r 60sa 1a', { perSecond: 8.54 }],
		['counts no failures of earlier requests', `60s ${TEN} 60sf 1a`, { perSecond: 14 * 1.008 }],
		['with a limit is sent more at once after a late timer', `${TEN} ~20 1a`, { pause: 1000 / 14 - 20 }],
		['with a limit is not sent more at once after a pause', `${TEN} ~21 1a`, { pause: 1000 / 14 }],
		['is sent faster with each, by four hundredths at most', `${TEN} 80a`, { perSecond: raised }],
		['that accepts 1,500 a second has no limit', `${TEN} 180a`, { perSecond: Infinity }],
		['that refuses most above its limit is sent as many as that', `${TEN} 200a 9r`, { perSecond: 10 }],
		['that refuses most at its limit is tested', `${TEN} 200a 9r 9r`, { pause: 250 }],
		['that fails above its limit is tested', `${TEN} 200a 9f`, { pause: 250 }],
		['with a limit is sent a tenth fewer after one failure', `${TEN} 1f`, { perSecond: 12.6 }],
		['with a limit is then sent more as slowly as at first', `${TEN} 1r 1a`, { perSecond: 12.6 * 1.0005 }],
		[
			'is sent half of its limit at least, however many it refuses',
			TEN + ' 1r 1a'.repeat(20),
			{ perSecond: 5.0025 },
		],
		['with a quota is sent all of it at once', `${QUOTA} 4a 9r +20000 1a`, { perSecond: Infinity }],
		['that opens sooner has no quota', '9f 4a 9r +1000 1a 4a 9r +19999 1a', { perSecond: 7 }],
		['that accepts fewer has no quota', '9f 4a 9r +1000 1a 3a 9r +20000 1a', { perSecond: 5.6 }],
		['with a quota is sent all it takes after an outage', '9f 19a 9r +60000 1a 9f 1a 11a', { pause: 0 }],
		['with a quota is sent no more than that', `${QUOTA} 5a`, { pause: 250 }],
		['with a quota is sent as many as that', `${QUOTA} 4a`, { pause: 0 }],
		['with a quota is sent more if it accepts another', `${QUOTA} 6a`, { perSecond: Infinity }],
		['whose quota is used up has it in the next minute, too', `${QUOTA} 5a 1r +20000 6a`, { pause: 0 }],
		['whose quota is used up is sent no more in the next', `${QUOTA} 5a 1r +20000 7a`, { pause: 250 }],
	])('%s', (_rule, script, expected) => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		jest.spyOn(Date, 'now').mockReturnValue(0);
		const actual = rateAfter(script);
		for (const [name, value] of Object.entries(expected)) {
			if (typeof value === 'number') expect(actual[name as 'pause']).toBeCloseTo(value, 5);
			else expect(actual.isDown).toBe(value);
		}
	});

	test('with a quota by the minute is tested a moment after each full minute', () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		jest.spyOn(Date, 'now').mockReturnValue(59_000);
		expect([1, 2, 3, 4].map((tests) => rateAfter(`9r ${tests}r`).pause)).toEqual([500, 1000, 1250, 1250]);
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
		['ten requests of a key with a plan, and another for each that is accepted', true, [10, 20, 40]],
	])('lets a run begin with %s', async (_what, isSlow, counts) => {
		const limiter = new Limiter(new AbortController().signal);
		if (isSlow) limiter.rate.startSlowly();
		const started: Release[] = [];
		for (let n = 0; n < 300; n++) void limiter.acquire().then((release) => started.push(release));
		for (const count of counts) {
			await new Promise(setImmediate);
			expect(started).toHaveLength(count);
			for (const release of started.splice(0)) release('accepted');
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
	const slow = { latencyMs: mixed };
	const outage: Behaviour = () => (now) => (now < 5000 ? 503 : 200);
	// How long it takes at least, and how many times as long it may take; the largest share of refusals after five seconds.
	// D2-LIM-01
	test.each<
		[string, number, Behaviour, leastMs: number, times: number, more?: Partial<Service>, late?: number]
	>([
		['5 % at random', 2000, refusing(0.05), 5500, 1.3],
		['20 % at random', 2000, refusing(0.2), 5500, 2],
		['20 % at random and takes long at times', 2000, refusing(0.2), 18_000, 2, slow],
		['more than 50 a second', 2000, plan(50, 100), 38_000, 1.1, {}, 0.08],
		['more than 10 a second', 300, plan(10, 20), 28_000, 1.1, {}, 0.08],
		['more than 10 a second, with a pause', 300, plan(10, 20), 28_000, 1.1, { retryAfter: 1 }, 0.08],
		['more than 10 a second, at once', 300, plan(10, 20), 28_000, 1.1, { refusalMs: 2 }, 0.08],
		['more than 10 a second, as if by a quota', 600, plan(10, 20), 58_000, 2.5, { retryAfter: 20 }, 0.15],
		['more than 10 a second of a short run', 100, plan(10, 20), 8000, 1.1, { refusalMs: 2 }],
		['more than one in two seconds', 40, plan(0.5, 2), 76_000, 1.1, {}, 0.08],
		// Four minutes must pass before the fifth quota opens.
		...[20, 30, 60, 100].map((quota): [string, number, Behaviour, number, number] => [
			...([`all but ${quota} a minute`, quota * 5, minuteQuota(quota), 240_000, 1.2] as const),
		]),
		['everything for five seconds', 1000, outage, 7500, 2.6],
	])(
		'that refuses %s is used in full',
		async (_, items, statusAt, leastMs, times, ...[more, mostLate = 1]) => {
			for (const seed of [1, 2, 3]) {
				const { sent, failed, endedAt } = await send(seed, items, statusAt, more);
				const late = sent.filter(({ at }) => at > 5000);
				const refused = late.filter(({ status }) => status !== 200).length / late.length;
				expect(failed).toBe(0);
				expect(endedAt).toBeLessThan(leastMs * times);
				expect(refused).toBeLessThan(mostLate);
			}
		},
	);

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
