import fc from 'fast-check';
import {
	backoffMs,
	isTransientStatus,
	RETRY,
	retryAfterMs,
	retryAfterOf,
} from '../../../../nodes/shared/http';

const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('isTransientStatus', () => {
	// D2-RETRY-01..03
	test('is true exactly for 408, 429 and 5xx', () => {
		const transient = Array.from({ length: 900 }, (_, index) => index + 100).filter(isTransientStatus);
		expect(transient).toEqual([408, 429, ...Array.from({ length: 100 }, (_, index) => 500 + index)]);
	});
});

describe('retryAfterMs', () => {
	test('reads any number of seconds', () => {
		fc.assert(
			fc.property(fc.nat(1_000_000), (seconds) => {
				expect(retryAfterMs(String(seconds), NOW)).toBe(seconds * 1000);
			}),
		);
	});

	test('reads any HTTP date, and does not wait for one in the past', () => {
		fc.assert(
			fc.property(fc.integer({ min: -100_000, max: 100_000 }), (seconds) => {
				const header = new Date(NOW + seconds * 1000).toUTCString();
				expect(retryAfterMs(header, NOW)).toBe(Math.max(0, seconds * 1000));
			}),
		);
	});

	test('reads the first of several headers, even with spaces around it', () => {
		expect(retryAfterMs(['3', '9'], NOW)).toBe(3000);
		expect(retryAfterMs(' 3 ', NOW)).toBe(3000);
	});

	test.each([
		undefined,
		'',
		'soon',
		'-5',
		'1.5',
		'2s',
		'2026-03-01',
		'1 Mar 2026',
		'Sun, some day',
		'next Sun, 01 Mar 2026 12:00:00 GMT',
		null,
		{},
		[],
	])('treats %p as absent', (header) => {
		expect(retryAfterMs(header, NOW)).toBeUndefined();
	});
});

test.each([-3_600_000, 3_600_000])(
	"a Retry-After date counts from the service's own time, %i ms from ours",
	(ahead) => {
		const served = Date.now() + ahead;
		const headers = {
			date: new Date(served).toUTCString(),
			'retry-after': new Date(served + 5000).toUTCString(),
		};
		expect(retryAfterOf({ response: { status: 429, headers } })).toBe(5000);
	},
);

describe('backoffMs', () => {
	test('doubles up to a cap, with jitter between half and all of it', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 40 }),
				fc.double({ min: 0, max: 0.999, noNaN: true }),
				(retry, random) => {
					jest.spyOn(Math, 'random').mockReturnValue(random);
					const ceiling = Math.min(RETRY.maxDelayMs, RETRY.baseDelayMs * 2 ** (retry - 1));
					const wait = backoffMs(retry);
					expect(wait).toBeGreaterThanOrEqual(Math.floor(ceiling / 2));
					expect(wait).toBeLessThanOrEqual(ceiling);
				},
			),
		);
	});
});
