/** The export API (D1 § Endpoints): each method sends one request and checks the response. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { filledText, type ErrorTable } from '../base/codedErrors';
import { quoted } from '../base/text';
import { credentialTest } from '../http/credentialTest';
import { serviceRequest, type ServiceContext, type ServiceRequest } from '../http/request';
import type { RawResponse } from '../http/response';
import { addFields, fieldOf, linkExpiry } from './rows';
import { conversationsExportSchema, erroredRecordingsExportSchema, recordingsExportSchema } from './schemas';

/** @public read by `scripts/errorTables.ts` */
export const EXPORT_API_ERRORS = {
	conversation_not_found: ['The conversation does not exist or is outside the teams of this key', '{advice}'],
} as const satisfies ErrorTable;

const CONVERSATIONS = '/export/conversations';

/** Limits of a response by what the documentation allows: a conversation, 50 of them, or some ten thousand users. */
const CONVERSATION_SIZE = { maxBytes: 2 ** 20, maxRows: Infinity };
const PAGE_BYTES = 2 ** 24;
const METRICS_SIZE = { maxBytes: 2 ** 24, maxRows: Infinity };

/** The service computes metrics for minutes; n8n's own HTTP nodes wait as long. */
const METRICS_LIMIT_MS = 300_000;

/** The lists that come in pages: the array of a path's response, its total, and its rows (D1 § ConversationsExportResponse). */
export const ARRAYS = {
	conversations: listOf('totalConversations', 'conversationId', conversationsExportSchema),
	awaitingUpload: listOf('totalAwaitingUpload', 'recordingId', recordingsExportSchema),
	errored: listOf('totalErrored', 'recordingId', erroredRecordingsExportSchema),
};

function listOf<Schema extends z.AnyZodObject>(total: string, id: string, schema: Schema) {
	return { path: CONVERSATIONS, total, id, schema };
}

export type ArrayName = keyof typeof ARRAYS;

/** What all pages of a list have in common. */
export interface ListQuery {
	/** In the order of a page's lists; all of one path. */
	arrays: ArrayName[];
	/** By recording start unless set. */
	dateType?: 'processedDate';
	/** Exact emails; all users unless set. */
	users?: string[];
}

/** A slice of time: both ends belong to it, in milliseconds since 1970; the end is later than the start. */
export interface Slice {
	from: number;
	to: number;
}

/** Maximum rows of a page (D1 § Limits). */
export const MAX_PAGE_ROWS = 50;

/** One page of a slice: `page` counts from 1, `limit` is 1 to 50. */
export interface PageQuery extends Slice {
	page: number;
	limit: number;
}

export interface Page {
	/** At least one, each with the rows that the service counts in the whole slice. */
	lists: Array<{ total: number; rows: unknown[] }>;
	/** How many pages the slice has according to the service. */
	pages: number;
	/** Rows of each list that it was asked for; it can have fewer, or more, which are not read. */
	limit: number;
	surplus: number;
	/** False if it was joined from responses between which a total changed. */
	isSteady?: boolean;
}

/** A response that is parsed only when it is consumed: one that waits costs no more than its bytes. */
export interface PageResponse {
	/** The latest time that it can show, in milliseconds since 1970. */
	at: number;
	/** Parses the response, once. Rows are as the service sent them. @throws RequestError when it is not as documented */
	read(): Promise<Page>;
}

/** Both ends in UTC, ISO 8601 ending in Z. */
export type DateRange = { fromDate: string; toDate: string };

/** The service's clock by the `Date` header of its latest response. */
export interface ServiceClock {
	/** How many milliseconds it is ahead of this machine's; undefined before the first response. */
	aheadMs?: number;
}

/** Requests of one context. Every method throws as {@link serviceRequest}, and RequestError for an unreadable response. */
export class ExportClient {
	/** @param deadline of all requests, on the clock of `performance.now()`. @param clock each page sets it */
	constructor(
		private readonly context: ServiceContext,
		private readonly deadline?: number,
		private readonly clock: ServiceClock = {},
	) {}

	/**
	 * One conversation with fresh links and `urlsExpireAt` (D1 § GET /export/conversations/{conversationId}).
	 * @throws RequestError, with this advice if it does not exist, and when the response is about another conversation
	 */
	async conversation(
		id: string,
		advice = `Check the Conversation ID ${id}, and whether the API key may see the rep's team.`,
	): Promise<IDataObject> {
		const sentAt = Date.now();
		const response = await this.send({
			method: 'GET',
			path: `${CONVERSATIONS}/${encodeURIComponent(id)}`,
			json: CONVERSATION_SIZE,
			explain: ({ status }) =>
				status === 404 ? filledText(EXPORT_API_ERRORS, 'conversation_not_found', { advice }) : undefined,
		});
		const row = await fieldsOf(response, { conversationId: z.string() });
		const sent = String(row.conversationId);
		// D1 § Conventions: IDs are UUIDs, whose letters have no case.
		if (sent.toLowerCase() !== id.toLowerCase()) {
			throw response.unreadable(`is about another conversation, ${quoted(sent)}`);
		}
		addFields(row, { urlsExpireAt: linkExpiry(sentAt) });
		return row;
	}

