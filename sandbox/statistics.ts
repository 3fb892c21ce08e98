/** The mean; NaN without values. */
export const mean = (values: readonly number[]): number =>
	values.reduce((sum, value) => sum + value, 0) / values.length;

/** The middle of the sorted values, or the mean of the two in the middle; NaN without values. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return mean(sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1));
}

/** Rounds to `digits` decimal places. */
export function round(value: number, digits: number): number {
	const factor = 10 ** digits;
	return Math.round(value * factor) / factor;
}

/** Like `round`, but null for NaN. */
export const roundOrNull = (value: number, digits: number): number | null =>
	Number.isNaN(value) ? null : round(value, digits);
