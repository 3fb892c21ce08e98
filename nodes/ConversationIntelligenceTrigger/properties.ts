import type { INodeProperties } from 'n8n-workflow';
import { DEFAULT_MAXIMUM_AGE_HOURS, DEFAULT_SIGNATURE_HEADER } from './settings';

/** No parameter takes an expression: what decides over a delivery must not depend on the delivery. */
export const properties: INodeProperties[] = [
	{
		displayName:
			"In your conversation service's web app, add a webhook subscription with the <b>Production URL</b> and the credential's <b>Signing Secret</b>",
		name: 'setUpNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		noDataExpression: true,
		options: [
			{
				name: 'Conversation Processed',
				value: 'conversation_processed',
				description: 'Transcript, summary, scoring and surveys are ready',
			},
			{ name: 'Test', value: 'test', description: 'Also run for Send test' },
		],
		default: ['conversation_processed'],
		description: 'Which events start the workflow. The Test URL accepts all.',
	},
	{
		displayName: 'Get Full Conversation',
		name: 'fullConversation',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: 'Whether to add all 28 fields of the conversation',
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
				displayName: 'Allow Unsigned Deliveries',
				name: 'allowUnsigned',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description:
					'Whether to work without a signing secret. Anyone who knows the URL can then start the workflow.',
			},
			{
				displayName: 'Ignore Repeats',
				name: 'dropRepeats',
				type: 'boolean',
				noDataExpression: true,
				default: true,
				description: 'Whether to ignore a conversation received in the last day',
			},
			{
				displayName: 'Maximum Age (Hours)',
				name: 'maximumAge',
				type: 'number',
				typeOptions: { minValue: 0 },
				noDataExpression: true,
				default: DEFAULT_MAXIMUM_AGE_HOURS,
				description: 'Refuse signed deliveries sent longer ago. 0 accepts any age.',
			},
			{
				displayName: 'Signature Header',
				name: 'signatureHeader',
				type: 'string',
				noDataExpression: true,
				default: DEFAULT_SIGNATURE_HEADER,
				description: 'Name of the header that carries the signature',
			},
		],
	},
];
