import type { IDataObject } from 'n8n-workflow';
import {
	conversationsExportSchema,
	erroredRecordingsExportSchema,
	recordingsExportSchema,
	type DateType,
} from './schemas';
import { isObject } from '../node/isObject';
import { conversationsRequest } from './endpoints';
import { serviceRequest, type RawResponse, type ServiceContext } from '../http';
import { largestTotal, type FetchPage, type Page } from './page';

/** The three arrays of a response, each with its own total, ID and fields (D1 § ConversationsExportResponse). */
export const ARRAYS = {
	conversations: {
		total: 'totalConversations',
		id: 'conversationId',
		kind: 'conversation',
		schema: conversationsExportSchema,
	},
	awaitingUpload: {
		total: 'totalAwaitingUpload',
		id: 'recordingId',
		kind: 'awaitingUpload',
		schema: recordingsExportSchema,
	},
	errored: {
		total: 'totalErrored',
		id: 'recordingId',
		kind: 'errored',
		schema: erroredRecordingsExportSchema,
	},
} as const;

export type ArrayName = keyof typeof ARRAYS;

export interface ExportPages {
	arrays: ArrayName[];
	/** By recording start unless set. */
	dateType?: DateType;
	users?: string[];
	/** On the clock of `performance.now()`. */
	deadline?: number;
	/**
	 * Fields to add to each row of an array, unless the service sends them itself.
	 *
	 * @param sentAt when the request left, in milliseconds since 1970
	 */
	added?: (array: ArrayName, sentAt: number) => IDataObject;
}

/**
 * Makes a function that fetches pages of POST /export/conversations, all with the same filters.
 *
 * @returns rows as the service sent them, normally objects
 * @throws RequestError when a page fails, or when it is read and lacks an array or its total
 */
export function exportPages(context: ServiceContext, options: ExportPages): FetchPage<unknown> {
	const { dateType, users, deadline } = options;
	const filters = { ...(dateType ? { dateType } : {}), ...(users ? { users } : {}) };
	return async ({ from, to, page, limit }) => {
		const range = { fromDate: new Date(from).toISOString(), toDate: new Date(to).toISOString() };
		const sentAt = Date.now();
		const response = await serviceRequest(context, {
			...conversationsRequest({ ...range, ...filters, page, limit }),
			hasDateRange: true,
			deadline,
		});
		const date = Date.parse(String(response.headers.date));
		return {
			// Either clock can be ahead.
			at: Number.isNaN(date) ? sentAt : Math.min(date, sentAt),
			date: Number.isNaN(date) ? undefined : date,
			read: () => readPage(response, options, { sentAt, limit }),
		};
	};
}

function readPage(
	response: RawResponse,
	{ arrays, added = () => ({}) }: ExportPages,
	{ sentAt, limit }: { sentAt: number; limit: number },
): Page<unknown> {
	const data = response.json();
	const lists = arrays.map((name) => {
		const { total: totalField } = ARRAYS[name];
		const rows: unknown = data[name];
		const total = data[totalField];
		if (!Array.isArray(rows)) throw response.unreadable(wrongField(name, 'list', rows));
		if (typeof total !== 'number') throw response.unreadable(wrongField(totalField, 'number', total));
		const fields = added(name, sentAt);
		for (const row of rows) addFields(row, fields);
		return { total, rows: rows as unknown[] };
	});
	return { lists, pages: pagesOf(data, Math.ceil(largestTotal({ lists }) / limit), limit) };
}

/** What is wrong with a field, without its content. */
function wrongField(name: string, wanted: string, value: unknown): string {
	return value === undefined ? `has no field "${name}"` : `has no ${wanted} in the field "${name}"`;
}

/** The pages by the totals, or by `totalPages` when no total, not even that of another array, explains it. */
function pagesOf(data: IDataObject, byTotals: number, limit: number): number {
	const totals = Object.values(ARRAYS).map(({ total }) => Number(data[total] ?? 0));
	const explained = Math.ceil(Math.max(...totals) / limit);
	const { totalPages } = data;
	return typeof totalPages === 'number' && totalPages > explained ? totalPages : byTotals;
}

/** Adds fields to a row, except those that the service sends itself. */
function addFields(row: unknown, fields: IDataObject): void {
	if (!isObject(row)) return;
	for (const name of Object.keys(fields)) if (!(name in row)) row[name] = fields[name];
}
