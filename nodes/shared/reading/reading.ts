import {
	idReader,
	maxOf,
	type ArrayName,
	type ExportClient,
	type ListQuery,
	type Page,
	type PageQuery,
	type PageResponse,
	type Slice,
} from '../exportApi/client';
import { contentOf, dateOf } from '../exportApi/rows';
import { POLICY } from '../http/policy';
import { RequestError } from '../http/requestErrors';

export interface Missing {
	/** Rows that the service counted but did not list. */
	unlisted: number;
	/** Set if more than 50 rows share a millisecond, so that they came in pages; `unsettled` when those kept changing. */
	paged?: 'settled' | 'unsettled';
	error?: RequestError;
}

/** What a reading has found so far: how much it read, and what is missing. */
export class Report {
	requests = 0;
	/** Pages, or slices with rows, that the output comes from. */
	pages = 0;
	totals: number[] = [];
	unlisted = 0;
	paged: Missing['paged'];
	/** Rows of a page, at most, beyond those it was asked for: they were not read there. */
	surplus = 0;
	/** Whether the date of a row that was sorted cannot be read, so that the order is not known. */
	isUndated = false;
	private readonly skipped: Array<Slice & { error: RequestError }> = [];
	private readonly ids = new Set<string>();

	/** What a row is known by: its ID, or its content if it has none. */
	readonly idOf: (row: unknown) => string;

	constructor(arrays: ArrayName[]) {
		const idIn = idReader(arrays);
		this.idOf = (row) => idIn(row) ?? contentOf(row);
	}

	get total(): number {
		return sumOf(this.totals);
	}

	get rows(): number {
		return this.ids.size;
	}

	/** What could not be read, oldest first; only if the reading continues on errors. */
	get gaps() {
		return joinedSlices(this.skipped);
	}

	/** The rows that were not taken before, so that each is output once. */
	take(rows: unknown[]): unknown[] {
		return rows.filter((row) => {
			const known = this.ids.size;
			return this.ids.add(this.idOf(row)).size > known;
		});
	}

	note({ from, to, unlisted, paged, error }: Slice & Missing): void {
		this.unlisted += unlisted;
		if (paged && this.paged !== 'unsettled') this.paged = paged;
		if (error) this.skipped.push({ from, to, error });
	}
}

export function joinedSlices<Part extends Slice>(slices: Part[]): Part[] {
	const all: Part[] = [];
	for (const slice of [...slices].sort((a, b) => a.from - b.from)) {
		const last = all.at(-1);
		if (last && slice.from <= last.to) all[all.length - 1] = { ...last, to: Math.max(last.to, slice.to) };
		else all.push(slice);
	}
	return all;
}

export const sumOf = (numbers: number[]): number => numbers.reduce((sum, number) => sum + number, 0);

export const rowsOf = ({ lists }: Page): unknown[] => lists.flatMap(({ rows }) => rows);

export const lengthOf = ({ lists }: Page): number => maxOf(lists.map(({ rows }) => rows.length));

export interface ReadOptions {
	client: Pick<ExportClient, 'page'>;
	list: ListQuery;
	range: Slice;
	concurrency: number;
	/** Whether to continue with what can still be read when a request fails. */
	continueOnError?: boolean;
	/** Says more about an error that ends the reading, after so many requests. */
	explain?: (error: unknown, requests: number) => unknown;
}

/** The length of shorter pages that together make a whole one: 10 rows instead of 50, then 2, then 1. */
function partOf(limit: number): number {
	for (let part = Math.floor(limit / 3); part > 1; part--) if (limit % part === 0) return part;
	return 1;
}

/** How far clocks of one service may differ, and how long a row may take to appear, in milliseconds. */
const CLOCK_SLACK_MS = 60_000;

/** Reads one list once: requests its pages, and decides which failures it survives. */
export class Reading {
	readonly report: Report;
	hasRead = false;
	firstError: RequestError | undefined;
	lastError: RequestError | undefined;
	private failuresInRow = 0;

	constructor(readonly options: ReadOptions) {
		this.report = new Report(options.list.arrays);
	}

