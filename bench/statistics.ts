import * as statistics from '../sandbox/statistics';

/** @throws RangeError without values */
export const mean = (values: readonly number[]): number => known(statistics.mean(values));

/** The middle value, or the mean of the two middle values. @throws RangeError without values */
export const median = (values: readonly number[]): number => known(statistics.median(values));

/**
 * The smallest value that at least this share of the values does not exceed.
 *
 * @param share 0 to 1
 * @throws RangeError without values
 */
export const percentile = (values: readonly number[], share: number): number =>
	known(statistics.percentile(values, share));

function known(value: number | null): number {
	if (value === null) throw new RangeError('Nothing was measured.');
	return value;
}
