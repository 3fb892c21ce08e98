import type { INodeProperties } from 'n8n-workflow';
import { DEFAULT_SIGNATURE_HEADER } from './settings';

/** No parameter takes an expression: what decides over a delivery must not depend on the delivery. */
export const properties: INodeProperties[] = [
	{
		displayName:
			'In the web app, add a webhook subscription with the <b>Production URL</b> above and a signing secret. Save the same secret in the credential. Deliveries without a valid signature are refused.',
		name: 'setUpNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		noDataExpression: true,
		options: [
			{
				name: 'Conversation Processed',
				value: 'conversation_processed',
				description: 'A conversation is fully processed: transcript, summary, scoring and surveys are there',
			},
			{
				name: 'Test',
				value: 'test',
				description:
					'Send test in the web app. Not selected: answered 2xx, and starts nothing in production.',
			},
		],
		default: ['conversation_processed'],
		description: 'Events that start the workflow. While the editor listens, every event does.',
	},
	{
		displayName: 'Get Full Conversation',
		name: 'fullConversation',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether to fetch the conversation with all its fields by its ID. This happens in the execution, after the delivery was answered.',
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
					'Whether to accept deliveries while the credential holds no signing secret. Anyone who knows the URL can then start the workflow.',
			},
			{
				displayName: 'Drop Repeats',
				name: 'dropRepeats',
				type: 'boolean',
				noDataExpression: true,
				default: true,
				description:
					'Whether a conversation that was delivered and answered 2xx starts nothing when it is delivered again within a day. Each n8n process remembers its own deliveries.',
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
