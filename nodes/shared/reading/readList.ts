import type { Direction } from './cuts';
import { fastPass } from './fastPass';
import type { Reading } from './reading';
import type { Report } from './report';
import { Requests } from './requests';
import { Walk } from './walk';

/**
 * Reads a range of POST /export/conversations exactly, even while rows appear or disappear and shift the later pages
 * (D1-EXP-02, D1-EXP-03): all pages, and if those may have shifted, the range again in slices of time.
 *
 * What exists throughout is output exactly once, or the report says that it is not complete; rows that appear or disappear
 * during it may be missing. Whatever the service counts, the requests are at most four times the pages that the rows
 * make, and about 100 more.
 *
 * @yields rows in the service's order; those that only the slices have come last
 * @throws as {@link Walk.slices}
 */
export async function* readList<Row>(reading: Reading<Row>, report: Report<Row>): AsyncGenerator<Row[]> {
	const requests = new Requests(reading, report);
	const known = yield* fastPass(reading, requests, report);
	if (known === undefined) return;
	report.isSliced = true;
	const walk = new Walk(reading, requests, report, { direction: 'oldestFirst', known });
	for await (const { rows } of walk.slices()) {
		yield report.take(rows, () => true);
		if (report.isFull) return;
	}
}

/**
 * Reads a range by date, whatever order the service lists it in (D1 promises none), and no further than the consumer goes:
 * a row that exists throughout and belongs to the first rows wanted is among the first rows output.
 *
 * @param wanted rows that are wanted at first
 * @yields the rows of slice after slice, each sorted by date; rows without a date are last in their slice
 * @throws as {@link Walk.slices}
 */
export async function* readByDate<Row>(
	reading: Reading<Row>,
	report: Report<Row>,
	{ direction, wanted }: { direction: Direction; wanted: number },
): AsyncGenerator<Row[]> {
	const walk = new Walk(reading, new Requests(reading, report), report, { direction, wanted });
	let isFirst = true;
	for await (const { from, to, rows } of walk.slices()) {
		report.isSliced ||= !isFirst;
		const bound = direction === 'newestFirst' ? to : from;
		// A row on the bound of two slices came with the first one.
		const isRepetition = (row: Row) => !isFirst && reading.dateOf(row) === bound;
		isFirst = false;
		yield report.take(byDate(rows, reading, direction), isRepetition);
	}
	if (walk.wantsAll) yield* readSorted(reading, report, direction);
}

/** Reads a whole range as {@link readList} does, and sorts its rows by date. */
export async function* readSorted<Row>(
	reading: Reading<Row>,
	report: Report<Row>,
	direction: Direction,
): AsyncGenerator<Row[]> {
	const all: Row[] = [];
	for await (const rows of readList(reading, report)) all.push(...rows);
	yield byDate(all, reading, direction);
}

function byDate<Row>(rows: Row[], { dateOf }: Reading<Row>, direction: Direction): Row[] {
	const sign = direction === 'newestFirst' ? -1 : 1;
	const key = (row: Row) => (Number.isNaN(dateOf(row)) ? Infinity : sign * dateOf(row));
	return rows
		.map((row) => ({ row, key: key(row) }))
		.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
		.map(({ row }) => row);
}