	/** One page of conversations, of recordings without one, or of both (D1 § POST /export/conversations). */
	async page(
		{ arrays, dateType, users }: ListQuery,
		{ from, to, page, limit }: PageQuery,
	): Promise<PageResponse> {
		const filters = { ...(dateType && { dateType }), ...(users && { users }) };
		const sentAt = Date.now();
		const { path } = ARRAYS[arrays[0]];
		const body = { ...rangeOf(from, to), ...filters, page, limit };
		const response = await this.send({
			method: 'POST',
			path,
			body,
			json: { maxBytes: PAGE_BYTES, maxRows: limit },
		});
		const sent = Date.parse(String(response.headers.date));
		const date = Number.isNaN(sent) ? sentAt : sent;
		// Where both clocks agree, that of this machine is more exact: a `Date` header says the second.
		this.clock.aheadMs = Math.min(Math.max(0, date - Date.now()), date + 1000 - sentAt);
		// Either clock can be ahead.
		return { at: Math.min(date, sentAt), read: () => readPage(response, arrays, sentAt, limit) };
	}

	/** The metrics of all teams; without a range, who is there (D1 § POST /export/teams). */
	async teams(body?: DateRange & { includeSubteams?: boolean }): Promise<unknown[]> {
		return await this.metrics('teams', body);
	}

	/** The metrics of all users, or of the users named; without a range, who is there (D1 § POST /export/users). */
	async users(body?: DateRange & { users?: string[] }): Promise<unknown[]> {
		return await this.metrics('users', body);
	}

	private async metrics(kind: 'teams' | 'users', body?: IDataObject): Promise<unknown[]> {
		const response = await this.send({
			method: 'POST',
			path: `/export/${kind}`,
			// A short range is the cheapest.
			body: body ?? rangeOf(Date.now() - 1000, Date.now()),
			json: METRICS_SIZE,
			timeLimitMs: METRICS_LIMIT_MS,
		});
		return (await fieldsOf(response, { [kind]: LIST }))[kind] as unknown[];
	}

	private async send(request: Omit<ServiceRequest, 'credentialType'>): Promise<RawResponse> {
		const { context, deadline } = this;
		return await serviceRequest(context, { credentialType: 'conversationExportApi', deadline, ...request });
	}
}

const rangeOf = (from: number, to: number): DateRange => ({
	fromDate: new Date(from).toISOString(),
	toDate: new Date(to).toISOString(),
});

/** Makes a function that reads the ID of rows of these arrays; undefined for a row without one. */
export function idReader(arrays: ArrayName[]): (row: unknown) => string | undefined {
	const fields = [...new Set(arrays.map((name) => ARRAYS[name].id))];
	return (row) => {
		const ids = fields.map((field) => fieldOf(row, field));
		return ids.find((id): id is string => typeof id === 'string' && id !== '');
	};
}

/** Reads one row of an almost empty range. */
export const conversationExportApiTest = credentialTest('conversationExportApi', {
	path: CONVERSATIONS,
	keyHeader: 'authorization',
	body: { fromDate: '2000-01-01T00:00:00Z', toDate: '2000-01-01T00:00:01Z', page: 1, limit: 1 },
	expected: { status: 200, contains: '"totalConversations"' },
});

const LIST = z.array(z.unknown());

/** The fields of a response. @throws RequestError that names a missing or unexpected one, without its content */
async function fieldsOf(response: RawResponse, shape: z.ZodRawShape): Promise<IDataObject> {
	const data = await response.json();
	const { error } = z.object(shape).safeParse(data);
	if (error === undefined) return data;
	const name = String(error.issues[0].path[0]);
	const defect = name in data ? 'has an unexpected value in the' : 'has no';
	throw response.unreadable(`${defect} field "${name}"`);
}

async function readPage(
	response: RawResponse,
	arrays: ArrayName[],
	sentAt: number,
	limit: number,
): Promise<Page> {
	const shape = arrays.flatMap((name) => [[name, LIST] as const, [ARRAYS[name].total, z.number()] as const]);
	const data = await fieldsOf(response, Object.fromEntries(shape));
	const lists = arrays.map((name) => {
		const rows = data[name] as unknown[];
		const added = addedTo(name, arrays, sentAt);
		for (const row of rows) addFields(row, added);
		return { total: data[ARRAYS[name].total] as number, rows };
	});
	// By the totals, or by `totalPages` when no total, not even that of another array, explains it.
	const byTotals = Math.ceil(maxOf(lists.map(({ total }) => total)) / limit);
	const totals = Object.values(ARRAYS).map(({ total }) => Number(data[total] ?? 0));
	const { totalPages } = data;
	const isMore = typeof totalPages === 'number' && totalPages > Math.ceil(maxOf(totals) / limit);
	return {
		lists,
		pages: isMore ? totalPages : byTotals,
		limit,
		surplus: Math.max(0, response.rows - limit),
	};
}

/** The largest of any number of numbers: as arguments of a function, many overflow the stack. */
export function maxOf(numbers: number[]): number {
	return numbers.reduce((largest, number) => Math.max(largest, number), -Infinity);
}

/** What the rows of an array get. Of several arrays, all rows have the same keys, and `kind` names the array. */
function addedTo(name: ArrayName, arrays: ArrayName[], sentAt: number): IDataObject {
	if (name === 'conversations') return { urlsExpireAt: linkExpiry(sentAt) };
	if (arrays.length === 1) return {};
	const own = ARRAYS[name].schema.shape;
	const all = arrays.flatMap((array) => Object.keys(ARRAYS[array].schema.shape));
	const others = all.filter((field) => !Object.hasOwn(own, field));
	return { ...Object.fromEntries(others.map((field) => [field, null])), kind: name };
}
