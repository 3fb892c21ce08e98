import { hash } from './random';

const minute = 60_000;
const day = 24 * 60 * minute;
const opening = 7 * 60 * minute;
/** Share of a row's slot that its date can fall into; the rest keeps dates strictly increasing. */
const jitterShare = 0.8;

/** A fraction in [0, 1). */
const fraction = (...parts: number[]) => hash(...parts) / 0x1_0000_0000;

/**
 * When each row was recorded, between 07:00 and 19:00 UTC, and processed, in epoch milliseconds. Both strictly increase.
 * Covers whole UTC days only.
 */
export function timesOf(seed: number, count: number, from: number, to: number) {
	const start = Math.ceil(from / day) * day;
	/** Milliseconds per row. */
	const slot = (Math.floor(to / day) * day - start) / Math.max(count, 1);
	const smallestGap = (slot * (1 - jitterShare)) / 2;
	if (smallestGap < 2) throw new Error(`The time from "from" to "to" is too short for ${count} rows.`);
	// The jitter of processing stays below the gap to the next row.
	const maxJitter = Math.min(smallestGap - 1, 90 * minute);
	return Array.from({ length: count }, (_, index) => {
		const position = (index + jitterShare * fraction(seed, 11, index)) * slot;
		const time = position % day;
		const date = Math.floor(start + position - time + opening + time / 2);
		const processing = Math.floor(20 * minute + maxJitter * fraction(seed, 13, index));
		return { date, processedDate: date + processing };
	});
}
