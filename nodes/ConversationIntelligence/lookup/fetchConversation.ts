import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { conversationRequest, linkExpiry } from '../../shared/conversation';
import { jsonRequest } from '../../shared/transport';

/**
 * One conversation by its ID, with fresh presigned links (D1 § GET /export/conversations/{conversationId}).
 *
 * @returns the service's object and `urlsExpireAt`
 * @throws NodeApiError that explains a 404: it does not exist, or the key may not see it
 */
export async function fetchConversation(
	context: IExecuteFunctions,
	conversationId: string,
	itemIndex: number,
): Promise<IDataObject> {
	const askedAt = Date.now();
	const advice = `Check the Conversation ID ${conversationId}, and whether the API key may see the rep's team.`;
	const { data } = await jsonRequest(context, conversationRequest(conversationId, itemIndex, advice));
	return { urlsExpireAt: linkExpiry(askedAt), ...data };
}
