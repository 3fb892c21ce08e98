import type { IDataObject } from 'n8n-workflow';
import type { Source } from '../../../nodes/ConversationIntelligencePollTrigger/source';

/** A conversation: the time by which the service lists it, and its `processedDate`. */
interface Listed {
	processed: number;
	processedDate: unknown;
}

/** A paged list of conversations as in D1, in either order, with failures on request. */
export class ListService implements Source {
	readonly rows = new Map<string, Listed>();
	readonly warnings: string[] = [];
	requests = 0;
	/** Number of the request that fails, counted from 1. */
	failAt = Infinity;
	/** Called before each answer, e.g. to add rows while someone reads. */
	beforeAnswer: () => void = () => {};
	/** Error in each answer's total. */
	miscounted = 0;

	/** IDs that the users filter leaves out. */
	readonly unwanted = new Set<string>();

	constructor(private readonly newestFirst = false) {}

	/** Adds or replaces a conversation; by default, `processedDate` is the time in the list. */
	put(id: string, processed: number, processedDate: unknown = new Date(processed).toISOString()): void {
		this.rows.set(id, { processed, processedDate });
	}

	readonly fetchPage: Source['fetchPage'] = async ({ from, to, page, limit }) => {
		if (!(to > from)) throw new Error('toDate must be after fromDate.');
		this.answer();
		const all = [...this.rows]
			.filter(([, { processed }]) => processed >= from && processed <= to)
			.sort(([a, one], [b, other]) => one.processed - other.processed || a.localeCompare(b));
		if (this.newestFirst) all.reverse();
		const rows = all.slice((page - 1) * limit, page * limit).map(([id]) => this.conversation(id));
		return { lists: [{ total: all.length + this.miscounted, rows: () => rows }], at: to };
	};

	readonly fetchConversation: Source['fetchConversation'] = async (id) => {
		this.answer();
		return this.rows.has(id) ? this.conversation(id) : undefined;
	};

	readonly isWanted: Source['isWanted'] = ({ conversationId }) => !this.unwanted.has(String(conversationId));

	readonly warn = (message: string) => void this.warnings.push(message);

	private answer(): void {
		if (++this.requests === this.failAt) throw new Error('The request failed.');
		this.beforeAnswer();
	}

	private conversation(id: string): IDataObject {
		const { processedDate } = this.rows.get(id) ?? {};
		return { conversationId: id, processedDate } as IDataObject;
	}
}
