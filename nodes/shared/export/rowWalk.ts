import { mapOrdered } from '../concurrency/mapOrdered';
import { PAGE_LIMIT } from '../contract';
import { IdSet } from './idSet';

/** One page of one array, with that array's own total (never `totalPages`, which is the maximum of three). */
export interface ArrayPage<Row> {
	total: number;
	/** Reads the rows one by one; called once, when all earlier pages have been handed over. */
	rows: () => Iterable<Row>;
}

export interface RowWalkOptions<Row> {
	/**
	 * Fetches one page, counted from 1: one entry for each array that is asked for, always in the same order. May call
	 * `answered` once the answer is there: the next request then starts before this answer is read.
	 */
	fetchPage: (page: number, limit: number, answered: () => void) => Promise<Array<ArrayPage<Row>>>;
	/** What makes a row the same row; undefined where a row has no ID. */
	idOf: (row: Row) => string | undefined;
	/** Pages under way at once after the first; at least 1. */
	concurrency: number;
	/** Stop after this many rows; no page is fetched that only later rows need. */
	maxRows?: number;
	/** How often all pages are read at most, until one reading is consistent in itself. */
	maxPasses?: number;
}

/** Rows are handed over so many at a time: the fewer are held at once, the less garbage outlives them. */
const BATCH_ROWS = 10;

/** Rows of one page that this pass had not met yet, in the service's order. */
export interface Batch<Row> {
	/** From 1; a higher one starts over, because the rows had moved between the pages. */
	pass: number;
	rows: Row[];
	/** Those of `rows` that no earlier pass had met; over all passes no more than the Limit. */
	fresh: Row[];
	/** More rows of the same page follow. */
	isPart?: boolean;
}

/**
 * Reads one or several arrays of POST /export/conversations to the end, although the service may gain and lose rows
 * meanwhile and every such change shifts the later pages (D1 § POST /export/conversations, rules 2 and 3).
 *
 * A pass is consistent when no total shrank and as many different rows came as the last total says: then it holds
 * exactly the service's rows. Otherwise all pages are read again. While nothing moves, there are as many requests as
 * pages.
 */
export class RowWalk<Row> {
	/** Requests answered, over all passes. */
	requests = 0;

	/** The pass under way, or the last one. */
	pass = 0;

	/** Pages handed over in this pass. */
	deliveredPages = 0;

	/** Different rows handed over in this pass. */
	rows = 0;

	/** Rows that came more than once within a pass. */
	duplicates = 0;

	/** Latest total of each array. */
	totals: number[] = [];

	/** Whether the last pass was consistent in itself. */
	consistent = true;

	private readonly ids = new IdSet();

	private readonly limit: number;

	private readonly maxRows: number;

	private nextPage = 1;

	private shrank = false;

	private passDuplicates = 0;

	/** Rows handed over as fresh, over all passes. */
	private freshRows = 0;

	constructor(private readonly options: RowWalkOptions<Row>) {
		this.maxRows = options.maxRows ?? Infinity;
		this.limit = Math.min(PAGE_LIMIT.max, this.maxRows);
	}

	/** Sum of the totals. */
	get total(): number {
		return this.totals.reduce((sum, total) => sum + total, 0);
	}

	/** Pages that the latest totals amount to, under the Limit. */
	get pages(): number {
		const most = Math.max(0, ...this.totals);
		return Math.ceil(Math.min(most, this.maxRows + this.passDuplicates) / this.limit);
	}

	/** Rows that the service counted but did not list; negative when it listed more than it counted. */
	get missing(): number {
		return Math.min(this.total, this.maxRows) - this.rows;
	}

	/** Rows of earlier passes that the last pass no longer met: they were removed meanwhile. */
	get vanished(): number {
		return this.pass > 1 ? Math.max(0, this.ids.size - this.rows) : 0;
	}

	/**
	 * @yields the rows of page after page, in order; at least one batch for each page
	 * @throws what `fetchPage` throws: a page that fails fails the walk; `deliveredPages` tells how far it came
	 */
	async *batches(): AsyncGenerator<Batch<Row>> {
		const { maxPasses = 3 } = this.options;
		do {
			this.startPass();
			yield* this.readPass();
			this.consistent = !this.shrank && this.missing === 0;
		} while (!this.consistent && this.pass < maxPasses);
	}

	private startPass(): void {
		this.pass++;
		this.nextPage = 1;
		this.deliveredPages = 0;
		this.rows = 0;
		this.passDuplicates = 0;
		this.totals = [];
		this.shrank = false;
	}

	private async *readPass(): AsyncGenerator<Batch<Row>> {
		yield* this.take(await this.fetch(1));
		this.nextPage = 2;
		// Rows that came twice can leave a Limit unfilled, and a total can grow with the last page.
		while (this.hasNext()) {
			for await (const arrays of mapOrdered(this.pageNumbers(), this.options.concurrency, this.fetch)) {
				yield* this.take(arrays);
			}
		}
	}

	private hasNext(): boolean {
		return this.nextPage <= this.pages && this.rows < this.maxRows;
	}

	/** Not a generator: after it has ended, a grown total makes it go on. */
	private pageNumbers(): Iterable<number> {
		const next = (): IteratorResult<number, undefined> =>
			this.hasNext() ? { value: this.nextPage++ } : { done: true, value: undefined };
		return { [Symbol.iterator]: () => ({ next }) };
	}

	private readonly fetch = async (
		page: number,
		_index?: number,
		answered = () => {},
	): Promise<Array<ArrayPage<Row>>> => {
		const arrays = await this.options.fetchPage(page, this.limit, answered);
		this.requests++;
		// Looked at as the answers come, not in page order: the latest answer knows best.
		const totals = arrays.map(({ total }) => total);
		this.shrank ||= totals.some((total, index) => total < (this.totals[index] ?? 0));
		this.totals = totals;
		return arrays;
	};

	private *take(arrays: Array<ArrayPage<Row>>): Generator<Batch<Row>> {
		let batch = this.newBatch();
		for (const row of rowsOf(arrays)) {
			if (this.rows >= this.maxRows) break;
			const id = this.options.idOf(row);
			const sighting = id === undefined ? (this.pass === 1 ? 'new' : 'again') : this.ids.add(id, this.pass);
			if (sighting === 'duplicate') {
				this.passDuplicates++;
				this.duplicates++;
				continue;
			}
			this.rows++;
			batch.rows.push(row);
			if (sighting === 'new' && this.freshRows < this.maxRows) {
				this.freshRows++;
				batch.fresh.push(row);
			}
			if (batch.rows.length < BATCH_ROWS) continue;
			yield { ...batch, isPart: true };
			batch = this.newBatch();
		}
		this.deliveredPages++;
		yield batch;
	}

	private newBatch(): Batch<Row> {
		return { pass: this.pass, rows: [], fresh: [] };
	}
}

function* rowsOf<Row>(arrays: Array<ArrayPage<Row>>): Generator<Row> {
	for (const { rows } of arrays) yield* rows();
}
