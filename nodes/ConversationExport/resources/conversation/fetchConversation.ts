import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { jsonRequest, type ServiceAnswer } from '../../../shared/transport';
import { urlsExpireAt } from '../list/arrays';

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
	const { data } = await jsonRequest(context, {
		credentialType: 'conversationExportApi',
		method: 'GET',
		path: `/export/conversations/${conversationId}`,
		itemIndex,
		explain: (answer: ServiceAnswer) =>
			answer.status === 404
				? {
						message: 'The conversation does not exist or is outside the teams of this key',
						description: `Check the Conversation ID ${conversationId}, and whether the API key may see the rep's team.`,
					}
				: undefined,
	});
	return { urlsExpireAt: urlsExpireAt(askedAt), ...data };
}
