import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { DEFAULT_MAXIMUM_AGE_HOURS, DEFAULT_SIGNATURE_HEADER } from './settings';

const WHILE_YOU_BUILD =
	"<b>While you build</b>: copy the <b>Test URL</b> under Webhook URLs and add it as a webhook subscription in your conversation service's web app (admin role). Click <b>Execute step</b> here, then <b>Send test</b> there. The sample appears here; some of its values are empty.";

/** Shown while the node waits for its first event. */
export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
	header: 'Receive processed conversations',
	executionsHelp: {
		inactive: `${WHILE_YOU_BUILD}<br /><br /><b>When you are done</b>: publish the workflow and add a subscription with the <b>Production URL</b>. Its deliveries appear in the executions list, not here.`,
		active: `${WHILE_YOU_BUILD}<br /><br /><b>The workflow is published</b>: deliveries to the <b>Production URL</b> start it. They appear in the executions list, not here.`,
	},
	activationHint: 'Publish the workflow, then add a webhook subscription with the Production URL.',
};

export const activationMessage =
	'Add a webhook subscription with the Production URL and the signing secret, then click Send test there: 200 means ready.';

export const eventTriggerDescription = "Click Send test in your conversation service's web app";

const parameters: INodeProperties[] = [
	{
		displayName:
			"Open <b>Webhook URLs</b> above, then add a webhook subscription in your conversation service's web app (admin role): with the <b>Test URL</b> for Execute step, with the <b>Production URL</b> for the published workflow. Both need the credential's <b>Signing Secret</b>.",
		name: 'setUpNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: 'Conversation Processed',
				value: 'conversation_processed',
				action: 'On conversation processed',
				description: 'Transcript, summary, scoring and surveys are ready',
			},
			{
				name: 'Test',
				value: 'test',
				action: 'On test sent from web app',
				description: 'Send test in the web app',
			},
		],
		default: ['conversation_processed'],
		description: 'Which events start the workflow. The Test URL accepts all.',
	},
	{
		displayName: 'Get Full Conversation',
		name: 'fullConversation',
		type: 'boolean',
		default: false,
		description: 'Whether to add every field of the conversation',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Allow Unsigned Deliveries',
				name: 'allowUnsigned',
				type: 'boolean',
				default: false,
				description:
					'Whether to work without a signing secret. Anyone who knows the URL can then start the workflow.',
			},
			{
				displayName: 'Ignore Repeats',
				name: 'dropRepeats',
				type: 'boolean',
				default: true,
				description: 'Whether to ignore a conversation received in the last day',
			},
			{
				displayName: 'Maximum Age (Hours)',
				name: 'maximumAge',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: DEFAULT_MAXIMUM_AGE_HOURS,
				description: 'Refuse signed deliveries sent longer ago. 0 accepts any age.',
			},
			{
				displayName: 'Signature Header',
				name: 'signatureHeader',
				type: 'string',
				default: DEFAULT_SIGNATURE_HEADER,
				description: 'Name of the header that carries the signature',
			},
		],
	},
];

/** No parameter takes an expression: what decides on a delivery must not depend on the delivery. */
export const properties = parameters.map(withoutExpressions);

function withoutExpressions(property: INodeProperties): INodeProperties {
	if (property.type !== 'collection') return { ...property, noDataExpression: true };
	const options = (property.options as INodeProperties[]).map(withoutExpressions);
	return { ...property, options, noDataExpression: true };
}
