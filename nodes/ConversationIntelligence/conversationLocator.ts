import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { linkExpiry } from '../shared/exportApi/conversation';
import { conversationReference } from '../shared/exportApi/conversationId';
import { conversationRequest } from '../shared/exportApi/endpoints';
import type { Item } from '../shared/node/item';
import { serviceRequest } from '../shared/http';

/** Names a conversation: from the list of the last 30 days, by its link in the web app, or by ID. */
export const conversationLocator: INodeProperties = {
	displayName: 'Conversation',
	name: 'conversationId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'Choose a conversation of the last 30 days, or enter the URL or ID of any other',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			hint: 'The last 30 days, newest first; a search covers 10,000 conversations',
			typeOptions: { searchListMethod: 'searchConversations', searchable: true },
		},
		...conversationReference.modes,
	],
};

/**
 * Fetches one conversation with fresh links and `urlsExpireAt` (D1 § GET /export/conversations/{conversationId}).
 *
 * @throws NodeApiError that explains a 404: it does not exist, or the key may not see it
 */
export async function fetchConversation({ context }: Item, conversationId: string): Promise<IDataObject> {
	const askedAt = Date.now();
	const advice = `Check the Conversation ID ${conversationId}, and whether the API key may see the rep's team.`;
	const response = await serviceRequest(context, conversationRequest(conversationId, advice));
	return { urlsExpireAt: linkExpiry(askedAt), ...response.json() };
}
