import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

/** The user that the trigger's filter asks for. The service lists everybody, as to a team's key that matches nobody. */
export const WANTED_USER = 'ana@example.com';
export const OTHER_USER = 'bo@example.com';

interface Query extends Record<'fromDate' | 'toDate' | 'dateType', string>, Record<'page' | 'limit', number> {
	users?: string[];
}

/** A paged list of conversations as in D1, in either order, with failures on request. */
export class ListService {
	/** By ID: the time by which the service lists a conversation, and the conversation. */
	readonly rows = new Map<string, { processed: number; row: IDataObject }>();
	requests = 0;
	/** Number of the request that fails, counted from 1. */
	failAt = Infinity;
	/** Called before each response, e.g. to add rows while someone reads. */
	beforeResponse: () => void = () => {};
	/** IDs of conversations that cannot be read by ID, each with the status. */
	readonly broken = new Map<string, number>();
	/** What its `Date` header says; none unless set. */
	clock?: () => number;
	/** With which it refuses all requests. */
	status?: number;
	/** Whether it lists only the users that a request names. */
	isFiltering = false;
	/** The latest list that was asked for. */
	asked?: Query;

	constructor(private readonly newestFirst = false) {}

	/** Adds or replaces a conversation; by default, it is of the wanted user, and as new as the list says. */
	put(id: string, processed: number, fields: IDataObject = {}): void {
		const processedDate = new Date(processed).toISOString();
		const row = { conversationId: id, processedDate, duration: 90, user: { email: WANTED_USER }, ...fields };
		this.rows.set(id, { processed, row });
	}

	respond(request: IHttpRequestOptions) {
		const { statusCode, body, headers } = this.answer(request);
		const date = this.clock && { date: new Date(this.clock()).toUTCString() };
		return { statusCode, headers: { ...date, ...headers }, body: Buffer.from(JSON.stringify(body)) };
	}

	private answer({ url, body }: IHttpRequestOptions) {
		const headers = { 'retry-after': '400' };
		if (++this.requests === this.failAt) return { statusCode: 400, body: 'The request failed.' };
		if (this.status) return { statusCode: this.status, body: 'Away', headers };
		this.beforeResponse();
		if (typeof body === 'string') return { statusCode: 200, body: this.list(JSON.parse(body) as Query) };
		const id = decodeURIComponent(url.split('/').at(-1)!);
		const statusCode = this.broken.get(id) ?? (this.rows.has(id) ? 200 : 404);
		if (this.broken.has(id)) return { statusCode, body: 'Broken', headers };
		return { statusCode, body: this.rows.get(id)?.row ?? { message: 'Not found' } };
	}

	private list(query: Query) {
		const { fromDate, toDate, dateType, page, limit, users = [] } = (this.asked = query);
		const [from, to] = [Date.parse(fromDate), Date.parse(toDate)];
		if (!(to > from)) throw new Error('toDate must be after fromDate.');
		if (dateType !== 'processedDate') throw new Error('Recordings have other dates.');
		const isAsked = ({ user }: IDataObject) => users.includes((user as { email: string }).email);
		const all = [...this.rows]
			.filter(([, { processed }]) => processed >= from && processed <= to)
			.filter(([, { row }]) => !this.isFiltering || users.length === 0 || isAsked(row))
			.sort(([a, one], [b, other]) => one.processed - other.processed || a.localeCompare(b));
		if (this.newestFirst) all.reverse();
		const conversations = all.slice((page - 1) * limit, page * limit).map(([, { row }]) => row);
		return { totalConversations: all.length, conversations };
	}
}
