import { mean, median, percentile, round, roundOrNull } from '../../../sandbox/statistics';

describe('Statistics', () => {
	it.each<[number[], number | null, number | null]>([
		[[], null, null],
		[[7], 7, 7],
		[[10, 2, 3], 5, 3],
		[[40, 1, 2, 3], 11.5, 2.5],
	])('of %j have the mean %p and the median %p', (values, expectedMean, expectedMedian) => {
		const before = [...values];
		expect([mean(values), median(values)]).toEqual([expectedMean, expectedMedian]);
		expect(values).toEqual(before);
	});

	it('return percentiles by nearest rank', () => {
		const values = Array.from({ length: 100 }, (_, index) => 100 - index);
		expect([0, 0.5, 0.95, 0.99, 1].map((share) => percentile(values, share))).toEqual([1, 50, 95, 99, 100]);
		expect(percentile([3, 1], 0.5)).toBe(1);
		expect(percentile([], 0.5)).toBeNull();
	});

	it('round to decimal places and keep null', () => {
		expect([round(1.005, 1), round(2.346, 2), roundOrNull(0.125, 2), roundOrNull(null, 2)]).toEqual([
			1,
			2.35,
			0.13,
			null,
		]);
	});
});
