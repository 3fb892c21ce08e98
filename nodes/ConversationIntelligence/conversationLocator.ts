import { UserError, type IDataObject, type INodeProperties } from 'n8n-workflow';
import { conversationRequest, linkExpiry } from '../shared/exportApi/conversation';
import { isObject } from '../shared/node/isObject';
import type { Item } from '../shared/node/item';
import { serviceRequest } from '../shared/http';

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
/** What precedes the ID: `conversations/`, or anything if the address has a single ID. */
const BEFORE_ID = `(?:.*[Cc]onversations?/|(?!.*${UUID}.*${UUID}).*?)`;
const URL_ID = `^${BEFORE_ID}(${UUID})`;
const EXAMPLE = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';

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
			hint: 'The last 30 days; a search covers the first 10,000 conversations',
			typeOptions: { searchListMethod: 'searchConversations', searchable: true },
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: `e.g. https://app.example.com/conversations/${EXAMPLE}`,
			extractValue: { type: 'regex', regex: URL_ID },
			validation: [
				{
					type: 'regex',
					properties: {
						regex: `${BEFORE_ID}${UUID}.*`,
						errorMessage: 'The URL holds no single conversation ID',
					},
				},
			],
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${EXAMPLE}` },
	],
};

/**
 * The ID that an item names.
 *
 * @throws UserError when it is not a UUID, before anything is requested
 */
export function readConversationId({ context, index }: Item): string {
	const given = context.getNodeParameter('conversationId', index, '') as unknown;
	const { mode, value } = isObject(given) ? given : { mode: 'id', value: given };
	const text = typeof value === 'string' ? value.trim() : '';
	// n8n's own extraction would fail without saying what is wrong.
	const id = mode === 'url' ? (new RegExp(URL_ID).exec(text)?.[1] ?? text) : text;
	if (new RegExp(`^${UUID}$`).test(id)) return id;
	throw new UserError(id === '' ? 'Conversation is empty' : `Conversation "${id}" is not a UUID`, {
		description:
			'Choose one from the list, or copy the ID of a conversation, e.g. from the output of Get Many.',
	});
}

/**
 * Fetches one conversation with fresh links and `urlsExpireAt` (D1 § GET /export/conversations/{conversationId}).
 *
 * @throws NodeApiError that explains a 404: it does not exist, or the key may not see it
 */
export async function fetchConversation(item: Item, conversationId: string): Promise<IDataObject> {
	const askedAt = Date.now();
	const advice = `Check the Conversation ID ${conversationId}, and whether the API key may see the rep's team.`;
	const answer = await serviceRequest(item.context, conversationRequest(conversationId, item.index, advice));
	return { urlsExpireAt: linkExpiry(askedAt), ...answer.json() };
}
