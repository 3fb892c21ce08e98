import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { backoffMs, isTransientStatus, POLICY, pauseIn } from '../../../../nodes/shared/http';

describe('isTransientStatus', () => {
	// D2-RETRY-01..03
	test('is true exactly for 408, 429 and 5xx', () => {
		const transient = Array.from({ length: 900 }, (_, index) => index + 100).filter(isTransientStatus);
		expect(transient).toEqual([408, 429, ...Array.from({ length: 100 }, (_, index) => 500 + index)]);
	});
});

describe('The pause of a Retry-After header', () => {
	const pauseOf = (header: unknown, date?: string) => pauseIn({ 'retry-after': header, date } as IDataObject);

	test('is any number of seconds, even with spaces around it; the first of several headers counts', () => {
		fc.assert(
			fc.property(fc.nat(1_000_000), (seconds) => expect(pauseOf(` ${seconds} `)).toBe(seconds * 1000)),
		);
		expect(pauseOf(['3', '9'])).toBe(3000);
	});

	test("lasts until an HTTP date on the service's own clock, and never ends in the past", () => {
		fc.assert(
			fc.property(fc.integer({ min: -100_000, max: 100_000 }), fc.nat(10 ** 12), (seconds, now) => {
				const [sent, until] = [now, now + seconds * 1000].map((time) => new Date(time).toUTCString());
				expect(pauseOf(until, sent)).toBe(Math.max(0, seconds * 1000));
			}),
		);
	});

	test('counts from our own clock without a date of the response', () => {
		jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
		expect(pauseOf('Sun, 01 Mar 2026 12:00:45 GMT')).toBe(45_000);
		jest.useRealTimers();
	});

	test.each([
		undefined,
		'',
		'soon',
		'-5',
		'1.5',
		'2s',
		'2026-03-01',
		'Sun, some day',
		'next Sun, 01 Mar 2026 12:00:00 GMT',
		null,
		{},
		[],
	])('is absent for %p', (header) => expect(pauseOf(header)).toBeUndefined());
});

describe('backoffMs', () => {
	test('doubles up to a cap, with jitter between half and all of it', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 40 }),
				fc.double({ min: 0, max: 0.999, noNaN: true }),
				(retry, random) => {
					jest.spyOn(Math, 'random').mockReturnValue(random);
					const ceiling = Math.min(POLICY.maxDelayMs, POLICY.baseDelayMs * 2 ** (retry - 1));
					const wait = backoffMs(retry);
					expect(wait).toBeGreaterThanOrEqual(Math.floor(ceiling / 2));
					expect(wait).toBeLessThanOrEqual(ceiling);
				},
			),
		);
	});
});
