import type { RequestError } from '../http';
import { PAGE_LIMIT } from '../exportApi/schemas';
import { NewRows } from './newRows';
import { lengthOf, rowsOf, type FetchPage, type Page, type Slice } from './page';
import { PagePlan } from './pagePlan';
import { PageRequests } from './pageRequests';
import { readInPages } from './readInPages';
import { cutByDates, cutEvenly, isDivisible, isWhole, joined, piecesOf, unlistedIn } from './slices';

export interface ListReaderOptions<Row> {
	range: Slice;
	fetchPage: FetchPage<Row>;
	/** Identifies a row; undefined for a row without an ID. */
	idOf: (row: Row) => string | undefined;
	/** The date that the range selects by, in milliseconds since 1970; NaN for a row without one. */
	dateOf: (row: Row) => number;
	/** When a row appeared in the list, in milliseconds since 1970; NaN if unknown. */
	appearedAt: (row: Row) => number;
	/** Concurrent requests after the first page; called again as they end. */
	concurrency: () => number;
	/** Stop after this many rows, without fetching further pages. */
	maxRows?: number;
	/** Whether to continue with what can still be read when a request fails. */
	keepsGoing?: boolean;
}

export interface Gap extends Slice {
	error: RequestError;
}

/** A slice to read, and how often one around it failed. */
type OpenSlice = Slice & { failures?: number };

/** How far clocks of one service may differ, and how long a row may take to appear, in milliseconds. */
const CLOCK_SLACK_MS = 60_000;

/** Into how many pieces a range is cut whose first page fails, and a slice that fails. */
const PIECES_OF_FAILED = 5;

/** How often a slice that fails is cut: first by the known dates, because a page that failed is between two of them. */
const MAX_CUTS = 2;

/** Most requests per page of different rows, before no slice is read any more, and in all. */
const MAX_SLICE_REQUESTS = 3;
const MAX_REQUESTS = 4;
/** Most requests besides. */
const MAX_EXTRA_REQUESTS = 100;

/**
 * Reads a range of POST /export/conversations exactly, even while rows appear or disappear and shift the later
 * pages (D1-EXP-02, D1-EXP-03).
 *
 * The fast pass reads all pages, one request each. It counts when no total changed, as many different rows came as
 * it says, and all of them are older than the first response. Otherwise the range is read again in slices of time that
 * one response holds.
 *
 * What exists throughout is output exactly once, or {@link isComplete} is false; rows that appear or disappear
 * during it may be missing. Whatever the service counts, the requests are at most four times the pages that the rows
 * make, and about 100 more.
 */
export class ListReader<Row> {
	/** The latest total of each array. */
	totals: number[] = [];
	/** Rows that the service counted but did not list. */
	unlisted = 0;
	/** Whether slices had to be read in pages, and whether those kept changing. */
	paged: 'settled' | 'unsettled' | undefined;
	/** Whether the range was read again in slices. */
	isReread = false;

	private readonly service: PageRequests<Row>;
	private readonly output: NewRows<Row>;
	private readonly plan: PagePlan;
	private readonly skipped: Gap[] = [];
	private readonly dates: number[][] = [];
	/** The latest time that the first response can show, in milliseconds since 1970. */
	private openedAt = NaN;
	/** Whether pages may have shifted, or one is missing. */
	private isInconsistent = false;

	constructor(private readonly options: ListReaderOptions<Row>) {
		const { fetchPage, concurrency, keepsGoing = false, idOf, maxRows = Infinity, range } = options;
		this.service = new PageRequests(fetchPage, concurrency, keepsGoing);
		this.output = new NewRows(idOf, maxRows);
		this.plan = new PagePlan(range, maxRows);
	}

	/** Requests so far, failed ones included. */
	get requests(): number {
		return this.service.count;
	}

	/** Different rows output so far. */
	get rows(): number {
		return this.output.count;
	}

	/** Pages of the list as it was counted last. */
	get pages(): number {
		return this.total === 0 ? 0 : this.plan.last;
	}

	get total(): number {
		return this.totals.reduce((sum, total) => sum + total, 0);
	}

	/** What could not be read, oldest first; only with `keepsGoing`. */
	get gaps(): Gap[] {
		return joined(this.skipped);
	}

	/** Whether rows without an ID may be missing or repeated, because the list was read again. */
	get hasUnidentified(): boolean {
		return this.isReread && this.output.hasUnidentified;
	}

	/** Whether everything was output that existed throughout: not if the limit cut the list. */
	get isComplete(): boolean {
		if (this.output.isFull) return this.rows >= this.total && !this.isInconsistent;
		const isExact = this.unlisted === 0 && this.paged !== 'unsettled';
		return isExact && this.skipped.length === 0 && !this.hasUnidentified;
	}

	/**
	 * @yields rows in the service's order, a few at a time
	 * @throws what `fetchPage` throws; with `keepsGoing` only when nothing could be read, or for another error
	 */
	async *batches(): AsyncGenerator<Row[]> {
		yield* this.fastPass();
		if (this.output.isFull || !this.isInconsistent) return;
		this.isReread = true;
		yield* this.readAgain();
	}