	/** Whether so many requests have failed in a row that no further one is made. */
	get isDown(): boolean {
		return this.failuresInRow >= POLICY.hopelessPages;
	}

	/** The date that the range selects by, in milliseconds since 1970; NaN for a row without one. */
	dateOf = (row: unknown): number => dateOf(row, this.options.list.dateType ?? 'date');

	/** Whether a row was listed before a response that can show what is not later than `at`. */
	isOld(row: unknown, at: number): boolean {
		return dateOf(row, 'processedDate') < at - CLOCK_SLACK_MS;
	}

	/** Requests a page. @returns the response, or the failure if the reading survives it. @throws any other failure */
	async ask(query: PageQuery): Promise<PageResponse | RequestError> {
		return await this.request(query).catch((error: unknown) => this.tolerated(error));
	}

	/** Requests a page, and if that may be too large for the service or a gateway, a shorter one or several of them. */
	private async request(query: PageQuery): Promise<PageResponse> {
		const { client, list } = this.options;
		this.report.requests++;
		return await client.page(list, query).catch(async (error: unknown) => {
			if (!(error instanceof RequestError && error.mayBeTooLarge && query.limit > 1)) throw error;
			return await this.inParts(query).catch(() => {
				throw error;
			});
		});
	}

	/** A first page is only shorter, because its reader goes on where it ends; any other is joined from shorter ones. */
	private async inParts({ page, limit, ...slice }: PageQuery): Promise<PageResponse> {
		const part = partOf(limit);
		if (page === 1) return await this.request({ ...slice, page, limit: part });
		const responses: PageResponse[] = [];
		for (let at = ((page - 1) * limit) / part + 1; at <= (page * limit) / part; at++) {
			responses.push(await this.request({ ...slice, page: at, limit: part }));
		}
		const read = async () => this.joined(await Promise.all(responses.map((one) => one.read())), limit);
		return { at: responses[0].at, read };
	}

	/** Joins pages that follow each other. A row that moved from one to the next is in both. */
	private joined(parts: Page[], limit: number): Page {
		const last = parts[parts.length - 1];
		const lists = last.lists.map(({ total }, index) => {
			const rows = parts.flatMap((part) => part.lists[index].rows);
			return { total, rows: [...new Map(rows.map((row) => [this.report.idOf(row), row])).values()] };
		});
		const isSteady = new Set(parts.map((part) => part.lists.map(({ total }) => total).join())).size === 1;
		const pages = Math.ceil((last.pages * last.limit) / limit);
		return { lists, pages, limit, isSteady, surplus: maxOf(parts.map(({ surplus }) => surplus)) };
	}

	/** Parses the next response in order. @returns and @throws as {@link ask} */
	async parse(response: PageResponse | RequestError): Promise<Page | RequestError> {
		let page: Page | RequestError;
		try {
			page = response instanceof RequestError ? response : await response.read();
		} catch (error) {
			page = this.tolerated(error);
		}
		if (page instanceof RequestError) {
			this.failuresInRow++;
			this.firstError ??= page;
			this.lastError = page;
		} else {
			this.failuresInRow = 0;
			this.hasRead = true;
			this.report.surplus = Math.max(this.report.surplus, page.surplus);
		}
		return page;
	}

	/** @returns the error if the reading survives it. @throws it otherwise, explained */
	private tolerated(error: unknown): RequestError {
		const { explain, continueOnError } = this.options;
		// What refuses the key, or the very first request, refuses every other one.
		const refusal = this.hasRead ? /^40[13]$/ : /^4/;
		if (continueOnError && error instanceof RequestError && !refusal.test(String(error.details.status)))
			return error;
		throw explain ? explain(error, this.report.requests) : error;
	}
}

/** Maximum pieces of equal length that a slice is cut into at once; each is cut again if necessary. */
const MAX_PIECES = 1000;

/** Ends of pieces of equal length, as distances from the beginning. */
export function evenly(from: number, to: number, wanted: number): number[] {
	const pieces = Math.max(1, Math.min(wanted, MAX_PIECES));
	return Array.from({ length: pieces }, (_, index) => from + ((to - from) * (index + 1)) / pieces);
}
