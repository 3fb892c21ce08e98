import { AcceptedRate, type Result } from '../../../../nodes/shared/http/acceptedRate';

/** In steps that the rate decides: each request starts as soon as it may, and ends at once. */
class Requests {
	readonly rate = new AcceptedRate();
	now = 0;

	/** Sends requests with these results, one after another. */
	send(...results: Array<Result | undefined>): this {
		for (const result of results) this.sendOne(result);
		return this;
	}

	sendOne(result: Result | undefined, retryAfterMs?: number): void {
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

const times = (count: number, result: Result) => Array.from({ length: count }, () => result);
const BLOCKING = 9;

/** Requests to a service that was seen to accept so many a second, over ten seconds. */
function limitedTo(perSecond: number): Requests {
	const requests = new Requests().send(...times(BLOCKING, 'refused'));
	// The test that the service accepts counts.
	requests.send(...times(10 * perSecond, 'accepted'));
	requests.now = 10_000;
	return requests.send(...times(BLOCKING, 'refused'), 'accepted');
}

/** One measurement: twelve results, so many of them refused, and the refusals spread. */
function measurement(refused: number): Result[] {
	return Array.from({ length: 12 }, (_, n) => {
		return Math.floor(((n + 1) * refused) / 12) > Math.floor((n * refused) / 12) ? 'refused' : 'accepted';
	});
}

beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));

