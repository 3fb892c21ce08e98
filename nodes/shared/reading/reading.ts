import {
	idReader,
	type ExportClient,
	type ListQuery,
	type Page,
	type PageQuery,
	type PageResponse,
	type Slice,
} from '../exportApi/client';
import { dateOf } from '../exportApi/rows';
import { POLICY, RequestError } from '../http';
import { Report } from './report';

/** What to read, and how. */
export interface ReadOptions {
	client: Pick<ExportClient, 'page'>;
	list: ListQuery;
	range: Slice;
	/** Concurrent requests. */
	concurrency: number;
	/** Rows to output; all unless set. */
	maxRows?: number;
	/** Whether to continue with what can still be read when a request fails. */
	continueOnError?: boolean;
	/** Says more about an error that ends the reading, after so many requests. */
	explain?: (error: unknown, requests: number) => unknown;
}

/** How far clocks of one service may differ, and how long a row may take to appear, in milliseconds. */
const CLOCK_SLACK_MS = 60_000;

/** Reads one list once: requests its pages, and decides which failures it survives. */
export class Reading {
	readonly report: Report;
	/** Whether a request was successful. */
	hasRead = false;
	firstError: RequestError | undefined;
	lastError: RequestError | undefined;
	private failuresInRow = 0;

	constructor(readonly options: ReadOptions) {
		this.report = new Report(idReader(options.list.arrays), options.maxRows);
	}

	/** Whether so many requests have failed in a row that no further one is made. */
	get isDown(): boolean {
		return this.failuresInRow >= POLICY.hopelessPages;
	}

	/** The date that the range selects by, in milliseconds since 1970; NaN for a row without one. */
	dateOf = (row: unknown): number => {
		return dateOf(row, this.options.list.dateType ?? 'date');
	};

	/**
	 * Whether a row was listed before a response.
	 * @param at the latest time that the response can show, in milliseconds since 1970
	 */
	isOld(row: unknown, at: number): boolean {
		return dateOf(row, 'processedDate') < at - CLOCK_SLACK_MS;
	}

	/**
	 * Requests a page.
	 * @returns the response, or the failure if the reading survives it
	 * @throws any other failure
	 */
	async send(query: PageQuery): Promise<PageResponse | RequestError> {
		const { client, list } = this.options;
		this.report.requests++;
		return await client.page(list, query).catch((error: unknown) => this.tolerated(error));
	}

	/** Parses the next response in order. @returns and @throws as {@link send} */
	read(response: PageResponse | RequestError): Page | RequestError {
		const page = response instanceof RequestError ? response : this.parsed(response);
		if (page instanceof RequestError) {
			this.failuresInRow++;
			this.firstError ??= page;
			this.lastError = page;
		} else {
			this.failuresInRow = 0;
			this.hasRead = true;
		}
		return page;
	}

	/** @returns the error if the reading survives it. @throws it otherwise, explained */
	private tolerated(error: unknown): RequestError {
		const { explain } = this.options;
		const isTolerable = this.options.continueOnError === true && error instanceof RequestError;
		// What refuses the key, or the very first request, refuses every other one.
		const refusal = this.hasRead ? /^40[13]$/ : /^4/;
		if (!isTolerable || refusal.test(String(error.details.status))) {
			throw explain ? explain(error, this.report.requests) : error;
		}
		return error;
	}

	private parsed(response: PageResponse): Page | RequestError {
		try {
			return response.read();
		} catch (error) {
			return this.tolerated(error);
		}
	}
}
