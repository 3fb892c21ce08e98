import type { IDataObject, IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { optionOf, typedValue, type Option } from '../shared/node/item';
import { collection } from '../shared/node/resources';
import { deliverOption, filtersParameter } from '../shared/triggers/triggerConversations';
import { EVENTS, fieldsParameter } from './events';

export const triggerPanel = {
	header: 'Receive processed conversations',
	activationHint:
		"1. Copy a URL from <b>Webhook URLs</b>: the Test URL while you build, the Production URL once published.<br />2. Add a webhook subscription with this URL in your conversation service's web app (admin role).<br />3. Enter the credential's <b>Signing Secret</b> there.",
	executionsHelp: {
		inactive:
			'<b>While you build</b>: click <b>Execute step</b>, then <b>Send test</b> in the web app. Your newest conversation appears here as a sample.<br /><br /><b>Once published</b>: each processed conversation starts the workflow. These executions appear in the executions list, not here.',
		active:
			'<b>The workflow is published</b>: each processed conversation starts it. These executions appear in the executions list, not here.',
	},
};

export const activationMessage =
	'Click Send test in the webhook subscription with the Production URL: 200 means ready.';

export const eventTriggerDescription = "Click Send test in your conversation service's web app";

const eventsParameter = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	required: true,
	noDataExpression: true,
	options: [...EVENTS].map(([value, { option }]) => ({ ...option, value })),
	default: ['conversation_processed'],
	description: 'Which events start the workflow. The Test URL accepts all.',
} as const satisfies INodeProperties;

const allowUnsigned = {
	displayName: 'Allow Unsigned Deliveries',
	name: 'allowUnsigned',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	without: false,
	description:
		'Whether to work without a signing secret. Anyone who knows the URL can then start the workflow.',
} as const satisfies Option;

const acceptDuplicates = {
	displayName: 'Accept Duplicates',
	name: 'acceptDuplicates',
	type: 'boolean',
	noDataExpression: true,
	default: true,
	without: false,
	description: 'Whether an event with the same content as an earlier one starts the workflow again',
} as const satisfies Option;

const maximumAge = {
	displayName: 'Maximum Age (Minutes)',
	name: 'maximumAgeMinutes',
	type: 'number',
	noDataExpression: true,
	typeOptions: { minValue: 0 },
	default: 15,
	without: 5,
	description: 'Reject signed deliveries older than this. Use 0 to accept any age.',
} as const satisfies Option;

const signatureHeader = {
	displayName: 'Signature Header',
	name: 'signatureHeader',
	type: 'string',
	noDataExpression: true,
	default: '',
	without: '',
	placeholder: 'e.g. X-Signature',
	description: 'Name of the header with the signature. Empty = X-Service-Signature.',
} as const satisfies Option;

/** No parameter but Filters takes an expression: how a delivery is verified must not depend on the delivery. */
export const properties: INodeProperties[] = [
	eventsParameter,
	filtersParameter,
	fieldsParameter,
	collection('Options', [acceptDuplicates, allowUnsigned, deliverOption, maximumAge, signatureHeader], {
		noDataExpression: true,
	}),
];

/**
 * Reads what decides how a delivery is verified, as saved: an expression would run on a delivery that may be forged.
 * @throws CodedError for a value of the wrong type, an expression too
 */
export function readSettings(context: IHookFunctions | IWebhookFunctions) {
	const saved = (name: string, fallback: object) =>
		context.getNodeParameter(name, fallback, { rawExpressions: true });
	const options = saved('options', {}) as IDataObject;
	return {
		events: typedValue(saved('events', [...eventsParameter.default]), eventsParameter) as string[],
		signatureHeader: optionOf(options, signatureHeader) || 'X-Service-Signature',
		allowUnsigned: optionOf(options, allowUnsigned),
		ignoreDuplicates: !optionOf(options, acceptDuplicates),
		/** Oldest signed delivery that is accepted, in milliseconds; 0 for any age. */
		maximumAgeMs: optionOf(options, maximumAge) * 60_000,
	};
}

export type WebhookSettings = ReturnType<typeof readSettings>;
