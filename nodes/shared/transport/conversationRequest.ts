import type { ServiceRequest } from './serviceRequest';

/**
 * The request for one conversation by its ID, which explains a 404: it does not exist, or the key may not see it
 * (D1 § GET /export/conversations/{conversationId}).
 *
 * @param conversationId any text; encoded here
 * @param itemIndex names the item in messages
 * @param advice what to do about a 404
 */
export function conversationRequest(
	conversationId: string,
	itemIndex: number,
	advice: string,
): ServiceRequest {
	return {
		credentialType: 'conversationExportApi',
		method: 'GET',
		path: `/export/conversations/${encodeURIComponent(conversationId)}`,
		itemIndex,
		explain: ({ status }) =>
			status === 404
				? {
						message: 'The conversation does not exist or is outside the teams of this key',
						description: advice,
					}
				: undefined,
	};
}
