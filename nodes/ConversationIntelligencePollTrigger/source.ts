import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { codedError } from '../shared/errors/codedError';
import { logLine } from '../shared/errors/log';
import { ExportClient, type ListQuery, type PageQuery, type PageResponse } from '../shared/exportApi/client';
import { conversationItem } from '../shared/exportApi/rows';
import { readByDate, Reading, type ReadOptions } from '../shared/reading';
import { forgetRun } from '../shared/http';
import { readUsers } from '../shared/exportApi/usersFilter';
import { POLL_ERRORS } from './errors';
import type { Filter } from './position';

/** Where conversations come from. */
export interface Source {
	/** Pages by when conversations were processed (D1 § POST /export/conversations, `dateType`). */
	fetchPage: (query: PageQuery) => Promise<PageResponse>;
	/** One conversation; undefined when it no longer exists. */
	fetchConversation: (id: string) => Promise<IDataObject | undefined>;
	/** The emails of the users filter, if there is one: for a team's key that matches nobody, the service lists all users. */
	filter: Filter;
	/** Writes to n8n's log. */
	warn: (message: string) => void;
}

const LIST: ListQuery = { arrays: ['conversations'], dateType: 'processedDate' };

/**
 * The service as a poll sees it.
 *
 * @param deadline of requests and pauses, on the clock of `performance.now()`
 * @param onPage called with each page that the service lists
 * @throws CodedError when the users filter is not a list of emails
 */
export function exportSource(
	context: IPollFunctions,
	deadline?: number,
	onPage: (response: PageResponse) => void = () => {},
): Source {
	// A changed credential must reach the context of a published workflow.
	forgetRun(context);
	const users = readUsers(context.getNodeParameter('filters', {}) as IDataObject, context.getNode());
	const client = new ExportClient(context, deadline);
	return {
		fetchPage: async (query) => {
			const response = await client.page({ ...LIST, users }, query);
			onPage(response);
			return response;
		},
		fetchConversation: async (id) => await client.findConversation(id),
		filter: users,
		warn: (message) => logLine(context, 'warn', message),
	};
}

/** One reading of a source, whose pages are all by when conversations were processed. */
export function readingOf(
	fetchPage: Source['fetchPage'],
	options: Pick<ReadOptions, 'range' | 'maxRows' | 'leavesNewRows'>,
): Reading {
	const client = { page: async (_list: ListQuery, query: PageQuery) => await fetchPage(query) };
	return new Reading({ client, list: LIST, concurrency: 1, ...options });
}

/** How exact a `Date` header is. */
const SECOND_MS = 1000;

/**
 * The service's time, so that a wrong clock of this machine does not move the start.
 *
 * @param now of this machine, in milliseconds since 1970; used where it agrees with the service, because it is more exact
 * @throws what the request throws
 */
export async function serviceTime({ fetchPage }: Source, now: number): Promise<number> {
	const { at, date = at } = await fetchPage({ from: now - SECOND_MS, to: now, page: 1, limit: 1 });
	return Math.min(Math.max(now, date), date + SECOND_MS);
}

/** Many rows of other users, and none of a wanted one, show that the filter matched nobody. */
const SAMPLE = { days: 30, rows: 5, read: 50 };

/**
 * Fetches the conversations processed last for the editor, without touching the position.
 *
 * @throws CodedError when there are none
 */
export async function sampleConversations(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	const { fetchPage, filter } = exportSource(context);
	const to = Date.now();
	const from = to - SAMPLE.days * 24 * 60 * 60_000;
	const reading = readingOf(fetchPage, { range: { from, to }, maxRows: SAMPLE.read });
	const isWanted = (row: IDataObject) => filter === undefined || filter.includes(emailOf(row) as string);
	const rows: IDataObject[] = [];
	for await (const slice of readByDate(reading, 'newestFirst', SAMPLE.rows)) {
		rows.push(...(slice as IDataObject[]).filter(isWanted).slice(0, SAMPLE.rows - rows.length));
		if (rows.length === SAMPLE.rows || reading.report.isFull) break;
	}
	if (rows.length > 0) return [rows.map((row) => ({ json: conversationItem(row, null) }))];
	const whose = filter === undefined ? '' : ` of ${filter.join(', ')}`;
	throw codedError(POLL_ERRORS, 'no_sample', { whose, days: SAMPLE.days });
}

/** The email of the rep who recorded a conversation. */
export function emailOf({ user }: IDataObject): unknown {
	return (user as IDataObject | null | undefined)?.email;
}
