import { PAGE_LIMIT } from '../exportApi/schemas';
import type { Direction } from './cuts';
import { PagePass } from './pagePass';
import type { Reading } from './reading';
import { Walk } from './walk';

/**
 * Reads a range exactly, even while rows appear or disappear and shift the later pages (D1-EXP-02, D1-EXP-03): all pages,
 * and if those may have shifted, the range again in slices of time.
 *
 * What exists throughout is output exactly once, or the report says that it is not complete; rows that appear or disappear
 * during it may be missing. Whatever the service counts, the requests are at most four times the pages that the rows
 * make, and about 100 more.
 * @yields rows in the service's order; those that only the slices have come last
 * @throws as {@link Walk.slices}
 */
export async function* readList(reading: Reading): AsyncGenerator<unknown[]> {
	const { report } = reading;
	const { maxRows } = report;
	const pass = new PagePass(reading, reading.options.range, PAGE_LIMIT.max);
	for await (const rows of pass.pages()) {
		report.totals = pass.totals;
		report.pages = pass.count;
		report.hasEnded = pass.isCounted && pass.isUnshifted && report.total <= maxRows;
		yield report.take(rows);
	}
	if (report.isFull || report.hasEnded) return;
	const walk = new Walk(reading, { direction: 'oldestFirst', known: pass });
	for await (const { rows } of walk.slices()) {
		yield report.take(rows);
		if (report.isFull) return;
	}
}

/**
 * Reads a range by date, whatever order the service lists it in (D1 promises none), and no further than the consumer goes:
 * a row that exists throughout and belongs to the first rows wanted is among the first rows output.
 * @param wanted rows that are wanted at first
 * @yields the rows of slice after slice, each sorted by date; rows without a date are last in their slice
 * @throws as {@link Walk.slices}
 */
export async function* readByDate(
	reading: Reading,
	direction: Direction,
	wanted: number,
): AsyncGenerator<unknown[]> {
	const { report } = reading;
	const walk = new Walk(reading, { direction, wanted });
	for await (const { rows } of walk.slices()) yield report.take(byDate(rows, reading, direction));
	if (walk.wantsAll) yield* readSorted(reading, direction);
}

/** Reads a whole range as {@link readList} does, and sorts its rows by date. */
export async function* readSorted(reading: Reading, direction: Direction): AsyncGenerator<unknown[]> {
	const all: unknown[] = [];
	for await (const rows of readList(reading)) for (const row of rows) all.push(row);
	yield byDate(all, reading, direction);
}

function byDate(rows: unknown[], { dateOf, report }: Reading, direction: Direction): unknown[] {
	const sign = direction === 'newestFirst' ? -1 : 1;
	const dated = rows.map((row) => ({ row, key: sign * dateOf(row) }));
	report.isUndated ||= dated.some(({ key }) => Number.isNaN(key));
	const last = (key: number) => (Number.isNaN(key) ? Infinity : key);
	// Two rows without a date differ by NaN, which sorts as equal.
	return dated.sort((a, b) => last(a.key) - last(b.key)).map(({ row }) => row);
}
