import { AcceptedRate, type LoadSignal } from '../../../../nodes/shared/http/limiter';

/** In steps that the rate decides: each request starts as soon as it may, and ends at once. */
class Requests {
	readonly rate = new AcceptedRate();
	now = 0;

	/** Sends requests with these results, one after another. */
	send(...results: Array<LoadSignal | undefined>): this {
		for (const result of results) this.sendOne(result);
		return this;
	}

	sendOne(result: LoadSignal | undefined, retryAfterMs?: number): void {
		this.now = Math.max(this.now, this.rate.nextStartAt);
		this.rate.end(this.rate.start(this.now), result, this.now, retryAfterMs);
	}

	/** When the next request may start, from now on. */
	get pause(): number {
		return Math.max(0, this.rate.nextStartAt - this.now);
	}

	/** Requests per second by the pause after a request. */
	get perSecond(): number {
		const { rate } = this;
		this.now = Math.max(this.now, rate.nextStartAt);
		rate.end(rate.start(this.now), undefined, this.now);
		return 1000 / this.pause;
	}
}

const times = (count: number, result: LoadSignal) => Array.from({ length: count }, () => result);
const BLOCKING = 9;

/** The factor of a limit that requests start with. */
const FIRST = 1.4;

/** Requests to a service that was seen to accept so many a second, over ten seconds. */
function limitedTo(perSecond: number): Requests {
	const requests = new Requests().send(...times(BLOCKING, 'refused'));
	// The first is the test; that of the second time counts.
	requests.send(...times(10 * perSecond, 'accepted'));
	requests.now = 10_000;
	return requests.send(...times(BLOCKING, 'refused'), 'accepted');
}

beforeEach(() => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(Date, 'now').mockReturnValue(0);
});

describe('A service that refuses some requests', () => {
	test('is not sent fewer while most are accepted', () => {
		const requests = new Requests();
		for (let n = 0; n < 100; n++) requests.send('refused', 'accepted', 'accepted');
		expect(requests.now).toBe(0);
	});

	test.each([
		['failed' as const, 0, 250],
		['refused' as const, 5000, 5000],
	])('is tested after the ninth in a row has %s and asked for %i ms, after %i ms', (result, asked, pause) => {
		const requests = new Requests().send(...times(BLOCKING - 1, result));
		expect(requests.pause).toBe(0);
		requests.sendOne(result, asked);
		expect(requests.pause).toBe(pause);
	});

	test('is tested by one request at a time, with growing pauses', () => {
		const requests = new Requests().send(...times(BLOCKING, 'refused'));
		requests.now = requests.rate.nextStartAt;
		const test = requests.rate.start(requests.now);
		expect(requests.pause).toBe(Infinity);
		requests.rate.end(test, 'refused', requests.now);
		expect(requests.pause).toBe(500);
		const pauses = Array.from({ length: 3 }, () => requests.send('refused').pause);
		expect(pauses).toEqual([1000, 2000, 4000]);
		// A cancelled test says nothing.
		requests.send(undefined);
		expect(requests.pause).toBe(4000);
	});

	test.each([
		['failed' as const, 5],
		['refused' as const, 10],
	])('is down once %s tests have ended so %i times', (result, tests) => {
		const requests = new Requests().send(...times(BLOCKING, result), ...times(tests - 1, result));
		expect(requests.rate.acceptsNothing).toBe(false);
		requests.send(result);
		expect(requests.rate.acceptsNothing).toBe(true);
		expect(requests.pause).toBe(0);
		requests.send('accepted');
		expect(requests.rate.acceptsNothing).toBe(false);
	});
});

describe('A service that reaches its limit twice', () => {
	test('is first sent four tenths more than it accepted in between', () => {
		expect(limitedTo(10).perSecond).toBeCloseTo(FIRST * 10);
		expect(limitedTo(1).perSecond).toBeCloseTo(FIRST);
	});

	test('and a third time is sent as many as before, because a lower rate has not helped', () => {
		expect(limitedTo(10).send(...times(BLOCKING, 'refused'), 'accepted').perSecond).toBe(Infinity);
	});

	test('shows no limit while it only fails', () => {
		const requests = new Requests().send(...times(BLOCKING + 1, 'failed'), ...times(30, 'accepted'));
		requests.now = 10_000;
		requests.send(...times(BLOCKING + 1, 'failed'), 'accepted');
		expect(requests.perSecond).toBe(Infinity);
	});

	test('counts what it accepts of earlier requests, too, but not what fails', () => {
		const { rate } = new Requests();
		const early = Array.from({ length: 60 }, () => rate.start(0));
		const fail = (at: number) => {
			for (let n = 0; n < BLOCKING; n++) rate.end(rate.start(at), 'refused', at);
		};
		fail(0);
		rate.end(rate.start(250), 'accepted', 250);
		fail(10_000);
		for (const start of early) rate.end(start, 'accepted', 10_000);
		rate.end(rate.start(10_250), 'accepted', 10_250);
		for (const start of early) rate.end(start, 'failed', 10_250);
		// 60 of them, and the second test.
		expect(rate.nextStartAt - 10_250).toBeCloseTo(10_000 / 61 / FIRST);
	});

	test('makes up for a timer that fires late, but not for a pause', () => {
		const requests = limitedTo(10);
		requests.rate.maxPerSecond = 10;
		requests.now = requests.rate.nextStartAt + 20;
		requests.send('accepted');
		expect(requests.pause).toBeCloseTo(80);
		requests.now = requests.rate.nextStartAt + 21;
		requests.send('accepted');
		expect(requests.pause).toBeCloseTo(100);
	});
});