	private async *fastPass(): AsyncGenerator<Row[]> {
		let firstTotal: number | undefined;
		const next = () => (this.output.isFull ? undefined : this.plan.nextQuery());
		for await (const { query, page, at } of this.service.read(next)) {
			if (page === undefined) {
				this.isInconsistent = true;
				continue;
			}
			if (firstTotal === undefined) this.openedAt = at;
			this.compare(page, query.page);
			firstTotal ??= this.total;
			const { count } = this.output;
			for (const { rows } of page.lists) yield* this.output.of(rows);
			this.plan.add(page, query.page, this.rows > count, this.output.duplicates);
		}
		this.isInconsistent ||= this.plan.hasEmptyPage || this.rows !== firstTotal;
	}

	/** Notes the dates of a page, and whether it can have shifted since the first one. */
	private compare({ lists }: Page<Row>, number: number): void {
		const totals = lists.map(({ total }) => total);
		this.isInconsistent ||= this.totals.some((total, index) => total !== totals[index]);
		this.totals = totals;
		for (const [index, { rows }] of lists.entries()) {
			const dates = (this.dates[index] ??= []);
			for (const row of rows) {
				dates.push(this.options.dateOf(row));
				// A row on a later page that came after the first response has shifted others.
				this.isInconsistent ||= number > 1 && !this.isOld(row, this.openedAt);
			}
		}
	}

	private isOld(row: Row, at: number): boolean {
		return this.options.appearedAt(row) < at - CLOCK_SLACK_MS;
	}

	private async *readAgain(): AsyncGenerator<Row[]> {
		const { service, output, plan } = this;
		const { range } = this.options;
		const open: OpenSlice[] = service.hasRead
			? cutByDates(range, this.dates, plan.pageSize)
			: cutEvenly(range, PIECES_OF_FAILED);
		const inPages: Slice[] = [];
		const next = () => {
			if (output.isFull) return undefined;
			if (!this.hasRoom(MAX_SLICE_REQUESTS, MAX_EXTRA_REQUESTS / 2)) inPages.push(...open.splice(0));
			const slice = open.shift();
			return slice && { ...slice, page: 1, limit: PAGE_LIMIT.max };
		};
		for await (const { query, page, error } of service.read(next)) {
			if (page === undefined) {
				open.unshift(...this.skip(query, error));
				continue;
			}
			yield* output.of(rowsOf(page), true);
			plan.pageSize = Math.max(plan.pageSize, lengthOf(page));
			if (isWhole(page, plan.pageSize)) this.unlisted += unlistedIn(page);
			else if (isDivisible(query)) open.unshift(...cutEvenly(query, piecesOf(page, plan.pageSize)));
			else inPages.push(query);
		}
		if (service.lastError && !service.hasRead) throw service.lastError;
		for (const slice of joined([...open, ...inPages])) yield* this.readInPages(slice);
	}

	/** Cuts a slice that failed, so that less is lost, or reports it as a gap. */
	private skip(slice: OpenSlice, error: RequestError): OpenSlice[] {
		const { failures = 0 } = slice;
		if (failures === MAX_CUTS || this.service.isDown || !isDivisible(slice)) {
			this.skipped.push({ from: slice.from, to: slice.to, error });
			return [];
		}
		const byDates = cutByDates(slice, this.dates, this.plan.pageSize / PIECES_OF_FAILED);
		const pieces = byDates.length > 1 ? byDates : cutEvenly(slice, PIECES_OF_FAILED);
		return pieces.map((piece) => ({ ...piece, failures: failures + 1 }));
	}

	/** Reads what cannot be cut into slices of one response, or what no request is left for. */
	private async *readInPages({ from, to }: Slice): AsyncGenerator<Row[]> {
		const { service, output, plan } = this;
		if (output.isFull) return;
		if (service.isDown && service.lastError) {
			this.skipped.push({ from, to, error: service.lastError });
			return;
		}
		const reading = readInPages(
			service.fetch,
			{ from, to },
			{
				idOf: this.options.idOf,
				limit: plan.pageSize,
				isOld: (row, at) => this.isOld(row, at),
				hasRoom: () => this.hasRoom(MAX_REQUESTS, MAX_EXTRA_REQUESTS),
			},
		);
		try {
			for (let step = await reading.next(); !output.isFull; step = await reading.next()) {
				if (step.done === true) {
					this.unlisted += step.value.unlisted;
					if (this.paged !== 'unsettled') this.paged = step.value.paged;
					return;
				}
				yield* output.of(step.value, true);
			}
		} catch (error) {
			this.skipped.push({ from, to, error: service.tolerated(error) });
		}
	}

	/** Whether another request stays below so many per page of different IDs, and so many besides. */
	private hasRoom(perPage: number, besides: number): boolean {
		return this.requests < perPage * (this.output.known / this.plan.pageSize) + besides;
	}
}
