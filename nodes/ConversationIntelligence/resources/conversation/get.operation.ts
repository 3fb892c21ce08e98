import { ContractCheck } from '../../../shared/contract/check';
import { conversationsExportSchema } from '../../../shared/contract';
import type { Operation } from '../../../shared/operation';
import { booleanOf } from '../../../shared/parameters';
import { addTranscript } from '../../downloads/addTranscript';
import { DOWNLOADS_AT_ONCE } from '../../downloads/download';
import { chosenFields, fieldsProperties, fieldsToKeep, keepFields, SIMPLIFIED } from '../../listing/fields';
import { contractHint, showHints } from '../../listing/hints';
import { includeTranscript } from '../../listing/properties';
import { conversationLocator, fetchConversation, readConversationId } from '../../lookup';

const documented = Object.keys(conversationsExportSchema.shape);

/** One conversation by its ID (D1 § GET /export/conversations/{conversationId}). */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get conversation',
		description: 'Get one conversation by its ID',
	},
	properties: [conversationLocator, ...fieldsProperties(documented, false), includeTranscript],
	start: (context) => ({
		concurrency: DOWNLOADS_AT_ONCE,
		prepare(itemIndex) {
			const parameter = (name: string, fallback: unknown): unknown =>
				context.getNodeParameter(name, itemIndex, fallback);
			const { conversation: simplified } = SIMPLIFIED;
			const chosen = chosenFields(parameter('output', 'simplified'), parameter('fields', []), simplified);
			const fields = fieldsToKeep(chosen, documented);
			const withTranscript = booleanOf(parameter('includeTranscript', false), 'Include Transcript');
			const conversationId = readConversationId(context, itemIndex);
			return {
				async execute() {
					const row = await fetchConversation(context, itemIndex, conversationId);
					const check = new ContractCheck(conversationsExportSchema);
					check.add(row);
					showHints(context, itemIndex, contractHint(check));
					const json = keepFields(row, fields);
					if (withTranscript) await addTranscript(context, itemIndex, row, json);
					return [{ json }];
				},
			};
		},
	}),
};
