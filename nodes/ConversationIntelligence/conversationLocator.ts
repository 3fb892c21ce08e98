import type { INodeProperties } from 'n8n-workflow';
import { conversationReference } from '../shared/exportApi/conversationId';

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
