import { UserError } from 'n8n-workflow';
import { ContractCheck } from '../../../shared/contract/check';
import { conversationsExportSchema } from '../../../shared/contract';
import type { Operation } from '../../../shared/operation';
import { contractHint, warn } from '../../listing/hints';
import { keepFields } from '../../listing/rows';
import { conversationLocator, readConversationId } from '../../lookup/conversationLocator';
import { fetchConversation } from '../../lookup/fetchConversation';
import { simplifiedConversation } from '../../listing/simplified';

/** One conversation by its ID (D1 § GET /export/conversations/{conversationId}). */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a conversation',
		description: 'Get one conversation by its ID',
	},
	properties: [
		conversationLocator,
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: false,
			description: 'Whether to return a simplified version of the response instead of the raw data',
		},
	],
	start: (context) => ({
		prepare(itemIndex) {
			const simplify = readSimplify(context.getNodeParameter('simplify', itemIndex, false));
			const conversationId = readConversationId(context, itemIndex);
			return {
				async execute() {
					const row = await fetchConversation(context, conversationId, itemIndex);
					const check = new ContractCheck(conversationsExportSchema);
					check.add(row);
					warn(context, itemIndex, contractHint(check));
					return [{ json: keepFields(row, simplify ? simplifiedConversation : undefined) }];
				},
			};
		},
	}),
};

function readSimplify(value: unknown): boolean {
	if (typeof value === 'boolean') return value;
	throw new UserError(`Simplify is ${JSON.stringify(value)}`, { description: 'Use true or false.' });
}
