import {
	UserError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import type { Operation } from '../../../shared/operation';
import { jsonRequest, type ServiceAnswer } from '../../../shared/transport';

const properties: INodeProperties[] = [
	{
		displayName: 'Conversation ID',
		name: 'conversationId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10',
		description: 'ID of the conversation, a UUID',
	},
];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One conversation by its ID (D1 § GET /export/conversations/{conversationId}). */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a conversation',
		description: 'Get one conversation by its ID',
	},
	properties,
	async execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
		const { data } = await fetchConversation(context, readConversationId(context, itemIndex), itemIndex);
		return [{ json: data }];
	},
};

function readConversationId(context: IExecuteFunctions, itemIndex: number): string {
	const id = String(context.getNodeParameter('conversationId', itemIndex, '')).trim();
	if (UUID.test(id)) return id;
	throw new UserError(
		id === ''
			? 'Conversation ID is empty. Enter the ID of a conversation, a UUID.'
			: `Conversation ID "${id}" is not a UUID. Copy the ID of a conversation, e.g. from the output of Get Many.`,
	);
}

async function fetchConversation(
	context: IExecuteFunctions,
	conversationId: string,
	itemIndex: number,
): Promise<{ data: IDataObject }> {
	return await jsonRequest(context, {
		credentialType: 'conversationExportApi',
		method: 'GET',
		path: `/export/conversations/${conversationId}`,
		itemIndex,
		explain: (answer: ServiceAnswer) =>
			answer.status === 404
				? {
						message: 'The conversation does not exist or is outside the teams of this key',
						description: `Check the Conversation ID ${conversationId}, and whether the API key may see the rep's team.`,
					}
				: undefined,
	});
}
