import { ContractCheck, fieldIn, keepFields, SIMPLIFIED_CONVERSATION } from '../../../shared/exportApi/rows';
import { conversationsExportSchema } from '../../../shared/exportApi/schemas';
import type { Item } from '../../../shared/node/item';
import type { Operation } from '../../../shared/node/operation';
import { addTranscript } from '../../downloads/transcript';
import { chosenFields, fieldsProperties, fieldsToKeep, undocumented } from '../../getMany/fields';
import { contractHint, showHints, unknownFieldsHint } from '../../getMany/hints';
import { readTranscriptForm, transcriptProperties } from '../../getMany/readRequest';
import { readConversationId } from '../../../shared/exportApi/conversationId';
import { conversationLocator } from '../../conversationLocator';
import { ExportClient } from '../../../shared/exportApi/client';

const documented = Object.keys(conversationsExportSchema.shape);

/** One conversation by its ID (D1 § GET /export/conversations/{conversationId}). */
export const get: Operation<ReturnType<typeof read>> = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get conversation',
		description: 'Get one conversation by its ID',
	},
	properties: [
		conversationLocator,
		...fieldsProperties(conversationsExportSchema.shape),
		...transcriptProperties,
	],
	read,
	async execute(item, { conversationId, fields, transcript }) {
		const row = await new ExportClient(item.context).conversation(conversationId);
		const check = new ContractCheck(conversationsExportSchema);
		check.add(row);
		const unknown = undocumented(fields, documented).filter((field) => fieldIn(row, field) === undefined);
		showHints(item, [...unknownFieldsHint(unknown), ...contractHint(check)]);
		const json = keepFields(row, fieldsToKeep(fields, documented, ['conversationId']));
		if (transcript) await addTranscript(item, row, json, transcript);
		if (json.transcriptWarning) showHints(item, [String(json.transcriptWarning)]);
		return [{ json }];
	},
};

function read(item: Item) {
	return {
		fields: chosenFields(item, SIMPLIFIED_CONVERSATION),
		transcript: readTranscriptForm(item),
		conversationId: readConversationId(item),
	};
}
