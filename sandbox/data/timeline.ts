import { fraction } from './random';

const minute = 60_000;
const day = 24 * 60 * minute;
const opening = 7 * 60 * minute;
/** Share of a row's slot that its date can fall into; the rest keeps dates strictly increasing. */
const jitterShare = 0.8;

/**
 * When each row was recorded and processed, in epoch milliseconds. Both times strictly increase, so binary
 * search finds a range and a million rows need no memory. Covers whole UTC days only.
 */
export class Timeline {
	private readonly start: number;
	/** Milliseconds per row. */
	private readonly slot: number;
	private readonly smallestGap: number;

	/** @throws Error when the span is too short to give every row its own millisecond. */
	constructor(
		private readonly seed: number,
		readonly count: number,
		from: number,
		to: number,
	) {
		this.start = Math.ceil(from / day) * day;
		this.slot = (Math.floor(to / day) * day - this.start) / Math.max(count, 1);
		this.smallestGap = (this.slot * (1 - jitterShare)) / 2;
		if (this.smallestGap < 2) throw new Error(`The time from "from" to "to" is too short for ${count} rows.`);
	}

	/** Recording start of row `index`, between 07:00 and 19:00 UTC. */
	dateAt(index: number): number {
		const position = (index + jitterShare * fraction(this.seed, 11, index)) * this.slot;
		const time = position % day;
		return Math.floor(this.start + position - time + opening + time / 2);
	}

	/** When row `index` was processed. The jitter stays below the gap to the next row. */
	processedDateAt(index: number): number {
		const jitter = Math.min(this.smallestGap - 1, 90 * minute) * fraction(this.seed, 13, index);
		return this.dateAt(index) + Math.floor(20 * minute + jitter);
	}

	/** The first row whose time is at or after the given one. */
	firstRow(by: 'date' | 'processedDate', time: number): number {
		let [low, high] = [0, this.count];
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (this[`${by}At`](middle) >= time) high = middle;
			else low = middle + 1;
		}
		return low;
	}
}
