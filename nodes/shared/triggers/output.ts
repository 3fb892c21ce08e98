import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { keepFields, SIMPLIFIED_CONVERSATION } from '../exportApi/flatRow';

/** The fields of each item. Both triggers speak one language, so that either can feed a workflow. */
export const outputParameter = {
	displayName: 'Fields to Return',
	name: 'output',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The most useful fields, none of them an object, for tables',
		},
		{ name: 'Raw', value: 'raw', description: 'Every field as the service sends it' },
	],
	default: 'simplified',
	description: 'Which fields each item has',
} as const satisfies INodeProperties;

/** Where an item comes from. */
export interface Origin {
	source: 'poll' | 'webhook';
	/** Whether nothing was processed, because a person tries the trigger. */
	isTest?: boolean;
	deliveryAttempt?: number;
}

/** What each item has besides its conversation. */
export function withOrigin(
	row: IDataObject,
	dedupeKey: unknown,
	{ source, isTest = false, deliveryAttempt = 1 }: Origin,
): IDataObject {
	return { ...row, dedupeKey, source, isTest, deliveryAttempt } as IDataObject;
}

/**
 * The item of a conversation.
 * @param conversation as the client returns it, unknown fields included (D1 § ConversationsExport)
 */
export function conversationItem(
	conversation: IDataObject,
	output: 'simplified' | 'raw',
	origin: Origin,
): IDataObject {
	const row = output === 'raw' ? conversation : keepFields(conversation, SIMPLIFIED_CONVERSATION);
	return withOrigin(row, conversation.conversationId, origin);
}
