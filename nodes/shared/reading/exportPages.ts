import { sleep, type IDataObject } from 'n8n-workflow';
import {
	conversationsExportSchema,
	erroredRecordingsExportSchema,
	recordingsExportSchema,
	type DateType,
} from '../exportApi/schemas';
import { isObject } from '../node/isObject';
import { serviceRequest, type ServiceContext } from '../http';
import type { FetchPage } from './page';
import { splitRows } from './splitRows';

/** The three arrays of an answer, each with its own total, ID and fields (D1 § ConversationsExportResponse). */
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
	itemIndex?: number;
	/** Deadline in milliseconds since 1970. */
	until?: number;
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
 * @throws NodeApiError when a page fails or lacks an array or its total
 */
export function exportPages(context: ServiceContext, options: ExportPages): FetchPage<unknown> {
	const { arrays, dateType, users, itemIndex, until, added = () => ({}) } = options;
	const filters = { ...(dateType ? { dateType } : {}), ...(users ? { users } : {}) };
	return async ({ from, to, page, limit }, answered) => {
		const range = { fromDate: new Date(from).toISOString(), toDate: new Date(to).toISOString() };
		const sentAt = Date.now();
		const answer = await serviceRequest(context, {
			credentialType: 'conversationExportApi',
			method: 'POST',
			path: '/export/conversations',
			body: { ...range, ...filters, page, limit },
			hasDateRange: true,
			itemIndex,
			until,
		});
		answered?.();
		// Lets the next request leave before this answer is read.
		await sleep(0);
		const { frame, rows: bytesOfRows } = splitRows(answer.bytes);
		const data = answer.json(frame);
		const at = Date.parse(String(answer.headers.date));
		// Rows stay unparsed until consumed, so that a waiting page costs almost nothing.
		const read = (element: unknown) =>
			isPlaceholder(element) ? answer.json(bytesOfRows[element['']]) : element;
		const lists = arrays.map((name) => {
			const { total: totalField } = ARRAYS[name];
			const elements = data[name];
			const total = data[totalField];
			if (!Array.isArray(elements)) throw answer.unreadable(`has no field "${name}"`);
			if (typeof total !== 'number') throw answer.unreadable(`has no field "${totalField}"`);
			const fields = added(name, sentAt);
			const rows = function* () {
				for (const element of elements) yield withFields(read(element), fields);
			};
			return { total, rows };
		});
		return { lists, at: Number.isNaN(at) ? sentAt : at };
	};
}

/** What {@link splitRows} puts in place of a row. */
function isPlaceholder(element: unknown): element is { '': number } {
	return isObject(element) && '' in element;
}

/** Adds fields, except those that the service sends itself. */
function withFields(row: unknown, fields: IDataObject): unknown {
	if (!isObject(row)) return row;
	for (const name of Object.keys(fields)) if (!(name in row)) row[name] = fields[name];
	return row;
}
