import type { Page, PageQuery, Slice } from '../exportApi/client';
import { PAGE_LIMIT } from '../exportApi/schemas';
import { mapOrdered } from '../concurrency/mapOrdered';
import { RequestError } from '../http';
import type { Reading } from './reading';
import { lengthOf } from './report';
import type { Known } from './walk';

/**
 * Reads all pages of the range in the service's order, one request each: the first one alone, the others in parallel.
 * That is exact when no total changed, as many different rows came as it says, and all of them are older than the first
 * response.
 *
 * @yields the new rows of each page, until as many as wanted were output
 * @returns what was learned for reading the range again; undefined if that is not necessary
 */
export async function* fastPass(reading: Reading): AsyncGenerator<unknown[], Known | undefined> {
	const { report } = reading;
	const { range, concurrency } = reading.options;
	const plan = new PagePlan(range, report.maxRows);
	const dates: number[][] = [];
	/** The latest time that the first response can show, in milliseconds since 1970. */
	let openedAt = NaN;
	let firstTotal: number | undefined;
	let isExact = true;
	const queries = {
		[Symbol.iterator]: () => ({
			next: (): IteratorResult<PageQuery, undefined> => {
				const value = report.isFull || reading.isDown ? undefined : plan.nextQuery();
				return value ? { value } : { done: true, value };
			},
		}),
	};
	for (let count = -1; count < report.requests; ) {
		count = report.requests;
		const responses = mapOrdered(queries, concurrency, async (query) => ({
			number: query.page,
			response: await reading.send(query),
		}));
		for await (const { number, response } of responses) {
			const page = reading.read(response);
			if (response instanceof RequestError || page instanceof RequestError) {
				isExact = report.hasEnded = false;
				continue;
			}
			const totals = page.lists.map(({ total }) => total);
			isExact &&= firstTotal === undefined || report.totals.every((total, index) => total === totals[index]);
			report.totals = totals;
			if (firstTotal === undefined) openedAt = response.at;
			firstTotal ??= report.total;
			const rows: unknown[] = [];
			for (const [index, list] of page.lists.entries()) {
				(dates[index] ??= []).push(...list.rows.map(reading.dateOf));
				// A row on a later page that came after the first response has shifted others.
				isExact &&= number === 1 || list.rows.every((row) => reading.isOld(row, openedAt));
				rows.push(...report.take(list.rows));
			}
			plan.add(page, number, rows.length > 0, report.duplicates);
			report.pages = report.total === 0 ? 0 : plan.last;
			report.hasEnded = isExact && !plan.hasEmptyPage && report.rows === firstTotal;
			yield rows;
		}
	}
	return report.isFull || report.hasEnded ? undefined : { dates, pageSize: plan.pageSize };
}

/** Which pages a list has, as its responses come in. A service can count wrongly, or send fewer rows than asked for. */
class PagePlan {
	/** Rows that a page of this service holds. */
	pageSize: number = PAGE_LIMIT.max;
	/** The last page known. */
	last = 1;
	/** Whether a page that the service counts had nothing new. */
	hasEmptyPage = false;
	private next = 1;
	private limit: number;
	private max = Infinity;

	/** @param maxRows rows that are wanted */
	constructor(
		private readonly range: Slice,
		private readonly maxRows: number,
	) {
		this.limit = Math.min(PAGE_LIMIT.max, maxRows);
	}

	nextQuery(): PageQuery | undefined {
		if (this.next > this.last) return undefined;
		return { ...this.range, page: this.next++, limit: this.limit };
	}

	/**
	 * @param number of the page
	 * @param hasNew whether it had a row that no earlier page had
	 * @param duplicates rows that came twice so far: a limit needs as many more
	 */
	add(page: Page, number: number, hasNew: boolean, duplicates: number): void {
		if (!hasNew) {
			// It is behind the last page, whatever the service counts.
			this.hasEmptyPage ||= number > 1;
			this.max = this.last = Math.min(this.last, this.next - 1);
			return;
		}
		if (number === 1) {
			// A service that sends fewer rows than asked for is asked for as many as it sends.
			if (page.lists.some(({ total, rows }) => rows.length < total)) this.limit = lengthOf(page);
		} else if (this.limit < Math.min(PAGE_LIMIT.max, this.maxRows)) {
			this.pageSize = this.limit;
		}
		const counted = Math.max(page.pages, ...page.lists.map(({ total }) => Math.ceil(total / this.limit)));
		const wanted = Math.ceil((this.maxRows + duplicates) / this.limit);
		if (number === 1) this.max = 2 * counted + 1;
		this.last = Math.min(Math.max(this.next - 1, counted), wanted, this.max);
	}
}
