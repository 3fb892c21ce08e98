import { rowsOf, totalOf, type FetchPage, type Slice } from '../exportApi/page';

/** How often a slice is read in pages, until one reading is consistent. */
const MAX_READINGS = 3;

export interface PagesOptions<Row> {
	/** Identifies a row; undefined for a row without an ID. */
	idOf: (row: Row) => string | undefined;
	/** Rows of a page. */
	limit: number;
	/** Whether a row was listed before a response of this time, in milliseconds since 1970. */
	isOld: (row: Row, at: number) => boolean;
	/** Whether another request may be made. */
	hasRoom?: () => boolean;
}

/** What a slice that does not fit into one response gave. */
export interface PagesResult {
	/** Rows that the service counted but did not list. */
	unlisted: number;
	paged: 'settled' | 'unsettled';
}

/**
 * Reads a slice of more than 50 rows that cannot be cut, several times if it changes. A reading is
 * consistent when no total changed, as many rows came as it counts, and none of them is new or the previous reading
 * showed the same ones.
 *
 * @yields the rows of each page; those of later readings repeat
 * @throws what `fetchPage` throws
 */
export async function* readInPages<Row>(
	fetchPage: FetchPage<Row>,
	slice: Slice,
	{ idOf, limit, isOld, hasRoom = () => true }: PagesOptions<Row>,
): AsyncGenerator<Row[], PagesResult> {
	let previous = new Set<unknown>();
	for (let reading = 1; ; reading++) {
		const seen = new Set<unknown>();
		const counts = new Set<number>();
		let openedAt: number | undefined;
		let isAllOld = true;
		let hasEnded = false;
		let [pages, maxPages] = [Infinity, Infinity];
		for (let page = 1; page <= Math.min(pages, maxPages); page++) {
			if (!hasRoom()) return { unlisted: 0, paged: 'unsettled' };
			const response = await fetchPage({ ...slice, page, limit });
			const content = response.read();
			openedAt ??= response.at;
			counts.add(totalOf(content));
			const before = seen.size;
			const rows = rowsOf(content);
			for (const row of rows) {
				seen.add(idOf(row) ?? row);
				isAllOld &&= page === 1 || isOld(row, openedAt);
			}
			yield rows;
			// A page without a new row is behind the last one, whatever the service counts.
			hasEnded = seen.size === before && page > 1;
			if (seen.size === before) break;
			pages = content.pages;
			if (page === 1) maxPages = 2 * pages + 1;
		}
		const unlisted = Math.max(0, Math.max(...counts) - seen.size);
		const isSame = previous.size === seen.size && [...seen].every((id) => previous.has(id));
		const isCounted = counts.size === 1 && counts.has(seen.size) && !hasEnded;
		const isSettled = isCounted && (isAllOld || isSame);
		if (isSettled || reading === MAX_READINGS) {
			return { unlisted, paged: isSettled ? 'settled' : 'unsettled' };
		}
		previous = seen;
	}
}
