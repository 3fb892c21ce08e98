import { mapOrdered } from '../base/concurrency';
import { MAX_PAGE_ROWS, maxOf, type Page, type PageQuery, type Slice } from '../exportApi/client';
import { dateOf } from '../exportApi/rows';
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
	/** What the service counted last, array by array. */
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
	/** How many rows the pages asked for so far reach, and how many they should at last. */
	private asked = 0;
	private wanted = 1;
	private max = Infinity;
	/** Whether each page also shows the last row of the one before: rows do not say when they appeared. */
	private isLinked = false;
	/** Of the page before: the IDs of each list, none if it ended there. */
	private before: Array<Set<string> | undefined> = [];
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

	/** Rows that the service counted but did not list. */
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
				if (isFirst) this.isLinked = this.needsLinks(page);
				if (isFirst && page.limit < query.limit) this.maxPageSize = page.limit;
				const isUnshifted = this.isLinked
					? this.isLinkedTo(page, query)
					: rows.every((row) => reading.isOld(row, openedAt));
				this.isUnshifted &&= (isFirst || isUnshifted) && page.isSteady !== false;
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
			const query = this.isLinked ? overlapping(asked, limit) : { page: asked / limit + 1, limit };
			this.asked = query.page * query.limit;
			yield { ...this.slice, ...query };
		}
	}

	/** Whether later pages will have rows that do not say when they appeared. Too short pages do not overlap everywhere. */
	private needsLinks(page: Page): boolean {
		const isUndated = (row: unknown) => Number.isNaN(dateOf(row, 'processedDate'));
		const isLong = lengthOf(page) >= MAX_PAGE_ROWS / 2;
		return isLong && page.lists.some(({ total, rows }) => total > rows.length && rows.some(isUndated));
	}

	/**
	 * Whether each list ended before this page, or shares a row with the page before it. Rows keep their order: one that was
	 * behind the page before, and is now before this page, would have passed the row that both show.
	 */
	private isLinkedTo({ lists }: Page, { page, limit }: PageQuery): boolean {
		const ids = lists.map(({ rows }) => this.reading.report.idsOf(rows));
		const isLinked = this.before.every((known, index) => !known || ids[index].some((id) => known.has(id)));
		this.before = lists.map(({ total }, index) => (total > page * limit ? new Set(ids[index]) : undefined));
		return isLinked;
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
		for (const id of reading.report.idsOf(rows)) this.seen.add(id);
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
		const limit = isFirst ? this.limit : query.limit;
		const total = maxOf(this.totals);
		const counted = page.pages > Math.ceil(total / limit) ? page.pages * limit : total;
		if (isFirst) this.max = 2 * counted + limit;
		this.wanted = Math.min(Math.max(this.asked, counted), this.max);
	}
}

/** The page that reaches furthest of those that show the last row asked for again, and are not longer than `max`. */
function overlapping(asked: number, max: number): { page: number; limit: number } {
	const last = asked - 1;
	const reach = (limit: number) => limit - (last % limit);
	const limits = Array.from({ length: max }, (_, index) => index + 1);
	const limit = limits.reduce((best, next) => (reach(next) >= reach(best) ? next : best));
	return { page: Math.floor(last / limit) + 1, limit };
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
