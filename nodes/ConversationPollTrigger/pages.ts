import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { jsonRequest, unreadableAnswer, type ServiceRequest } from '../shared/transport';
import type { FetchPage } from './collect';

/**
 * Pages of the conversations by when they were processed (D1 § POST /export/conversations, `dateType`).
 *
 * @param until neither a request nor a pause may end later, in milliseconds since 1970
 * @returns takes a range, a page from 1 and a page size from 1 to 50
 * @throws NodeApiError when a page fails, lacks the array or its total, or holds a conversation without an ID
 */
export function processedPages(context: IPollFunctions, until?: number): FetchPage {
	return async ({ from, to }, page, limit) => {
		const request: ServiceRequest = {
			credentialType: 'conversationExportApi',
			method: 'POST',
			path: '/export/conversations',
			body: {
				fromDate: new Date(from).toISOString(),
				toDate: new Date(to).toISOString(),
				dateType: 'processedDate',
				page,
				limit,
			},
			until,
		};
		const { data, answer } = await jsonRequest(context, request);
		const { conversations, totalConversations } = data;
		if (!Array.isArray(conversations) || typeof totalConversations !== 'number') {
			const missing = Array.isArray(conversations) ? 'totalConversations' : 'conversations';
			throw unreadableAnswer(context.getNode(), request, answer, `has no field "${missing}"`);
		}
		const rows = conversations as IDataObject[];
		// Without an ID nobody could tell whether it was handed over.
		if (rows.some(({ conversationId }) => typeof conversationId !== 'string' || conversationId === ''))
			throw unreadableAnswer(
				context.getNode(),
				request,
				answer,
				'has a conversation without "conversationId"',
			);
		return { rows, total: totalConversations };
	};
}
