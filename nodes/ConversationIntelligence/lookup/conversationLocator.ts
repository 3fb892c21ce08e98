import { UserError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const EXAMPLE = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';

/** A conversation: from the list of the last 30 days, by its link in the web app, or by ID. */
export const conversationLocator: INodeProperties = {
	displayName: 'Conversation',
	name: 'conversationId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The conversation to get',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchConversations', searchable: true },
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: `e.g. https://app.example.com/conversations/${EXAMPLE}`,
			extractValue: { type: 'regex', regex: `(${UUID})` },
			validation: [
				{
					type: 'regex',
					properties: { regex: `.*${UUID}.*`, errorMessage: 'The URL holds no conversation ID' },
				},
			],
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${EXAMPLE}` },
	],
};

/**
 * The ID that an item names.
 *
 * @throws UserError when it is no UUID; nothing was requested then
 */
export function readConversationId(context: IExecuteFunctions, itemIndex: number): string {
	const value = context.getNodeParameter('conversationId', itemIndex, '', { extractValue: true });
	const id = typeof value === 'string' ? value.trim() : '';
	if (new RegExp(`^${UUID}$`).test(id)) return id;
	throw new UserError(
		id === ''
			? 'Conversation is empty. Choose one from the list, or enter the ID of a conversation, a UUID.'
			: `Conversation "${id}" is not a UUID. Copy the ID of a conversation, e.g. from the output of Get Many.`,
	);
}
