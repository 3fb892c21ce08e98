/** A slice of time: both ends belong to it, in milliseconds since 1970; the end is later than the start. */
export interface Slice {
	from: number;
	to: number;
}

/** One page of a slice: `page` counts from 1, `limit` is 1 to 50. */
export interface PageQuery extends Slice {
	page: number;
	limit: number;
}

/** One page of each requested array, always in the same order. */
export interface Page<Row> {
	/** At least one, each with the rows that the service counts in the whole slice. */
	lists: Array<{ total: number; rows: Row[] }>;
	/** How many pages the slice has according to the service. */
	pages: number;
}

/** A response that is parsed only when it is consumed: one that waits costs no more than its bytes. */
export interface PageResponse<Row> {
	/** The latest time that it can show, in milliseconds since 1970. */
	at: number;
	/** When it was sent by the service's own clock, in milliseconds since 1970; undefined if it does not say. */
	date?: number;
	/**
	 * Parses the response, once.
	 *
	 * @throws RequestError when it is not what the API documentation describes
	 */
	read(): Page<Row>;
}

export type FetchPage<Row> = (query: PageQuery) => Promise<PageResponse<Row>>;

/** All rows of a page, array by array. */
export function rowsOf<Row>({ lists }: Page<Row>): Row[] {
	return lists.flatMap(({ rows }) => rows);
}

/** Rows that the service counts in all lists of a page. */
export function totalOf({ lists }: Page<unknown>): number {
	return lists.reduce((sum, { total }) => sum + total, 0);
}

/** Rows of the longest list of a page. */
export function lengthOf({ lists }: Page<unknown>): number {
	return Math.max(...lists.map(({ rows }) => rows.length));
}

/** The largest total of a page. */
export function largestTotal({ lists }: Pick<Page<unknown>, 'lists'>): number {
	return Math.max(...lists.map(({ total }) => total));
}
