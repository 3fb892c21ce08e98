import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { conversationExportApiTest } from '../shared/exportApi/client';
import { nameSearches } from '../shared/selection/names';
import { getTeams, getUsers } from '../shared/selection/teamsAndUsers';
import { runEvents } from './events';
import { activationMessage, eventTriggerDescription, properties, triggerPanel } from './triggerParameters';
import { receiveDelivery, requireSecret } from './receive';

/** Starts a workflow when the service announces a processed conversation (D1 § Webhook delivery, § Events). */
export class ConversationIntelligenceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Conversation Intelligence Trigger',
		name: 'conversationIntelligenceTrigger',
		icon: {
			light: 'file:conversationIntelligenceTrigger.svg',
			dark: 'file:conversationIntelligenceTrigger.dark.svg',
		},
		group: ['trigger'],
		// Not 1: for version 1, n8n evaluates an expression per delivery, which holds 10 MB for each unfinished request.
		version: 1.1,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		// In an empty workflow, n8n's node creator shows it for the action node too.
		description: 'Start when a field-sales conversation is processed, or export conversations and teams',
		eventTriggerDescription,
		activationMessage,
		triggerPanel,
		defaults: { name: 'Conversation Intelligence Trigger' },
		builderHint: {
			searchHint:
				'Needs a public HTTPS address of n8n, and a webhook that a person adds in the service. Otherwise, use the Poll Trigger. Conversations can arrive twice: upsert by dedupeKey.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-conversation-intelligence.conversationIntelligencePollTrigger',
					relationHint: 'Returns the same items without a public address',
				},
			],
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'conversationExportApi', required: true, testedBy: 'conversationExportApiTest' }],
		webhooks: [
			{
				// Constants only: an expression here costs a sandbox for every delivery.
				name: 'default',
				httpMethod: 'POST',
				path: 'conversation',
				// The response leaves after n8n has stored the execution, never before (D1 § Delivery rules, 1).
				responseMode: 'onReceived',
				// Empty, so that the response is what the node returns.
				responseData: '',
			},
		],
		properties,
	};

	methods = {
		credentialTest: { conversationExportApiTest },
		loadOptions: { getTeams, getUsers },
		listSearch: nameSearches,
	};

	/** Subscriptions are managed in the web app only, so there is nothing to call (D1 § Webhook subscription management). */
	webhookMethods = {
		default: {
			checkExists: async () => false,
			async create(this: IHookFunctions) {
				await requireSecret(this);
				return true;
			},
			delete: async () => true,
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveDelivery(this);
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runEvents(this);
	}
}
