import { PAGE_LIMIT } from '../exportApi/schemas';
import { largestTotal, lengthOf, type Page, type PageQuery, type Slice } from './page';

/** Which pages a list has, as its responses come in. A service can count wrongly, or send fewer rows than asked for. */
export class PagePlan {
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
	add(page: Page<unknown>, number: number, hasNew: boolean, duplicates: number): void {
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
		const counted = Math.max(page.pages, Math.ceil(largestTotal(page) / this.limit));
		const wanted = Math.ceil((this.maxRows + duplicates) / this.limit);
		if (number === 1) this.max = 2 * counted + 1;
		this.last = Math.min(Math.max(this.next - 1, counted), wanted, this.max);
	}
}