describe('A service that refuses some requests', () => {
	test('is not sent fewer while most are accepted', () => {
		const requests = new Requests();
		for (let n = 0; n < 100; n++) requests.send('refused', 'accepted', 'accepted');
		expect(requests.now).toBe(0);
	});

	test('is tested after the ninth failure in a row, and not sooner than it asks for', () => {
		const requests = new Requests().send(...times(BLOCKING - 1, 'failed'));
		expect(requests.pause).toBe(0);
		requests.send('failed');
		expect(requests.pause).toBe(250);

		const patient = new Requests().send(...times(BLOCKING - 1, 'refused'));
		patient.sendOne('refused', 5000);
		expect(patient.pause).toBe(5000);
	});

	test('is tested by one request at a time, with growing pauses', () => {
		const requests = new Requests().send(...times(BLOCKING, 'refused'));
		requests.now = requests.rate.nextStartAt;
		const test = requests.rate.start(requests.now);
		expect(requests.pause).toBe(Infinity);
		requests.rate.end(test, 'refused', requests.now);
		const pauses = [requests.pause];
		for (let n = 0; n < 3; n++) {
			requests.send('refused');
			pauses.push(requests.pause);
		}
		expect(pauses).toEqual([500, 1000, 2000, 4000]);
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
	test('is sent as many as it accepted in between', () => {
		expect(limitedTo(10).perSecond).toBeCloseTo(10);
		expect(limitedTo(1).perSecond).toBeCloseTo(1);
	});

	// Fewer than twenty accepted requests, with the one of the first test, are too few to learn from.
	test.each([
		[18, 'first', 0, 20],
		[19, 'second', 1000, 1],
	])('and a third time, %i requests later, is counted from the %s', (accepted, _time, from, counted) => {
		const requests = new Requests().send(...times(BLOCKING, 'refused'), ...times(accepted + 1, 'accepted'));
		requests.now = 1000;
		requests.send(...times(BLOCKING, 'refused'), 'accepted', ...times(BLOCKING, 'refused'));
		const seconds = (requests.now - from) / 1000;
		requests.send('accepted');
		expect(requests.perSecond).toBeCloseTo(counted / seconds);
	});

	test('shows no limit while it only fails', () => {
		const requests = new Requests().send(...times(BLOCKING, 'failed'), ...times(30, 'accepted'));
		requests.now = 10_000;
		requests.send(...times(BLOCKING, 'failed'), 'accepted');
		expect(requests.perSecond).toBe(Infinity);
	});

	test('is sent one in the time in between if it accepted none', () => {
		const requests = new Requests().send(...times(BLOCKING, 'refused'), 'accepted');
		requests.now = 10_000;
		requests.send(...times(BLOCKING, 'refused'), 'accepted');
		expect(requests.perSecond).toBeCloseTo(0.1);
	});

	test('counts what it accepts of earlier requests, too', () => {
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
		// 60 of them, and the first test.
		expect(rate.nextStartAt - 10_250).toBeCloseTo(10_000 / 61);
	});

	test('never gets more than the user allows', () => {
		const requests = limitedTo(10);
		requests.rate.maxPerSecond = 4;
		expect(requests.perSecond).toBeCloseTo(4);
	});

	test('makes up for a timer that fires late, but not for a pause', () => {
		const requests = limitedTo(10);
		requests.now = requests.rate.nextStartAt + 20;
		requests.send('accepted');
		expect(requests.pause).toBeCloseTo(80);
		requests.now = requests.rate.nextStartAt + 21;
		requests.send('accepted');
		expect(requests.pause).toBeCloseTo(100);
	});
});

/** After a probe that failed, so that no other follows the next measurement. */
const afterProbe = () => limitedTo(10).send(...measurement(0), ...measurement(4));

describe('A learned rate', () => {
	test('is probed with half as much again after a measurement, and again while more is accepted', () => {
		const requests = limitedTo(10).send(...measurement(0));
		expect(requests.perSecond).toBeCloseTo(15);
		requests.send(...measurement(0));
		expect(requests.perSecond).toBeCloseTo(22.5);
	});

	test('has no limit any more once 1,500 a second are probed', () => {
		const requests = limitedTo(1001).send(...times(300, 'accepted'));
		expect(requests.perSecond).toBe(Infinity);
	});

	test('comes back when a probe brings no more, and the next one waits twice as long, up to twelve measurements', () => {
		const requests = limitedTo(10);
		const waits: number[] = [];
		for (let probe = 0; probe < 6; probe++) {
			let waited = 0;
			for (; requests.perSecond < 12; waited++) requests.send(...measurement(0));
			waits.push(waited);
			// As much as before is accepted.
			requests.send(...measurement(4));
		}
		expect(waits).toEqual([1, 2, 4, 8, 12, 12]);
	});

	test.each([
		[10, 5],
		[4, 3],
		[1, 1],
	])('of %i a second ends its probe with refusal %i, if a quarter is refused', (perSecond, refusals) => {
		const requests = limitedTo(perSecond).send(...times(12, 'accepted'));
		requests.send(...times(refusals - 1, 'refused'));
		expect(requests.perSecond).toBeCloseTo(1.5 * perSecond);
		requests.send('refused');
		expect(requests.perSecond).toBeLessThan(1.2 * perSecond);
	});

	test('keeps its probe while a quarter at most is refused', () => {
		const requests = limitedTo(1).send(...times(13, 'accepted'), 'refused');
		expect(requests.perSecond).toBeCloseTo(1.5);
	});

	test('ends its probe with nine refusals in a row, before so many results are a quarter', () => {
		const requests = limitedTo(1000).send(...times(300, 'accepted'));
		expect(requests.perSecond).toBeCloseTo(1500);
		requests.send(...times(100, 'accepted'), ...times(BLOCKING, 'refused'));
		expect(requests.perSecond).toBeLessThan(1300);
		expect(requests.perSecond).toBeGreaterThan(900);
	});

	test('is lowered by its first measurement, too, and then probed', () => {
		expect(limitedTo(10).send(...measurement(4)).perSecond).toBeCloseTo(1.5 * 7);
	});

	test('goes down to what is accepted when more than 15 % is refused, by three tenths at most', () => {
		const before = afterProbe().perSecond;
		const slower = (refused: number) => afterProbe().send(...measurement(refused)).perSecond / before;
		expect(slower(1)).toBeCloseTo(1, 1);
		// Nine are accepted in the time for eleven and two thirds.
		expect(slower(3)).toBeCloseTo((9 / 11.667) * 1.02);
		expect(slower(6)).toBeCloseTo(0.7);
	});

	test('is probed at once when a lower rate has not helped, because refusals are random then', () => {
		const lower = () =>
			afterProbe().send(...measurement(0), ...measurement(0), ...measurement(4), ...measurement(4));
		expect(lower().send(...measurement(4)).perSecond / lower().perSecond).toBeCloseTo(1.5, 1);
	});

	test('is measured by fewer results after ten seconds', () => {
		const requests = limitedTo(1).send(...times(9, 'accepted'));
		expect(requests.perSecond).toBeCloseTo(1);
		requests.send('accepted');
		expect(requests.perSecond).toBeCloseTo(1.5);
	});
});
