import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { usersFilter } from '../shared/exportApi/usersFilter';
import { EVENTS } from './events';

/** Beside the parameters. The set-up is here only. */
export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
	header: 'Receive processed conversations',
	activationHint:
		"Open <b>Webhook URLs</b> and add a webhook subscription in your conversation service's web app (admin role), with the credential's <b>Signing Secret</b> and the <b>Test URL</b> while you build, or the <b>Production URL</b> once the workflow is published.",
	executionsHelp: {
		inactive:
			'<b>While you build</b>: click <b>Execute step</b>, then <b>Send test</b> in the web app. The sample appears here; some of its values are empty.<br /><br /><b>Once published</b>: each processed conversation starts the workflow. These executions appear in the executions list, not here.',
		active:
			'<b>The workflow is published</b>: each processed conversation starts it. These executions appear in the executions list, not here.',
	},
};

export const activationMessage =
	'Click Send test in the webhook subscription with the Production URL: 200 means ready.';

export const eventTriggerDescription = "Click Send test in your conversation service's web app";

export const eventsParameter = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	required: true,
	noDataExpression: true,
	options: [...EVENTS].map(([value, { option }]) => ({ ...option, value })),
	default: ['conversation_processed'],
	description: 'Which events start the workflow. The Test URL accepts all.',
} as const satisfies INodeProperties;

export const allowUnsignedOption = {
	displayName: 'Allow Unsigned Deliveries',
	name: 'allowUnsigned',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether to work without a signing secret. Anyone who knows the URL can then start the workflow.',
} as const satisfies INodeProperties;

export const ignoreRepeatsOption = {
	displayName: 'Ignore Repeats',
	name: 'dropRepeats',
	type: 'boolean',
	noDataExpression: true,
	default: true,
	description: 'Whether to ignore an event that was received before with the same content',
} as const satisfies INodeProperties;

export const maximumAgeOption = {
	displayName: 'Maximum Age (Minutes)',
	name: 'maximumAgeMinutes',
	type: 'number',
	noDataExpression: true,
	typeOptions: { minValue: 0 },
	default: 5,
	description:
		'Reject signed deliveries sent longer ago; 0 accepts any age. A wrong clock shows as 401 "delivery_too_old" or "delivery_ahead".',
} as const satisfies INodeProperties;

export const signatureHeaderOption = {
	displayName: 'Signature Header',
	name: 'signatureHeader',
	type: 'string',
	noDataExpression: true,
	default: 'X-Service-Signature',
	description: 'Name of the header that carries the signature',
} as const satisfies INodeProperties;

/** No parameter but the filter takes an expression: how a delivery is verified must not depend on the delivery. */
export const properties: INodeProperties[] = [
	eventsParameter,
	{
		displayName: 'Get Full Conversation',
		name: 'fullConversation',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: 'Whether to add every field of the conversation',
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
		options: [allowUnsignedOption, ignoreRepeatsOption, maximumAgeOption, signatureHeaderOption],
	},
];
