import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { executeOperation } from '../shared/node/operationRun';
import { describeResources, SUBTITLE, type Resource } from '../shared/node/resources';
import { downloadAudio, downloadTranscript, getConversation } from './conversationOperations';
import { searchConversations } from './conversationLocator';
import { conversationExportApiTest } from '../shared/exportApi/client';
import { nameSearches } from '../shared/selection/names';
import { getTeams, getUsers } from '../shared/selection/teamsAndUsers';
import { manyConversations, missingRecordings } from './getMany/pagedLists';
import { teamMetrics, userMetrics } from './getMany/metrics';

export const resources: Resource[] = [
	{
		option: { name: 'Conversation', value: 'conversation' },
		operations: [manyConversations, getConversation, downloadTranscript, downloadAudio],
	},
	{ option: { name: 'Recording', value: 'recording' }, operations: [missingRecordings] },
	{ option: { name: 'Team', value: 'team' }, operations: [teamMetrics] },
	{ option: { name: 'User', value: 'user' }, operations: [userMetrics] },
];

/** Exports conversations, recordings, teams and users (D1). */
export class ConversationIntelligence implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Conversation Intelligence',
		name: 'conversationIntelligence',
		icon: { light: 'file:conversationIntelligence.svg', dark: 'file:conversationIntelligence.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: SUBTITLE,
		description: 'Get field-sales conversations, transcripts, audio and team metrics',
		defaults: { name: 'Conversation Intelligence' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'To react to each conversation, start with a trigger of this package, not with a schedule. For a week against the week before, set Compare With. Links expire: use Download Transcript or Download Audio, never HTTP Request.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-conversation-intelligence.conversationIntelligencePollTrigger',
					relationHint: 'Starts with new conversations; works without a public address',
				},
				{
					nodeType: 'n8n-nodes-conversation-intelligence.conversationIntelligenceTrigger',
					relationHint: 'Starts within seconds, if this n8n has a public HTTPS address',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'conversationExportApi', required: true, testedBy: 'conversationExportApiTest' }],
		properties: describeResources(resources),
	};

	methods = {
		credentialTest: { conversationExportApiTest },
		listSearch: { searchConversations, ...nameSearches },
		loadOptions: { getTeams, getUsers },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeOperation(this, resources);
	}
}
