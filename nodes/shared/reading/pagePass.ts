import { mapOrdered } from '../base/concurrency';
import { MAX_PAGE_ROWS, maxOf, type Page, type PageQuery, type Slice } from '../exportApi/client';
import { RequestError } from '../http/requestErrors';
import { lengthOf, rowsOf, sumOf, type Missing, type Reading } from './reading';

/** How often a slice that cannot be cut is read in pages, until one pass is consistent. */
const MAX_PASSES = 3;

/**
 * One pass over the pages of a slice in the service's order, one request each: the first one alone, the others in
 * parallel. A service can count wrongly, or send fewer rows than asked for.
 */
export class PagePass {
	readonly seen = new Set<string>();
	readonly dates: number[][] = [];
	totals: number[] = [];
	/** Rows that a page of this service holds. */
	pageSize: number = MAX_PAGE_ROWS;
	/** The most rows of a page that the size of a response allows, as far as the first page has shown. */
	maxPageSize: number = MAX_PAGE_ROWS;
	count = 0;
	/** Whether no row that exists throughout can have moved from a page to one that was read before. */
	isUnshifted = true;
	failure: RequestError | undefined;
	private isWhole = true;
	/** Whether a page that the service counts had nothing new. */
	private hasEmptyPage = false;
	/** The rows that the requested pages cover so far, and the rows that all pages should cover. */
	private asked = 0;
	private wanted = 1;
	private max = Infinity;
	/** Everything that the service counted. */
	private readonly counts = new Set<string>();
	private largest = 0;

	constructor(
		private readonly reading: Reading,
		private readonly slice: Slice,
		private limit: number,
		private readonly hasRoom = () => true,
	) {}

	/** Whether no total changed, and as many different rows came as it says. */
	get isCounted(): boolean {
		const isSteady = this.counts.size === 1 && this.seen.size === this.largest;
		return isSteady && this.failure === undefined && !this.hasEmptyPage;
	}

	/** Whether a page after the first one has shown how many rows a page holds. */
	get isSized(): boolean {
		return this.count > 1 || this.hasEmptyPage;
	}

	get unlisted(): number {
		return this.isWhole ? Math.max(0, this.largest - this.seen.size) : 0;
	}

	/** @yields the rows of each page, none for one that failed. @throws as {@link Reading.ask} */
	async *pages(): AsyncGenerator<unknown[]> {
		const { reading } = this;
		let openedAt = NaN;
		for (let asked = -1; asked < this.asked; ) {
			asked = this.asked;
			const responses = mapOrdered(this.queries(), reading.options.concurrency, async (query) => ({
				query,
				response: await reading.ask(query),
			}));
			for await (const { query, response } of responses) {
				const page = await reading.parse(response);
				if (response instanceof RequestError || page instanceof RequestError) {
					this.failure = reading.lastError;
					yield [];
					continue;
				}
				if (this.counts.size === 0) openedAt = response.at;
				const rows = rowsOf(page);
				const isFirst = query.page === 1;
				if (isFirst && page.limit < query.limit) this.maxPageSize = page.limit;
				const isOld = isFirst || rows.every((row) => reading.isOld(row, openedAt));
				this.isUnshifted &&= isOld && page.isSteady !== false;
				this.add(page, rows, query);
				yield rows;
			}
		}
	}

	private *queries(): Generator<PageQuery> {
		while (this.asked < this.wanted && !this.reading.isDown) {
			this.isWhole = this.hasRoom();
			if (!this.isWhole) return;
			const { asked, limit } = this;
			this.asked += limit;
			yield { ...this.slice, page: asked / limit + 1, limit };
		}
	}

	private add(page: Page, rows: unknown[], query: PageQuery): void {
		const isFirst = query.page === 1;
		const { reading } = this;
		this.totals = page.lists.map(({ total }) => total);
		this.counts.add(this.totals.join());
		this.largest = Math.max(this.largest, sumOf(this.totals));
		for (const [index, list] of page.lists.entries()) {
			const dates = (this.dates[index] ??= []);
			for (const row of list.rows) dates.push(reading.dateOf(row));
		}
		const before = this.seen.size;
		for (const row of rows) this.seen.add(reading.report.idOf(row));
		if (this.seen.size === before) {
			// It is behind the last page, whatever the service counts.
			this.hasEmptyPage ||= !isFirst;
			this.max = this.wanted = Math.min(this.wanted, this.asked);
			return;
		}
		this.count++;
		// A service that sends fewer rows than asked for is asked for as many as it sends.
		if (isFirst) this.limit = this.asked = lengthOf(page);
		else this.pageSize = this.limit;
		const { limit } = this;
		const total = maxOf(this.totals);
		const counted = page.pages > Math.ceil(total / limit) ? page.pages * limit : total;
		if (isFirst) this.max = 2 * counted + limit;
		this.wanted = Math.min(Math.max(this.asked, counted), this.max);
	}
}

/**
 * Reads a slice of more than 50 rows that cannot be cut, several times if it changes. A pass is consistent when it is
 * counted, and none of its rows can have moved or the previous pass showed the same ones.
 * @yields the rows of each page; those of later passes repeat. @returns what is missing. @throws as {@link Reading.ask}
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
		if (pass.isCounted && (pass.isUnshifted || isSame)) return { unlisted, paged: 'settled' };
		if (passes === MAX_PASSES || !hasRoom()) return { unlisted, paged: 'unsettled' };
		previous = seen;
	}
}
