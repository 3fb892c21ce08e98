import { PAGE_LIMIT } from '../exportApi/schemas';
import { rowsOf, totalsOf, type FetchPage, type Stretch } from './page';

/** Rows that a stretch is cut to, with room for some more to arrive before it is read. */
const ROWS_PER_STRETCH = 40;

/** Most pieces that a stretch is cut into at once; each is cut again if necessary. */
const MAX_PIECES = 20;

/** How often a list of more than 50 rows in one millisecond is read, until one reading is consistent. */
const PASSES = 3;

export interface StretchRows<Row> extends Stretch {
	rows: Row[];
	/** Rows that the service counted but did not list; negative when it listed more than it counted. */
	unlisted: number;
	/** Whether the rows came in pages, because more than 50 share a millisecond: `unsettled` when those kept changing. */
	paged?: 'settled' | 'unsettled';
}

/**
 * Reads a range in stretches of at most 50 rows, oldest first. Such a stretch is one answer, which cannot shift during
 * the reading, and a row's date does not change, so no stretch loses a row to another (D1 § POST /export/conversations).
 * Rows on a bound belong to both stretches.
 *
 * @param idOf identifies a row
 * @param skips whether to continue with the next stretch when one cannot be read
 * @yields each stretch as soon as it was read; together with those skipped they cover the range
 * @throws what `fetchPage` throws; everything before the stretch that failed was yielded then
 */
export async function* readStretches<Row>(
	fetchPage: FetchPage<Row>,
	range: Stretch,
	idOf: (row: Row) => string | undefined,
	skips: (stretch: Stretch, error: unknown) => boolean = () => false,
): AsyncGenerator<StretchRows<Row>> {
	const open = [range];
	for (let stretch = open.pop(); stretch !== undefined; stretch = open.pop()) {
		try {
			const read = await readOne(fetchPage, stretch, idOf);
			if ('rows' in read) yield read;
			else open.push(...read.pieces.reverse());
		} catch (error) {
			const fatal = skips(stretch, error) ? undefined : error;
			if (fatal) throw fatal;
		}
	}
}

async function readOne<Row>(
	fetchPage: FetchPage<Row>,
	stretch: Stretch,
	idOf: (row: Row) => string | undefined,
): Promise<StretchRows<Row> | { pieces: Stretch[] }> {
	const answer = await fetchPage({ ...stretch, page: 1, limit: PAGE_LIMIT.max });
	const { sum, most } = totalsOf(answer);
	if (most <= PAGE_LIMIT.max) {
		const rows = [...rowsOf(answer)];
		return { ...stretch, rows, unlisted: sum - rows.length };
	}
	if (stretch.to - stretch.from === 1) return await readPages(fetchPage, stretch, idOf);
	return { pieces: cutEvenly(stretch, Math.ceil(most / ROWS_PER_STRETCH)) };
}

/**
 * Cuts a range wherever, by the given dates, a stretch is full.
 *
 * @param dates of the known rows, one list for each array, in milliseconds since 1970, in any order
 * @returns stretches without a gap, oldest first; no array has more than some 40 of the known rows in one of them
 */
export function cutByDates({ from, to }: Stretch, dates: number[][]): Stretch[] {
	const marks = dates.flatMap((list) =>
		list
			.filter((date) => date > from && date < to)
			.sort((a, b) => a - b)
			.filter((_date, index) => index % ROWS_PER_STRETCH === ROWS_PER_STRETCH - 1),
	);
	const bounds = [from, ...new Set(marks.sort((a, b) => a - b)), to];
	return bounds.slice(1).map((bound, index) => ({ from: bounds[index], to: bound }));
}

function cutEvenly({ from, to }: Stretch, wanted: number): Stretch[] {
	const pieces = Math.min(wanted, MAX_PIECES, to - from);
	const bound = (index: number) => from + Math.floor(((to - from) * index) / pieces);
	return Array.from({ length: pieces }, (_, index) => ({ from: bound(index), to: bound(index + 1) }));
}

/** Reads the shortest possible stretch in pages when it has more than 50 rows, until one reading matches its totals. */
async function readPages<Row>(
	fetchPage: FetchPage<Row>,
	stretch: Stretch,
	idOf: (row: Row) => string | undefined,
): Promise<StretchRows<Row>> {
	const all = new Map<unknown, Row>();
	let unlisted = 0;
	let isSettled = false;
	for (let pass = 1; pass <= PASSES && !isSettled; pass++) {
		const seen = new Set<unknown>();
		const counts = new Set<number>();
		let pages = 1;
		for (let page = 1; page <= pages; page++) {
			const answer = await fetchPage({ ...stretch, page, limit: PAGE_LIMIT.max });
			const { sum, most } = totalsOf(answer);
			counts.add(sum);
			pages = Math.ceil(most / PAGE_LIMIT.max);
			for (const row of rowsOf(answer)) {
				const id = idOf(row) ?? row;
				seen.add(id);
				all.set(id, row);
			}
		}
		unlisted = Math.max(...counts) - seen.size;
		isSettled = counts.size === 1 && unlisted === 0;
	}
	return { ...stretch, rows: [...all.values()], unlisted, paged: isSettled ? 'settled' : 'unsettled' };
}
