import { fraction } from './random';

const minute = 60_000;
const day = 24 * 60 * minute;
const week = 7 * day;
const workday = { days: 6, opens: 7 / 24, length: 12 / 24 };
/** Part of a row's slot in which its date may fall; the rest keeps the dates strictly increasing. */
const jitterShare = 0.8;

/**
 * When row i was recorded and processed. Both strictly increase with i, so a range of rows is found
 * by binary search and a million rows need no memory. Times are epoch milliseconds.
 */
export class Timeline {
	private readonly start: number;
	private readonly slot: number;
	private readonly whole: boolean;
	private readonly smallestGap: number;

	/** @throws Error when the span is too short to give every row its own millisecond. */
	constructor(
		private readonly seed: number,
		readonly count: number,
		from: number,
		to: number,
	) {
		const monday = from + ((week - ((from - 4 * day) % week)) % week);
		const weeks = Math.floor((to - monday) / week);
		this.whole = weeks >= 2;
		this.start = this.whole ? monday : from;
		this.slot = (this.whole ? weeks * week : (to - from) * 0.9) / Math.max(count, 1);
		const density = this.whole ? (workday.days * workday.length) / 7 : 1;
		this.smallestGap = this.slot * (1 - jitterShare) * density;
		if (this.smallestGap < 2) throw new Error(`The span from–to is too short for ${count} rows.`);
	}

	/** Recording start of row `index`. */
	dateAt(index: number): number {
		const position = (index + jitterShare * fraction(this.seed, 11, index)) * this.slot;
		return Math.floor(this.start + (this.whole ? intoWorkingHours(position) : position));
	}

	/** When processing of row `index` finished: a lag whose jitter stays below the gap to the next row. */
	processedAt(index: number): number {
		const jitter = Math.min(this.smallestGap - 1, 90 * minute) * fraction(this.seed, 13, index);
		const lag = this.whole ? 20 * minute : this.smallestGap / 2;
		return this.dateAt(index) + Math.floor(lag + jitter);
	}

	/** The first row whose time is at or after (`orAfter`) or strictly after the given one. */
	firstRow(at: 'dateAt' | 'processedAt', time: number, orAfter: boolean): number {
		let low = 0;
		let high = this.count;
		while (low < high) {
			const middle = (low + high) >>> 1;
			const value = this[at](middle);
			if (orAfter ? value >= time : value > time) high = middle;
			else low = middle + 1;
		}
		return low;
	}
}

/** Maps even time onto Monday to Saturday, 07:00 to 19:00 UTC, never changing the order. */
function intoWorkingHours(position: number): number {
	const weeks = Math.floor(position / week);
	const days = ((position - weeks * week) / week) * workday.days;
	const whole = Math.floor(days);
	return weeks * week + (whole + workday.opens + (days - whole) * workday.length) * day;
}
