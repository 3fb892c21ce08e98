import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { nodeErrorOf } from '../shared/base/codedErrors';
import { conversationExportApiTest } from '../shared/exportApi/client';
import { nameSearches } from '../shared/selection/names';
import { getTeams, getUsers } from '../shared/selection/teamsAndUsers';
import { sampleItems } from '../shared/triggers/triggerConversations';
import { pollConversations } from './poll';
import { properties, readSettings } from './pollParameters';

/** Conversations that the editor shows. */
const SAMPLE_ITEMS = 5;

/** Starts a workflow with what was processed since the last poll (D1 § Delivery rules, 7). */
export class ConversationIntelligencePollTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Conversation Intelligence Poll Trigger',
		name: 'conversationIntelligencePollTrigger',
		icon: {
			light: 'file:conversationIntelligencePollTrigger.svg',
			dark: 'file:conversationIntelligencePollTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter["startFrom"] === "date" ? "Since " + $parameter["startDate"].slice(0, 10) : "New conversations" }}',
		description: 'Starts with the field-sales conversations processed since the last poll',
		eventTriggerDescription: '',
		activationMessage: 'n8n now checks for new conversations.',
		defaults: { name: 'Conversation Intelligence Poll Trigger' },
		builderHint: {
			searchHint:
				'The first choice to react to conversations: needs only an API key, no public address. At most one per workflow. For a backfill, set Start From to Date. Conversations can arrive twice: upsert by dedupeKey.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-conversation-intelligence.conversationIntelligence',
					relationHint: 'Downloads the transcript or audio of a conversation',
				},
			],
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'conversationExportApi', required: true, testedBy: 'conversationExportApiTest' }],
		properties,
	};

	methods = {
		credentialTest: { conversationExportApiTest },
		loadOptions: { getTeams, getUsers },
		listSearch: nameSearches,
	};

	/** Errors are converted, because n8n would store only the level of an error of another class. */
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		try {
			if (this.getMode() !== 'manual') return await pollConversations(this);
			const sample = await sampleItems(this, readSettings(this), 'poll', SAMPLE_ITEMS);
			return [sample.map((json) => ({ json }))];
		} catch (error) {
			throw nodeErrorOf(this.getNode(), error);
		}
	}
}
