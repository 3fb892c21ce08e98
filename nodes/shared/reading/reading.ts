import type { FetchPage, Slice } from '../exportApi/page';

/** What to read, and how. */
export interface Reading<Row> {
	range: Slice;
	fetchPage: FetchPage<Row>;
	/** The date that the range selects by, in milliseconds since 1970; NaN for a row without one. */
	dateOf: (row: Row) => number;
	/** When a row appeared in the list, in milliseconds since 1970; NaN if unknown. */
	appearedAt: (row: Row) => number;
	/** Concurrent requests. */
	concurrency: number;
	/** Whether to continue with what can still be read when a request fails. */
	continueOnError?: boolean;
	/** Says more about an error that ends the reading. */
	explain?: (error: unknown) => unknown;
}

/** How far clocks of one service may differ, and how long a row may take to appear, in milliseconds. */
const CLOCK_SLACK_MS = 60_000;

/**
 * Whether a row was listed before a response.
 *
 * @param at the latest time that the response can show, in milliseconds since 1970
 */
export function isOld<Row>({ appearedAt }: Reading<Row>, row: Row, at: number): boolean {
	return appearedAt(row) < at - CLOCK_SLACK_MS;
}
