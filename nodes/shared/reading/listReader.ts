import { NodeApiError } from 'n8n-workflow';
import { mapOrdered } from '../concurrency/mapOrdered';
import { PAGE_LIMIT } from '../exportApi/schemas';
import { IdSet } from './idSet';
import type { FetchPage, PageAnswer, Stretch } from './page';
import { cutByDates, readStretches, type StretchRows } from './slices';

export interface ListReaderOptions<Row> {
	range: Stretch;
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
	/** Whether to continue with what can still be read when a request fails after the first page. */
	keepsGoing?: boolean;
}

export interface Gap extends Stretch {
	error: NodeApiError;
}

/** How far clocks of one service may differ, and how long a row may take to appear, in milliseconds. */
const CLOCK_SLACK_MS = 60_000;

/** Rows to yield at a time: the fewer are in memory at once, the less garbage there is. */
const BATCH_ROWS = 10;

/** After this many failed stretches in a row, the service counts as down. */
const MAX_FAILURES = 2;

/**
 * Reads a range of POST /export/conversations exactly, even if rows appear or disappear meanwhile and shift the
 * later pages (D1-EXP-02, D1-EXP-03).
 *
 * The fast pass reads all pages, one request each. It counts when as many different rows came as the first answer
 * counted, all of them older than it. Otherwise the range is read again in stretches of time that one answer holds.
 *
 * What exists throughout is output exactly once; rows that appear or disappear meanwhile may be missing.
 */
export class ListReader<Row> {
	requests = 0;
	/** Different rows output so far. */
	rows = 0;
	/** The latest total of each array. */
	totals: number[] = [];
	/** Rows that the service counted but did not list. */
	unlisted = 0;
	/** Whether more than 50 rows share a millisecond, and whether those kept changing. */
	paged: StretchRows<Row>['paged'];
	/** Whether the range was read again in stretches. */
	isReread = false;

	private readonly skipped: Gap[] = [];
	/** Stretches that failed in a row. */
	private failures = 0;
	private readonly ids = new IdSet();
	private readonly dates: number[][] = [];
	private readonly limit: number;
	private readonly maxRows: number;
	private nextPage = 2;
	private duplicates = 0;
	/** When the first answer was sent, in milliseconds since 1970. */
	private openedAt = 0;
	/** Whether a total changed, or a row may have appeared after the first answer. */
	private hasChanged = false;

	constructor(private readonly options: ListReaderOptions<Row>) {
		this.maxRows = options.maxRows ?? Infinity;
		this.limit = Math.min(PAGE_LIMIT.max, this.maxRows);
	}

	/** What could not be read, oldest first; only with `keepsGoing`. */
	get gaps(): Gap[] {
		const gaps: Gap[] = [];
		for (const gap of this.skipped.sort((a, b) => a.from - b.from)) {
			const last = gaps.at(-1);
			if (last?.to === gap.from) gaps[gaps.length - 1] = { ...last, to: gap.to };
			else gaps.push(gap);
		}
		return gaps;
	}

	get total(): number {
		return this.totals.reduce((sum, total) => sum + total, 0);
	}

	/** How many pages the totals make, up to the limit. */
	get pages(): number {
		const most = Math.max(0, ...this.totals);
		return Math.ceil(Math.min(most, this.maxRows + this.duplicates) / this.limit);
	}

	/**
	 * @yields rows in the service's order, a few at a time
	 * @throws what `fetchPage` throws; with `keepsGoing` only when nothing could be read, or for another error
	 */
	async *batches(): AsyncGenerator<Row[]> {
		try {
			yield* this.fastPass();
			if (this.rows >= this.maxRows || !this.hasChanged) return;
		} catch (error) {
			const fatal = this.tolerates(error) ? undefined : error;
			if (fatal) throw fatal;
		}
		this.isReread = true;
		yield* this.rereadInStretches();
	}

