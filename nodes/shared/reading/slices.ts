import { PAGE_LIMIT } from '../exportApi/schemas';
import { largestTotal, lengthOf, rowsOf, type FetchPage, type Page, type Slice } from './page';
import { readInPages } from './readInPages';

/** How full a slice is cut, as a share of a page, with room for rows that arrive before it is read. */
const FILL = 0.8;

/** Most pieces that a slice is cut into at once; each is cut again if necessary. */
const MAX_PIECES = 20;

/** Most requests for a range read oldest first: per page of rows read, and besides. */
const MAX_REQUESTS_PER_PAGE = 8;
const MAX_EXTRA_REQUESTS = 100;

export interface SliceRows<Row> extends Slice {
	rows: Row[];
	/** Rows that the service counted but did not list. */
	unlisted: number;
	/** Whether the rows came in pages, because more than 50 share a millisecond: `unsettled` when those kept changing. */
	paged?: 'settled' | 'unsettled';
}

/**
 * Reads a range in slices of at most 50 rows, oldest first. Such a slice is one response, which cannot shift during
 * the reading, and a row's date does not change, so no slice loses a row to another (D1 § POST /export/conversations).
 * Rows on a bound belong to both slices.
 *
 * @param idOf identifies a row
 * @param dateOf the date that the range selects by, in milliseconds since 1970; NaN for a row without one
 * @yields each slice as soon as it was read; together they cover the range
 * @throws what `fetchPage` throws; everything before the slice that failed was yielded then
 */
export async function* readSlices<Row>(
	fetchPage: FetchPage<Row>,
	range: Slice,
	idOf: (row: Row) => string | undefined,
	dateOf: (row: Row) => number,
): AsyncGenerator<SliceRows<Row>> {
	const open = [range];
	let pageSize: number = PAGE_LIMIT.max;
	let longest = 0;
	let requests = 0;
	const ids = new Set<string | undefined>();
	const fetch: FetchPage<Row> = async (query) => {
		requests++;
		return await fetchPage(query);
	};
	for (let slice = open.pop(); slice !== undefined; slice = open.pop()) {
		const page = (await fetch({ ...slice, page: 1, limit: PAGE_LIMIT.max })).read();
		if (lengthOf(page) > longest) {
			longest = lengthOf(page);
			pageSize = await pageSizeBy(fetch, slice, page, idOf);
		}
		let read: SliceRows<Row> = { ...slice, rows: rowsOf(page), unlisted: unlistedIn(page) };
		if (!isWhole(page, pageSize)) {
			const isWorthCutting = requests < MAX_EXTRA_REQUESTS + MAX_REQUESTS_PER_PAGE * (ids.size / pageSize);
			if (isWorthCutting && isDivisible(slice)) {
				open.push(...cutAround(slice, piecesOf(page, pageSize), rowsOf(page).map(dateOf)).reverse());
				continue;
			}
			// The service does not select by the millisecond, so the rest is read at once.
			const rest = isWorthCutting ? slice : { from: slice.from, to: range.to };
			if (!isWorthCutting) open.length = 0;
			read = await collectPages(fetch, rest, idOf, pageSize);
		}
		for (const row of read.rows) ids.add(idOf(row));
		yield read;
	}
}

/** Rows that a page of this service holds: fewer than asked for when the next page has the rest of a short one. */
async function pageSizeBy<Row>(
	fetchPage: FetchPage<Row>,
	slice: Slice,
	page: Page<Row>,
	idOf: (row: Row) => string | undefined,
): Promise<number> {
	const length = lengthOf(page);
	const isShort = page.lists.some(({ total, rows }) => rows.length < Math.min(total, PAGE_LIMIT.max));
	if (!isShort) return PAGE_LIMIT.max;
	const known = new Set(rowsOf(page).map(idOf));
	const next = (await fetchPage({ ...slice, page: 2, limit: length })).read();
	return rowsOf(next).some((row) => !known.has(idOf(row))) ? length : PAGE_LIMIT.max;
}

