/** A stretch of time: both ends belong to it, in milliseconds since 1970; the end is later than the start. */
export interface Stretch {
	from: number;
	to: number;
}

/** One page of a stretch: `page` counts from 1, `limit` is 1 to 50. */
export interface PageQuery extends Stretch {
	page: number;
	limit: number;
}

/** One answer of the service: a page of each requested array, always in the same order. */
export interface PageAnswer<Row> {
	/** Each with its array's own total (`totalPages` is the maximum of three); `rows` reads one by one and is called once. */
	lists: Array<{ total: number; rows: () => Iterable<Row> }>;
	/** When it was sent, by the service's clock, in milliseconds since 1970. */
	at: number;
}

/** Fetches one page; calls `answered` when the answer has arrived, so that the next request starts before it is read. */
export type FetchPage<Row> = (query: PageQuery, answered?: () => void) => Promise<PageAnswer<Row>>;

/** The sum of an answer's totals, and the largest one, which decides how many pages there are. */
export function totalsOf({ lists }: PageAnswer<unknown>): { sum: number; most: number } {
	const totals = lists.map(({ total }) => total);
	return { sum: totals.reduce((sum, total) => sum + total, 0), most: Math.max(0, ...totals) };
}

/** All rows of an answer, array by array. */
export function* rowsOf<Row>({ lists }: PageAnswer<Row>): Generator<Row> {
	for (const { rows } of lists) yield* rows();
}
