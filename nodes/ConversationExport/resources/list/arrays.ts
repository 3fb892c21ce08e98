import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Page } from '../../../shared/export/walkPages';
import { Gate, jsonRequest, unreadableAnswer, type ServiceRequest } from '../../../shared/transport';

/** The three arrays of an answer, each with its own total and ID (D1 § ConversationsExportResponse). */
export const ARRAYS = {
	conversations: { total: 'totalConversations', id: 'conversationId', kind: 'conversation' },
	awaitingUpload: { total: 'totalAwaitingUpload', id: 'recordingId', kind: 'awaitingUpload' },
	errored: { total: 'totalErrored', id: 'recordingId', kind: 'errored' },
} as const;

export type ArrayName = keyof typeof ARRAYS;

/** Presigned links live this long from the answer (D1 § Limits). */
const LINK_LIFETIME_MS = 6 * 60 * 60 * 1000;

/**
 * When the presigned links of an answer expire, counted from a moment that is not later than the answer.
 *
 * @param askedAt milliseconds since 1970
 * @returns UTC timestamp
 */
export function urlsExpireAt(askedAt: number): string {
	return new Date(askedAt + LINK_LIFETIME_MS).toISOString();
}

/**
 * A function that fetches pages of one or several arrays, all with the same range and filters.
 *
 * @param body the request body without `page` and `limit` (D1 § POST /export/conversations)
 * @param arrays those to return, in this order; with more than one, each row says its `kind`
 * @returns takes the page (from 1) and the page size (1 to 50)
 * @throws NodeApiError when a page fails or lacks an array or its total
 */
export function arrayPages(
	context: IExecuteFunctions,
	itemIndex: number,
	body: IDataObject,
	arrays: ArrayName[],
) {
	const gate = new Gate();
	return async (page: number, limit: number): Promise<Array<Page<IDataObject>>> => {
		const request: ServiceRequest = {
			credentialType: 'conversationExportApi',
			method: 'POST',
			path: '/export/conversations',
			body: { ...body, page, limit },
			itemIndex,
			gate,
		};
		const askedAt = Date.now();
		const { data, answer } = await jsonRequest(context, request);
		const lacks = (field: string) =>
			unreadableAnswer(context.getNode(), request, answer, `has no field "${field}"`);
		return arrays.map((name) => {
			const { total: totalField, kind } = ARRAYS[name];
			const rows = data[name];
			const total = data[totalField];
			if (!Array.isArray(rows)) throw lacks(name);
			if (typeof total !== 'number') throw lacks(totalField);
			const fields: IDataObject = {
				...(name === 'conversations' ? { urlsExpireAt: urlsExpireAt(askedAt) } : {}),
				...(arrays.length > 1 ? { kind } : {}),
			};
			for (const row of rows as IDataObject[]) addFields(row, fields);
			return { rows: rows as IDataObject[], total };
		});
	};
}

/** What the service itself sends under such a name stays. A row that is no object is left for the contract's check. */
function addFields(row: unknown, fields: IDataObject): void {
	if (typeof row !== 'object' || row === null) return;
	for (const [name, value] of Object.entries(fields)) {
		if (!(name in row)) Object.assign(row, { [name]: value });
	}
}
