import { fraction } from './random';

const minute = 60_000;
const day = 24 * 60 * minute;
/** Part of a row's slot in which its date may fall; the rest keeps the dates strictly increasing. */
const jitterShare = 0.8;

/**
 * When row i was recorded and processed. Both times strictly increase with i, so a range of rows is found by
 * binary search and a million rows need no memory. Times are epoch milliseconds.
 */
export class Timeline {
	private readonly start: number;
	/** Even time per row. */
	private readonly slot: number;
	/** Whether the span is long enough for working days. */
	private readonly hasDays: boolean;
	private readonly smallestGap: number;

	/** @throws Error when the span is too short to give every row its own millisecond. */
	constructor(
		private readonly seed: number,
		readonly count: number,
		from: number,
		to: number,
	) {
		const midnight = Math.ceil(from / day) * day;
		const days = Math.floor((to - midnight) / day);
		this.hasDays = days >= 2;
		this.start = this.hasDays ? midnight : from;
		this.slot = (this.hasDays ? days * day : (to - from) * 0.9) / Math.max(count, 1);
		this.smallestGap = this.slot * (1 - jitterShare) * (this.hasDays ? 0.5 : 1);
		if (this.smallestGap < 2) throw new Error(`The span from–to is too short for ${count} rows.`);
	}

	/** Recording start of row `index`: from 07:00 to 19:00 UTC when the span has whole days. */
	dateAt(index: number): number {
		const position = (index + jitterShare * fraction(this.seed, 11, index)) * this.slot;
		const [midnight, time] = [Math.floor(position / day) * day, position % day];
		return Math.floor(this.start + (this.hasDays ? midnight + (7 / 24) * day + time / 2 : position));
	}

	/** When processing of row `index` finished: a lag whose jitter stays below the gap to the next row. */
	processedDateAt(index: number): number {
		const jitter = Math.min(this.smallestGap - 1, 90 * minute) * fraction(this.seed, 13, index);
		return this.dateAt(index) + Math.floor((this.hasDays ? 20 * minute : this.smallestGap / 2) + jitter);
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
