import { mapOrdered } from '../concurrency/mapOrdered';
import { PAGE_LIMIT } from '../contract';

/** One page of one array, with that array's own total (never `totalPages`, which is the maximum of three). */
export interface Page<Row> {
	rows: Row[];
	total: number;
}

export interface WalkOptions {
	/** Pages under way at once after the first; at least 1. */
	concurrency: number;
	/** Stop after this many rows; no page is fetched that only later rows need. */
	maxRows?: number;
}

/**
 * Walks one array of POST /export/conversations: page 1 first, then the rest in parallel, results in page order
 * (D1 § POST /export/conversations, rules 2 and 3).
 *
 * @param fetchPage fetches one page, counted from 1, of at most `limit` rows
 * @yields pages in order
 * @throws what `fetchPage` throws: a page that fails fails the walk, it is never skipped
 */
export async function* walkPages<Row>(
	fetchPage: (page: number, limit: number) => Promise<Page<Row>>,
	{ concurrency, maxRows = Infinity }: WalkOptions,
): AsyncGenerator<Page<Row>> {
	const limit = Math.min(PAGE_LIMIT.max, maxRows);
	const first = await fetchPage(1, limit);
	yield first;
	const pages = Math.ceil(Math.min(first.total, maxRows) / limit);
	yield* mapOrdered(pageNumbers(2, pages), concurrency, async (page) => await fetchPage(page, limit));
}

function* pageNumbers(from: number, to: number): Generator<number> {
	for (let page = from; page <= to; page++) yield page;
}
