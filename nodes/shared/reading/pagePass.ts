import { mapOrdered } from '../concurrency/mapOrdered';
import type { Page, PageQuery, Slice } from '../exportApi/client';
import { PAGE_LIMIT } from '../exportApi/schemas';
import { RequestError } from '../http';
import type { Reading } from './reading';
import { lengthOf, rowsOf, sumOf, type Missing } from './report';

/** How often a slice that cannot be cut is read in pages, until one pass is consistent. */
const MAX_PASSES = 3;

/**
 * One pass over the pages of a slice in the service's order, one request each: the first one alone, the others in
 * parallel. A service can count wrongly, or send fewer rows than asked for.
 */
export class PagePass {
	/** IDs of the rows. */
	readonly seen = new Set<string>();
	/** Dates of the rows of each array, in milliseconds since 1970. */
	readonly dates: number[][] = [];
	/** What the service counted last, array by array. */
	totals: number[] = [];
	/** Rows that a page of this service holds. */
	pageSize: number = PAGE_LIMIT.max;
	/** The last page known. */
	last = 1;
	/** Whether no row appeared since the first response, which would have shifted others. */
	isAllOld = true;
	/** Why a page is missing. */
	failure: RequestError | undefined;
	/** Whether all pages were requested. */
	private isWhole = true;
	/** Whether a page that the service counts had nothing new. */
	private hasEmptyPage = false;
	private next = 1;
	private max = Infinity;
	/** Everything that the service counted. */
	private readonly counts = new Set<string>();
	private largest = 0;

	constructor(
		private readonly reading: Reading,
		private readonly slice: Slice,
		/** Rows of a page. */
		private limit: number,
		/** Whether another request may be made. */
		private readonly hasRoom = () => true,
	) {}

	/** Whether no total changed, and as many different rows came as it says. */
	get isCounted(): boolean {
		const isSteady = this.counts.size === 1 && this.seen.size === this.largest;
		return isSteady && this.failure === undefined && !this.hasEmptyPage;
	}

	/** Rows that the service counted but did not list. */
	get unlisted(): number {
		return this.isWhole ? Math.max(0, this.largest - this.seen.size) : 0;
	}

	/**
	 * @yields the rows of each page, none for one that failed
	 * @throws as {@link Reading.send}
	 */
	async *pages(): AsyncGenerator<unknown[]> {
		const { reading } = this;
		let openedAt = NaN;
		for (let next = 0; next < this.next; ) {
			next = this.next;
			const responses = mapOrdered(this.queries(), reading.options.concurrency, async (query) => ({
				number: query.page,
				response: await reading.send(query),
			}));
			for await (const { number, response } of responses) {
				const page = reading.read(response);
				if (response instanceof RequestError || page instanceof RequestError) {
					this.failure = reading.lastError;
					yield [];
					continue;
				}
				if (this.counts.size === 0) openedAt = response.at;
				const rows = rowsOf(page);
				this.isAllOld &&= number === 1 || rows.every((row) => reading.isOld(row, openedAt));
				this.add(page, rows, number);
				yield rows;
			}
		}
	}

	private *queries(): Generator<PageQuery> {
		while (this.next <= this.last && !this.reading.isDown) {
			this.isWhole = this.hasRoom();
			if (!this.isWhole) return;
			yield { ...this.slice, page: this.next++, limit: this.limit };
		}
	}

	private add(page: Page, rows: unknown[], number: number): void {
		const { report, dateOf } = this.reading;
		this.totals = page.lists.map(({ total }) => total);
		this.counts.add(this.totals.join());
		this.largest = Math.max(this.largest, sumOf(this.totals));
		for (const [index, list] of page.lists.entries()) {
			(this.dates[index] ??= []).push(...list.rows.map(dateOf));
		}
		const before = this.seen.size;
		for (const id of report.idsOf(rows)) this.seen.add(id);
		if (this.seen.size === before) {
			// It is behind the last page, whatever the service counts.
			this.hasEmptyPage ||= number > 1;
			this.max = this.last = Math.min(this.last, this.next - 1);
			return;
		}
		// A service that sends fewer rows than asked for is asked for as many as it sends.
		if (number === 1) this.limit = lengthOf(page);
		else this.pageSize = this.limit;
		const counted = Math.max(page.pages, ...this.totals.map((total) => Math.ceil(total / this.limit)));
		if (number === 1) this.max = 2 * counted + 1;
		this.last = Math.min(Math.max(this.next - 1, counted), this.max);
	}
}

/**
 * Reads a slice of more than 50 rows that cannot be cut, several times if it changes. A pass is consistent when it is
 * counted, and none of its rows is new or the previous pass showed the same ones.
 *
 * @yields the rows of each page; those of later passes repeat
 * @returns what is missing
 * @throws as {@link Reading.send}
 */
export async function* readInPages(
	reading: Reading,
	slice: Slice,
	limit: number,
	hasRoom: () => boolean,
): AsyncGenerator<unknown[], Missing> {
	let previous: ReadonlySet<string> = new Set();
	for (let passes = 1; ; passes++) {
		const pass = new PagePass(reading, slice, limit, hasRoom);
		yield* pass.pages();
		const { seen, failure, unlisted } = pass;
		if (failure) return { unlisted: 0, error: failure };
		const isSame = previous.size === seen.size && [...seen].every((id) => previous.has(id));
		if (pass.isCounted && (pass.isAllOld || isSame)) return { unlisted, paged: 'settled' };
		if (passes === MAX_PASSES || !hasRoom()) return { unlisted, paged: 'unsettled' };
		previous = seen;
	}
}
