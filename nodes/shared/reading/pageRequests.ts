import { RequestError } from '../http';
import { mapOrdered } from '../concurrency/mapOrdered';
import type { FetchPage, Page, PageQuery, PageResponse } from './page';

/** What a request gave. */
export type Outcome<Row, Query> = { query: Query } & (
	| { page: Page<Row>; at: number; error?: undefined }
	| { page?: undefined; at?: undefined; error: RequestError }
);

/** After this many failed requests in a row, the service counts as down. */
const MAX_FAILURES = 10;

/** Requests pages in parallel, counts them, and decides which failures an export survives. */
export class PageRequests<Row> {
	/** Requests so far, failed ones included. */
	count = 0;
	/** Whether a request was successful. */
	hasRead = false;
	lastError: RequestError | undefined;
	private failuresInRow = 0;

	/**
	 * @param concurrency concurrent requests; called again as they end
	 * @param keepsGoing whether to continue with what can still be read when a request fails
	 */
	constructor(
		private readonly fetchPage: FetchPage<Row>,
		private readonly concurrency: () => number,
		private readonly keepsGoing: boolean,
	) {}

	/** Whether so many requests have failed in a row that no further one is made. */
	get isDown(): boolean {
		return this.failuresInRow >= MAX_FAILURES;
	}

	fetch: FetchPage<Row> = async (query) => {
		this.count++;
		return await this.fetchPage(query);
	};

	/**
	 * Requests pages, several at a time, and yields the outcomes in order.
	 *
	 * @param next the next query; asked again after each outcome, so that there can be more
	 * @throws the first failure that the export does not survive
	 */
	async *read<Query extends PageQuery>(next: () => Query | undefined): AsyncGenerator<Outcome<Row, Query>> {
		const queries = {
			[Symbol.iterator]: () => ({
				next: (): IteratorResult<Query, undefined> => {
					const value = this.isDown ? undefined : next();
					return value ? { value } : { done: true, value };
				},
			}),
		};
		const task = async (query: Query) => {
			const response = await this.fetch(query).catch((error: unknown) => this.tolerated(error));
			return { query, response };
		};
		for (let hasMore = true; hasMore; ) {
			hasMore = false;
			for await (const { query, response } of mapOrdered(queries, this.concurrency, task)) {
				hasMore = true;
				yield { query, ...this.outcomeOf(response) };
			}
		}
	}

	/** @returns the error if the export survives it. @throws the error otherwise */
	tolerated(error: unknown): RequestError {
		const isTolerable = this.keepsGoing && error instanceof RequestError;
		// What refuses the key, or the very first request, refuses every other one.
		const refusal = this.hasRead ? /^40[13]$/ : /^4/;
		if (!isTolerable || refusal.test(String(error.details.status))) throw error;
		return error;
	}

	private outcomeOf(response: PageResponse<Row> | RequestError) {
		const read = response instanceof RequestError ? response : this.parsed(response);
		if (read instanceof RequestError) {
			this.failuresInRow++;
			this.lastError = read;
			return { error: read };
		}
		this.failuresInRow = 0;
		this.hasRead = true;
		return read;
	}

	private parsed(response: PageResponse<Row>) {
		try {
			return { page: response.read(), at: response.at };
		} catch (error) {
			return this.tolerated(error);
		}
	}
}