describe('A learned rate', () => {
	test('is raised by each accepted request more than by the one before, until it limits nothing', () => {
		const requests = limitedTo(10);
		let expected = FIRST * 10;
		for (let n = 16; n <= 95; n++) {
			expected *= 1 + 0.0005 * Math.min(80, n);
			expect(requests.send('accepted').perSecond).toBeCloseTo(expected);
		}
		expect(requests.send(...times(100, 'accepted')).perSecond).toBe(Infinity);
	});

	test('falls to the limit when most requests above it are refused, and stops if they fail or it is refused, too', () => {
		const requests = limitedTo(10).send(...times(200, 'accepted'), ...times(BLOCKING, 'refused'));
		expect(requests.perSecond).toBeCloseTo(10);
		requests.send(...times(BLOCKING, 'refused'));
		const failing = limitedTo(10).send(...times(200, 'accepted'), ...times(BLOCKING, 'failed'));
		expect([requests.pause, failing.pause]).toEqual([250, 250]);
	});

	test.each(['refused', 'failed'] as const)('is lowered by a tenth by each request that %s', (result) => {
		const requests = limitedTo(10).send(result);
		expect(requests.perSecond).toBeCloseTo(FIRST * 10 * 0.9);
		// It grows as slowly as at first.
		expect(requests.send('accepted').perSecond).toBeCloseTo(FIRST * 10 * 0.9 * 1.0005);
	});

	test('is never less than half of the limit, because refusals are random then', () => {
		const requests = limitedTo(10);
		for (let n = 0; n < 20; n++) requests.send('refused', 'accepted');
		expect(requests.perSecond).toBeCloseTo(5, 1);
	});
});

describe('A quota', () => {
	/** After an outage, what is refused for so long after so many were accepted, the tests that end both among them. */
	function quotaOf(accepted: number, refusedMs: number): Requests {
		const requests = new Requests().send(...times(BLOCKING, 'failed'), ...times(accepted - 1, 'accepted'));
		requests.send(...times(BLOCKING, 'refused')).now += refusedMs;
		return requests.send('accepted');
	}

	test.each([
		['used up again at once', 5, 20_000, Infinity],
		['no quota if it opens sooner', 5, 19_999, FIRST * 5],
		['no quota if it is smaller', 4, 20_000, FIRST * 4],
	])('is %s', (_what, accepted, refusedMs, perSecond) => {
		const requests = quotaOf(5, 1000);
		requests.send(...times(accepted - 1, 'accepted'), ...times(BLOCKING, 'refused'));
		requests.now += refusedMs;
		expect(requests.send('accepted').perSecond).toBeCloseTo(perSecond);
	});

	test('is not exceeded, and tested again, also for more than before', () => {
		const requests = quotaOf(5, 60_000).send(...times(4, 'accepted'));
		expect(requests.pause).toBe(0);
		requests.send('accepted');
		expect(requests.pause).toBe(250);
		requests.send('accepted');
		expect(requests.perSecond).toBe(Infinity);
	});

	test('that refuses again once it is used up stays one', () => {
		const requests = quotaOf(5, 60_000).send(...times(5, 'accepted'), 'refused');
		requests.now += 20_000;
		requests.send('accepted', ...times(5, 'accepted'));
		expect(requests.pause).toBe(0);
		expect(requests.send('accepted').pause).toBe(250);
	});

	test('by the minute is tested a moment after each full minute', () => {
		const requests = new Requests().send(...times(BLOCKING, 'refused'));
		jest.spyOn(Date, 'now').mockReturnValue(59_000);
		const pauses = Array.from({ length: 4 }, () => requests.send('refused').pause);
		expect(pauses).toEqual([500, 1000, 1250, 1250]);
	});
});
