import type { FetchPage, Page, PageQuery, PageResponse } from '../exportApi/page';
import { RequestError } from '../http';
import type { Reading } from './reading';
import type { Report } from './report';

/** After this many failed requests in a row, the service counts as down. */
const MAX_FAILURES = 10;

/** Requests pages, counts them, and decides which failures a reading survives. */
export class Requests<Row> {
	/** Whether a request was successful. */
	hasRead = false;
	lastError: RequestError | undefined;
	private failuresInRow = 0;

	constructor(
		private readonly reading: Reading<Row>,
		private readonly report: Report<Row>,
	) {}

	/** Whether so many requests have failed in a row that no further one is made. */
	get isDown(): boolean {
		return this.failuresInRow >= MAX_FAILURES;
	}

	fetch: FetchPage<Row> = async (query) => {
		this.report.requests++;
		return await this.reading.fetchPage(query);
	};

	/**
	 * Sends a request.
	 *
	 * @returns the response, or the failure if the reading survives it
	 * @throws any other failure
	 */
	async send(query: PageQuery): Promise<PageResponse<Row> | RequestError> {
		return await this.fetch(query).catch((error: unknown) => this.tolerated(error));
	}

	/** Parses the next response in order. @returns and @throws as {@link send} */
	read(response: PageResponse<Row> | RequestError): Page<Row> | RequestError {
		const page = response instanceof RequestError ? response : this.parsed(response);
		if (page instanceof RequestError) {
			this.failuresInRow++;
			this.lastError = page;
		} else {
			this.failuresInRow = 0;
			this.hasRead = true;
		}
		return page;
	}

	/** @returns the error if the reading survives it. @throws it otherwise, explained */
	tolerated(error: unknown): RequestError {
		const isTolerable = this.reading.continueOnError === true && error instanceof RequestError;
		// What refuses the key, or the very first request, refuses every other one.
		const refusal = this.hasRead ? /^40[13]$/ : /^4/;
		if (!isTolerable || refusal.test(String(error.details.status))) throw this.explained(error);
		return error;
	}

	/** An error that ends the reading. */
	explained(error: unknown): unknown {
		return this.reading.explain ? this.reading.explain(error) : error;
	}

	private parsed(response: PageResponse<Row>): Page<Row> | RequestError {
		try {
			return response.read();
		} catch (error) {
			return this.tolerated(error);
		}
	}
}
