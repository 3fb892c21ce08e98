import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import type { ArrayPage } from '../../../shared/export/rowWalk';
import {
	conversationsExportSchema,
	erroredRecordingsExportSchema,
	recordingsExportSchema,
} from '../../../shared/contract';
import { linkExpiry } from '../../../shared/time/linkExpiry';
import { Gate, rowsRequest } from '../../../shared/transport';

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

/**
 * A function that fetches pages of one or several arrays, all with the same range and filters.
 *
 * @param body the request body without `page` and `limit` (D1 § POST /export/conversations)
 * @param arrays those to return, in this order; with more than one, each row says its `kind`
 * @returns takes the page (from 1), the page size (1 to 50), and what to call as soon as the answer has arrived
 * @throws NodeApiError when a page fails or lacks an array or its total
 */
export function arrayPages(
	context: IExecuteFunctions,
	itemIndex: number,
	body: IDataObject,
	arrays: ArrayName[],
) {
	const gate = new Gate();
	return async (
		page: number,
		limit: number,
		answered: () => void,
	): Promise<Array<ArrayPage<IDataObject>>> => {
		const askedAt = Date.now();
		const readAnswer = await rowsRequest(context, {
			credentialType: 'conversationExportApi',
			method: 'POST',
			path: '/export/conversations',
			body: { ...body, page, limit },
			itemIndex,
			gate,
		});
		answered();
		// Lets the next request leave first.
		await sleep(0);
		const { data, read, unreadable } = readAnswer();
		return arrays.map((name) => {
			const { total: totalField, kind } = ARRAYS[name];
			const elements = data[name];
			const total = data[totalField];
			if (!Array.isArray(elements)) throw unreadable(`has no field "${name}"`);
			if (typeof total !== 'number') throw unreadable(`has no field "${totalField}"`);
			const fields: IDataObject = {
				...(name === 'conversations' ? { urlsExpireAt: linkExpiry(askedAt) } : {}),
				...(arrays.length > 1 ? { kind } : {}),
			};
			return { total, rows: () => readEach(elements, (element) => withFields(read(element), fields)) };
		});
	};
}

function* readEach<Element, Row>(elements: Element[], read: (element: Element) => Row): Generator<Row> {
	for (const element of elements) yield read(element);
}

/** What the service itself sends under such a name stays. A row that is no object is left for the contract's check. */
function withFields(row: unknown, fields: IDataObject): IDataObject {
	if (typeof row === 'object' && row !== null) {
		for (const name of Object.keys(fields)) {
			if (!(name in row)) Object.assign(row, { [name]: fields[name] });
		}
	}
	return row as IDataObject;
}