	private async *fastPass(): AsyncGenerator<Row[]> {
		const first = await this.fetch(1);
		const firstTotal = this.total;
		this.openedAt = first.at;
		yield* this.take(first);
		// Duplicate rows can leave a limit unfilled, and a total can grow with the last page.
		while (this.hasNextPage()) {
			const fetch = async (page: number, _index: number, release: () => void) =>
				await this.fetch(page, release);
			const pages = mapOrdered(this.pageNumbers(), this.options.concurrency, fetch);
			for await (const answer of pages) yield* this.take(answer);
		}
		this.hasChanged ||= this.rows !== firstTotal;
	}

	/** Whether the export may continue without the failed request. */
	private tolerates(error: unknown): error is NodeApiError {
		return this.options.keepsGoing === true && error instanceof NodeApiError && this.requests > 0;
	}

	private hasNextPage(): boolean {
		return this.nextPage <= this.pages && this.rows < this.maxRows;
	}

	/** Not a generator, because it can continue after its end when a total grows. */
	private pageNumbers(): Iterable<number> {
		const next = (): IteratorResult<number, undefined> =>
			this.hasNextPage() ? { value: this.nextPage++ } : { done: true, value: undefined };
		return { [Symbol.iterator]: () => ({ next }) };
	}

	private async fetch(page: number, answered?: () => void): Promise<PageAnswer<Row>> {
		const answer = await this.options.fetchPage({ ...this.options.range, page, limit: this.limit }, answered);
		const totals = answer.lists.map(({ total }) => total);
		this.hasChanged ||= this.requests > 0 && totals.some((total, index) => total !== this.totals[index]);
		this.totals = totals;
		this.requests++;
		return answer;
	}

	private *take({ lists }: PageAnswer<Row>): Generator<Row[]> {
		for (const [index, { total, rows }] of lists.entries()) {
			const dates = (this.dates[index] ??= []);
			const inPages = total > this.limit;
			yield* this.batched(rows(), (row) => {
				dates.push(this.options.dateOf(row));
				// A row processed after the first answer has shifted others; a row without a time may have, too.
				this.hasChanged ||= inPages && !(this.options.appearedAt(row) < this.openedAt - CLOCK_SLACK_MS);
			});
		}
	}

	/** New rows, up to the limit, a few at a time. */
	private *batched(rows: Iterable<Row>, visit?: (row: Row) => void): Generator<Row[]> {
		let batch: Row[] = [];
		for (const row of rows) {
			if (this.rows >= this.maxRows) break;
			visit?.(row);
			const id = this.options.idOf(row);
			// A row without an ID cannot be recognized, so only the first reading outputs it.
			if (id === undefined ? this.isReread : !this.ids.add(id)) {
				this.duplicates++;
				continue;
			}
			this.rows++;
			batch.push(row);
			if (batch.length < BATCH_ROWS) continue;
			yield batch;
			batch = [];
		}
		if (batch.length > 0) yield batch;
	}

	private async *rereadInStretches(): AsyncGenerator<Row[]> {
		const stretches = cutByDates(this.options.range, this.dates);
		const read = async (stretch: Stretch) => await this.readStretch(stretch);
		for await (const parts of mapOrdered(stretches, this.options.concurrency, read)) {
			for (const { rows, unlisted, paged } of parts) {
				this.unlisted += unlisted;
				this.paged = paged === 'unsettled' ? paged : (this.paged ?? paged);
				yield* this.batched(rows);
			}
			if (this.rows >= this.maxRows) return;
		}
	}

	private async readStretch(stretch: Stretch): Promise<Array<StretchRows<Row>>> {
		const fetchPage: FetchPage<Row> = async (query) => {
			const down = this.failures >= MAX_FAILURES ? this.skipped.at(-1)?.error : undefined;
			if (down) throw down;
			const answer = await this.options.fetchPage(query);
			this.requests++;
			this.failures = 0;
			return answer;
		};
		const skips = (skipped: Stretch, error: unknown): boolean => {
			if (!this.tolerates(error)) return false;
			this.failures++;
			this.skipped.push({ ...skipped, error });
			return true;
		};
		const read: Array<StretchRows<Row>> = [];
		for await (const part of readStretches(fetchPage, stretch, this.options.idOf, skips)) read.push(part);
		return read;
	}
}
