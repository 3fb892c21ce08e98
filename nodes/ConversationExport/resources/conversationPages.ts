import { NodeApiError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import type { Page } from '../../shared/export/walkPages';
import { Gate, jsonRequest, unreadableAnswer, type ServiceRequest } from '../../shared/transport';

/**
 * A function that fetches pages of the conversations array, all with the same range and filters.
 *
 * @param body the request body without `page` and `limit` (D1 § POST /export/conversations)
 * @returns takes the page (from 1) and the page size (1 to 50)
 * @throws NodeApiError when a page fails or lacks the array or its total
 */
export function conversationPages(context: IExecuteFunctions, itemIndex: number, body: IDataObject) {
	const gate = new Gate();
	return async (page: number, limit: number): Promise<Page<IDataObject>> => {
		const request: ServiceRequest = {
			credentialType: 'conversationExportApi',
			method: 'POST',
			path: '/export/conversations',
			body: { ...body, page, limit },
			itemIndex,
			gate,
		};
		const { data, answer } = await jsonRequest(context, request);
		const missing = !Array.isArray(data.conversations)
			? 'conversations'
			: typeof data.totalConversations !== 'number'
				? 'totalConversations'
				: undefined;
		if (missing !== undefined) {
			throw unreadableAnswer(
				context.getNode(),
				request,
				answer,
				`has no field "${missing}"`,
			) satisfies NodeApiError;
		}
		return { rows: data.conversations as IDataObject[], total: data.totalConversations as number };
	};
}
