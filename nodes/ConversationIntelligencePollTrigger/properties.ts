import type { INodeProperties } from 'n8n-workflow';
import { usersFilter } from '../shared/exportApi/users';

export const properties: INodeProperties[] = [
	{
		// Names the trigger's only event in the node creator.
		displayName: 'Event',
		name: 'event',
		type: 'hidden',
		options: [
			{
				name: 'Conversation Processed',
				value: 'conversationProcessed',
				action: 'On conversation processed',
				description: 'Checks for new conversations on a schedule',
			},
		],
		default: 'conversationProcessed',
	},
	{
		displayName:
			'Conversations can arrive twice: update by <b>dedupeKey</b> instead of inserting. Keep this trigger and the Conversation Intelligence Trigger in separate workflows.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'When Published',
				value: 'activation',
				description: 'Conversations processed after the workflow was published',
			},
			{ name: 'Date', value: 'date', description: 'Also conversations processed since a date' },
		],
		default: 'activation',
		description: 'The first conversations to deliver',
	},
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		required: true,
		noDataExpression: true,
		displayOptions: { show: { startFrom: ['date'] } },
		default: '',
		description: 'Start here. Changing the date starts over.',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		options: [usersFilter],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		noDataExpression: true,
		default: {},
		options: [
			{
				displayName: 'Max Conversations per Poll',
				name: 'maxConversations',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 500,
				description: 'The rest follows with the next polls',
			},
			{
				displayName: 'Overlap (Minutes)',
				name: 'overlapMinutes',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 10,
				description: 'How far back to check for late arrivals',
			},
		],
	},
];
