import type { INodeProperties } from 'n8n-workflow';

export const properties: INodeProperties[] = [
	{
		displayName:
			'Starts the workflow with the conversations that were processed since the last poll. To catch up on missed webhooks, put it into a separate workflow, not into that of the Conversation Trigger. Make your writes idempotent by <b>dedupeKey</b>: after a restart of n8n the latest conversations come once more.',
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
				name: 'Publication',
				value: 'activation',
				description: 'Conversations that are processed after the workflow was published',
			},
			{ name: 'Date', value: 'date', description: 'Also those processed since a date' },
		],
		default: 'activation',
		description: 'Where the first poll begins',
	},
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		required: true,
		displayOptions: { show: { startFrom: ['date'] } },
		default: '',
		description:
			"Conversations processed at or after this time are handed over. Another date begins anew from there. A time without an offset is read in the workflow's time zone.",
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
				displayName: 'Hand Over Again After a Restart',
				name: 'handOverAgain',
				type: 'boolean',
				default: true,
				description:
					'Whether the latest conversations come once more after n8n was restarted. n8n does not run interrupted executions again, so without this they can be lost.',
			},
			{
				displayName: 'Hand Over Twice',
				name: 'handOverTwice',
				type: 'boolean',
				default: false,
				description:
					'Whether each conversation comes a second time once the overlap has passed. In queue mode this makes up for executions that are lost with a worker. Your writes must be idempotent.',
			},
			{
				displayName: 'Max Conversations per Poll',
				name: 'maxConversations',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 500,
				description: 'A larger burst is handed over in parts, one with each poll',
			},
			{
				displayName: 'Overlap (Minutes)',
				name: 'overlapMinutes',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 10,
				description:
					'How far each poll looks back for conversations that show up late. Those handed over before are left out.',
			},
		],
	},
];
