import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';
import { optionOf, typedValue, type Option } from '../shared/node/item';
import { collection } from '../shared/node/resources';
import {
	deliverOption,
	filtersParameter,
	readSelection,
	outputParameter,
} from '../shared/triggers/triggerConversations';

const lookBackOption = {
	displayName: 'Look Back (Minutes)',
	name: 'lookBackMinutes',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 60,
	without: 10,
	description: 'How far each poll looks back for conversations that arrive late',
} as const satisfies Option;

const maxConversationsOption = {
	displayName: 'Max Conversations per Poll',
	name: 'maxConversationsPerPoll',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 100,
	without: 500,
	description: 'Later polls deliver the rest. Polling pauses while this many are still running.',
} as const satisfies Option;

const retryFailedOption = {
	displayName: 'Retry Failed Executions',
	name: 'retryFailedExecutions',
	type: 'boolean',
	default: true,
	without: false,
	description: 'Whether to deliver the conversations of a failed execution again, with increasing delays',
} as const satisfies Option;

const executionForOption = {
	displayName: 'Start an Execution For',
	name: 'startExecutionFor',
	type: 'options',
	options: [
		{ name: 'Each Poll', value: 'poll', description: 'One execution with all conversations of a poll' },
		{
			name: 'Each Conversation',
			value: 'conversation',
			description:
				"A failure doesn't hold up other conversations. Without workers, lower Max Conversations per Poll.",
		},
	],
	default: 'conversation',
	without: 'poll',
	description: 'How many conversations share an execution',
} as const satisfies Option;

const startFromParameter = {
	displayName: 'Start From',
	name: 'startFrom',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'When Published',
			value: 'whenPublished',
			description:
				'Everything processed since the workflow was first published, even while it was unpublished',
		},
		{ name: 'Date', value: 'date', description: 'Everything processed since a date' },
	],
	default: 'whenPublished',
	description: 'The first conversations to deliver',
} as const satisfies INodeProperties;

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
			'A conversation can be delivered twice: upsert by <b>dedupeKey</b>. Use one polling trigger per workflow.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	startFromParameter,
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		required: true,
		noDataExpression: true,
		displayOptions: { show: { startFrom: ['date'] } },
		default: '',
		description: 'Deliver conversations processed since this date. A new date starts over.',
	},
	filtersParameter,
	outputParameter,
	collection(
		'Options',
		[deliverOption, lookBackOption, maxConversationsOption, retryFailedOption, executionForOption],
		{ noDataExpression: true },
	),
];

/** The parameters but Start Date. @throws CodedError for a wrong value, by its label */
export function readSettings(context: IPollFunctions) {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	return {
		...readSelection(context, outputParameter),
		startFrom: typedValue(context.getNodeParameter(startFromParameter.name), startFromParameter),
		lookBackMs: optionOf(options, lookBackOption) * 60_000,
		maxRows: optionOf(options, maxConversationsOption),
		retriesFailed: optionOf(options, retryFailedOption),
		startExecutionFor: optionOf(options, executionForOption),
		/** Of an execution; 0 or less for none. */
		timeLimitMs: Number(context.getWorkflowSettings().executionTimeout ?? 0) * 1000,
	};
}

export type Settings = ReturnType<typeof readSettings>;