async function collectPages<Row>(
	fetchPage: FetchPage<Row>,
	slice: Slice,
	idOf: (row: Row) => string | undefined,
	pageSize: number,
): Promise<SliceRows<Row>> {
	const all = new Map<unknown, Row>();
	// A poll looks back, so what appears between two pages reaches it the next time.
	const reading = readInPages(fetchPage, slice, { idOf, limit: pageSize, isOld: () => true });
	for (let step = await reading.next(); ; step = await reading.next()) {
		if (step.done === true) return { ...slice, rows: [...all.values()], ...step.value };
		for (const row of step.value) all.set(idOf(row) ?? row, row);
	}
}

/** Whether one response holds all rows of its slice, or at least cannot have been cut off. */
export function isWhole({ lists, pages }: Page<unknown>, pageSize: number): boolean {
	return lists.every(({ total, rows }) => {
		const isFull = rows.length >= pageSize;
		return total <= pageSize && (!isFull || (rows.length === total && pages <= 1));
	});
}

/** Rows that the service counted but did not list. */
export function unlistedIn({ lists }: Page<unknown>): number {
	return lists.reduce((sum, { total, rows }) => sum + Math.max(0, total - rows.length), 0);
}

/** Whether a slice can be cut: the shortest one is a millisecond long, because its end must be after its start. */
export function isDivisible({ from, to }: Slice): boolean {
	return to - from > 1;
}

/** Into how many pieces a slice is cut that holds more rows than one response. */
export function piecesOf(page: Page<unknown>, pageSize: number): number {
	return Math.max(2, Math.ceil(largestTotal(page) / (pageSize * FILL)));
}

/**
 * Cuts a range wherever, by the given dates, a slice is full.
 *
 * @param dates of the known rows, one list for each array, in milliseconds since 1970, in any order
 * @param pageSize rows of one response
 * @returns slices without a gap, oldest first; no array has more than four fifths of a page of known rows in one of them
 */
export function cutByDates({ from, to }: Slice, dates: number[][], pageSize: number): Slice[] {
	const wanted = Math.max(1, Math.floor(pageSize * FILL));
	const marks = dates.flatMap((list) =>
		list
			.filter((date) => date > from && date < to)
			.sort((a, b) => a - b)
			.filter((_date, index) => index % wanted === wanted - 1),
	);
	const bounds = [from, ...new Set(marks.sort((a, b) => a - b)), to];
	return bounds.slice(1).map((bound, index) => ({ from: bounds[index], to: bound }));
}

/** Cuts a slice into pieces of equal length, at most 20. */
export function cutEvenly({ from, to }: Slice, wanted: number): Slice[] {
	const pieces = Math.min(wanted, MAX_PIECES, to - from);
	const bound = (index: number) => from + Math.floor(((to - from) * index) / pieces);
	return Array.from({ length: pieces }, (_, index) => ({ from: bound(index), to: bound(index + 1) }));
}

/** Cuts evenly, and around the date that all rows of a page share: those of one batch are soon alone in a millisecond. */
function cutAround(slice: Slice, wanted: number, dates: number[]): Slice[] {
	const [date] = dates;
	const around = dates.every((other) => other === date) ? [date - 1, date, date + 1] : [];
	const inside = around.filter((bound) => bound > slice.from && bound < slice.to);
	const starts = [...cutEvenly(slice, wanted).map(({ from }) => from), ...inside];
	const bounds = [...new Set([...starts, slice.to])].sort((a, b) => a - b);
	return bounds.slice(1).map((to, index) => ({ from: bounds[index], to }));
}

/** Joins slices that touch, oldest first. */
export function joined<Part extends Slice>(slices: Part[]): Part[] {
	const all: Part[] = [];
	for (const slice of [...slices].sort((a, b) => a.from - b.from)) {
		const last = all.at(-1);
		if (last && slice.from <= last.to) all[all.length - 1] = { ...last, to: Math.max(last.to, slice.to) };
		else all.push(slice);
	}
	return all;
}
