import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { forEachYielding } from '../shared/base/concurrency';
import { wellFormedData } from '../shared/base/text';
import { ExportClient } from '../shared/exportApi/client';
import { readConversationId } from '../shared/selection/entered';
import { fieldIn, keepFields, mismatchesOf, SIMPLIFIED_CONVERSATION } from '../shared/exportApi/rows';
import { conversationsExportSchema } from '../shared/exportApi/schemas';
import type { Item } from '../shared/node/item';
import { asTool, byModel, collection, notAsTool, type Operation } from '../shared/node/resources';
import { conversationLocator } from './conversationLocator';
import {
	outputItemMaker,
	outputField,
	readFileInput,
	replacedHint,
	storeMedia,
	toFile,
} from './downloads/binaryStorage';
import { addTranscript, readTranscript, transcriptText, transcriptTurns } from '../shared/media/transcript';
import { readSpeech } from '../shared/media/words';
import { chosenFields, fieldsProperties, fieldsToKeep, undocumented } from './getMany/fieldsToReturn';
import { contractNotes, showHints, unknownFieldsNotes } from './getMany/hints';
import { maxLength, readTranscriptForm, toolLength, transcriptOptions } from './getMany/listRequest';

const documented = Object.keys(conversationsExportSchema.shape);

/** One conversation by its ID (D1 § GET /export/conversations/{conversationId}). */
export const getConversation: Operation<ReturnType<typeof readGet>> = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get conversation',
		description: 'Get a conversation by its ID',
	},
	properties: [
		conversationLocator,
		...fieldsProperties(conversationsExportSchema.shape),
		collection('Options', transcriptOptions),
	],
	read: readGet,
	async execute(item, { conversationId, fields, transcript }) {
		const row = await new ExportClient(item.context).conversation(conversationId);
		const mismatches = mismatchesOf(conversationsExportSchema, [row]);
		const unknown = undocumented(fields, documented).filter((field) => fieldIn(row, field) === undefined);
		showHints(item, [...unknownFieldsNotes(unknown), ...contractNotes(mismatches)]);
		const json = keepFields(row, fieldsToKeep(fields, documented, ['conversationId']));
		if (transcript) await addTranscript(item.context, row, json, transcript);
		if (json.transcriptWarning) showHints(item, [String(json.transcriptWarning)]);
		return [{ json: wellFormedData(json) }];
	},
};

function readGet(item: Item) {
	const fields = chosenFields(item, SIMPLIFIED_CONVERSATION);
	return { fields, transcript: readTranscriptForm(item), conversationId: readConversationId(item) };
}

const transcriptOutput = {
	displayName: 'Return As',
	name: 'transcriptOutput',
	type: 'options',
	options: [
		{ name: 'Items', value: 'items', description: 'One item for each word, with its speaker and times' },
		{ name: 'JSON File', value: 'file', description: 'The file as the service stores it' },
		{ name: 'Text', value: 'text', description: 'One item with lines such as "[01:25] Ana Diaz: …"' },
		{ name: 'Text File', value: 'textFile', description: 'The same lines as a .txt file' },
		{ name: 'Turns', value: 'turns', description: 'One item each time the speaker changes, with its times' },
	],
	displayOptions: notAsTool,
	default: 'text',
	description: 'What to return',
} as const satisfies INodeProperties;

/** Where an agent's model goes on with a transcript that was cut. */
const fromPosition = {
	displayName: 'From Position',
	name: 'fromPosition',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	displayOptions: asTool,
	default: byModel('from_position', 'Where the last part says to continue. 0 = start.', 'number', ', 0'),
	description: 'Where to continue a transcript that was cut; 0 for its start',
} as const satisfies INodeProperties;

/** The transcript of a conversation as a file, one item per word or turn, or text (D1 § ConversationsExport, transcriptUrl). */
export const downloadTranscript: Operation<ReturnType<typeof readPart>> = {
	option: {
		name: 'Download Transcript',
		value: 'downloadTranscript',
		action: 'Download transcript',
		description: 'Download the transcript as text, turns, words or a file',
	},
	properties: [
		conversationLocator,
		transcriptOutput,
		fromPosition,
		{ ...maxLength, displayOptions: { show: { transcriptOutput: ['text'] }, ...notAsTool } },
		{ ...toolLength, displayOptions: asTool },
		{ ...outputField, required: true, displayOptions: { show: { transcriptOutput: ['file', 'textFile'] } } },
	],
	read: readPart,
	warningsOf: (inputs) => replacedHint(inputs.filter(({ output }) => /file$/i.test(output))),
	async execute(item, { output, part, ...input }) {
		if (output === 'file') return await storeMedia(item, 'transcript', input);
		const { conversationId } = input;
		const row = await new ExportClient(item.context).conversation(conversationId);
		const entries = await readTranscript(item.context, row);
		const beside = outputItemMaker(item);
		const items: INodeExecutionData[] = [];
		if (output === 'items') {
			await forEachYielding(entries, (entry) => {
				const rowKey = `${conversationId}/words/${items.length + 1}`;
				items.push(beside({ conversationId, rowKey, ...entry }));
			});
			return items;
		}
		const { words, warning } = await readSpeech(entries);
		const warnings = warning === null ? [] : [warning];
		showHints(item, warnings);
		const { title = null, serviceUrl = null } = row;
		if (output === 'turns') {
			const add = (turn: object) =>
				items.push(beside({ conversationId, title, ...turn, serviceUrl, warnings }));
			await forEachYielding(await transcriptTurns(row, words), add);
			return items;
		}
		const transcript = await transcriptText(words, part);
		const own = { conversationId, title, words: words.length };
		if (output === 'text') return [beside({ ...own, transcript, warnings })];
		const body = [new TextEncoder().encode(transcript)];
		const file = { body, title, extension: 'txt', mimeType: 'text/plain' };
		return [await toFile(item, 'transcript', input, file, { ...own, warnings })];
	},
};

function readPart(item: Item) {
	const output = item.value(transcriptOutput);
	const maximum = output === 'text' ? item.value(item.isTool ? toolLength : maxLength) : 0;
	const part = {
		from: item.isTool ? item.value(fromPosition) : 0,
		maxLength: maximum || Infinity,
		next: item.isTool ? 'Continue with From Position' : undefined,
	};
	return { output, part, ...readFileInput(item) };
}

/** The audio of a conversation, streamed into n8n's binary storage (D1 § ConversationsExport, audioUrl). */
export const downloadAudio: Operation<ReturnType<typeof readFileInput>> = {
	option: {
		name: 'Download Audio',
		value: 'downloadAudio',
		action: 'Download audio',
		description: 'Download the recording as a file',
		// An agent's model cannot listen to a file.
		displayOptions: notAsTool,
	},
	properties: [conversationLocator, { ...outputField, required: true }],
	read: readFileInput,
	warningsOf: replacedHint,
	execute: async (item, input) => await storeMedia(item, 'audio', input),
};
