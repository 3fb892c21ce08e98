import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

/** The user that the trigger's filter asks for. The service lists everybody, as to a team's key that matches nobody. */
export const WANTED_USER = 'ana@example.com';
export const OTHER_USER = 'bo@example.com';

/** A paged list of conversations as in D1, in either order, with failures on request. */
export class ListService {
	/** By ID: the time by which the service lists a conversation, and its `processedDate`. */
	readonly rows = new Map<string, { processed: number; processedDate: unknown }>();
	requests = 0;
	/** Number of the request that fails, counted from 1. */
	failAt = Infinity;
	/** Called before each response, e.g. to add rows while someone reads. */
	beforeResponse: () => void = () => {};
	/** IDs of conversations that cannot be read by ID, each with the status. */
	readonly broken = new Map<string, number>();
	readonly unwanted = new Set<string>();
	/** IDs of conversations of 30 seconds; others have 90. */
	readonly short = new Set<string>();
	/** What its `Date` header says; none unless set. */
	clock?: () => number;
	isAway = false;
	/** Whether it lists only the users that a request names. */
	isFiltering = false;

	constructor(private readonly newestFirst = false) {}

	/** Adds or replaces a conversation; by default, `processedDate` is the time in the list. */
	put(id: string, processed: number, processedDate: unknown = new Date(processed).toISOString()): void {
		this.rows.set(id, { processed, processedDate });
	}

	respond(request: IHttpRequestOptions) {
		const answer = this.answer(request);
		const headers = this.clock ? { date: new Date(this.clock()).toUTCString() } : {};
		return { ...answer, headers: { ...headers, ...answer.headers } };
	}

	private answer({ url, body }: IHttpRequestOptions) {
		if (++this.requests === this.failAt) return response(400, 'The request failed.');
		if (this.isAway) return { ...response(503, 'Away'), headers: { 'retry-after': '400' } };
		this.beforeResponse();
		if (typeof body === 'string') return response(200, this.list(JSON.parse(body) as Query));
		const id = decodeURIComponent(url.split('/').at(-1)!);
		const status = this.broken.get(id);
		if (status !== undefined) return { ...response(status, 'Broken'), headers: { 'retry-after': '400' } };
		return this.rows.has(id) ? response(200, this.conversation(id)) : response(404, { message: 'Not found' });
	}

	private list({ fromDate, toDate, page, limit, users = [] }: Query) {
		const [from, to] = [Date.parse(fromDate), Date.parse(toDate)];
		if (!(to > from)) throw new Error('toDate must be after fromDate.');
		const all = [...this.rows]
			.filter(([, { processed }]) => processed >= from && processed <= to)
			.filter(([id]) => !this.isFiltering || users.length === 0 || users.includes(this.emailOf(id)))
			.sort(([a, one], [b, other]) => one.processed - other.processed || a.localeCompare(b));
		if (this.newestFirst) all.reverse();
		const rows = all.slice((page - 1) * limit, page * limit).map(([id]) => this.conversation(id));
		return { totalConversations: all.length, conversations: rows };
	}

	private conversation(id: string): IDataObject {
		const { processedDate } = this.rows.get(id) ?? {};
		const duration = this.short.has(id) ? 30 : 90;
		return { conversationId: id, processedDate, duration, user: { email: this.emailOf(id) } } as IDataObject;
	}

	private emailOf(id: string): string {
		return this.unwanted.has(id) ? OTHER_USER : WANTED_USER;
	}
}

interface Query {
	fromDate: string;
	toDate: string;
	page: number;
	limit: number;
	users?: string[];
}

function response(statusCode: number, body: unknown) {
	return { statusCode, headers: {}, body: Buffer.from(JSON.stringify(body)) };
}
