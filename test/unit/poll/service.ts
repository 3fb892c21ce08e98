import type { IDataObject } from 'n8n-workflow';
import type { FetchPage } from '../../../nodes/ConversationPollTrigger/collect';

/** A list of conversations with the pages of D1, its own order, and trouble on demand. */
export class ListService {
	/** ID → when it was processed, in milliseconds. */
	readonly rows = new Map<string, number>();
	requests = 0;
	/** The number of the request that fails, counted from 1. */
	failAt = Infinity;
	/** Called before each answer, e.g. to add rows while someone reads. */
	beforeAnswer: () => void = () => {};

	constructor(private readonly newestFirst = false) {}

	readonly fetchPage: FetchPage = async ({ from, to }, page, limit) => {
		if (!(to > from)) throw new Error('toDate must be after fromDate.');
		if (++this.requests === this.failAt) throw new Error('The page failed.');
		this.beforeAnswer();
		const all = [...this.rows]
			.filter(([, processed]) => processed >= from && processed <= to)
			.sort((a, b) => a[1] - b[1] || a[0].localeCompare(b[0]));
		if (this.newestFirst) all.reverse();
		const rows: IDataObject[] = all.slice((page - 1) * limit, page * limit).map(([id, processed]) => ({
			conversationId: id,
			processedDate: new Date(processed).toISOString(),
		}));
		return { rows, total: all.length };
	};
}
