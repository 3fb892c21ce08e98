import type { INodeProperties } from 'n8n-workflow';
import type { Item } from '../../../shared/node/item';
import type { Operation } from '../../../shared/node/operation';
import { storeMedia, outputField, readFileInput } from '../../downloads/storeMedia';
import { readTranscript, transcriptText, transcriptTurns } from '../../downloads/transcript';
import { readConversationId } from '../../../shared/exportApi/conversationId';
import { ExportClient } from '../../../shared/exportApi/client';
import { byModel } from '../../getMany/dateRange';
import { readTranscriptLength, transcriptLength } from '../../getMany/properties';
import { conversationLocator } from '../../conversationLocator';

const transcriptOutput = {
	displayName: 'Return As',
	name: 'transcriptOutput',
	type: 'options',
	options: [
		{ name: 'File', value: 'file', description: 'The JSON file as the service stores it' },
		{ name: 'Items', value: 'items', description: 'One item for each word, with its speaker and times' },
		{
			name: 'Text',
			value: 'text',
			description: 'One item with lines such as "[01:25] Ana Diaz: …", for people and language models',
		},
		{
			name: 'Turns',
			value: 'turns',
			description: 'One item each time the speaker changes, with its times in seconds',
		},
	],
	displayOptions: { hide: { '@tool': [true] } },
	default: 'text',
	description: 'What to return',
} as const satisfies INodeProperties;

/** Where an agent's model goes on with a transcript that was cut. */
const fromTime = {
	displayName: 'From Time',
	name: 'fromTime',
	type: 'number',
	typeOptions: { minValue: 0 },
	displayOptions: { show: { '@tool': [true] } },
	default: byModel('from_time', 'Seconds; where the last part says to continue. 0 = start.', 'number', ', 0'),
	description: 'Seconds from the start; earlier words are left out',
} as const satisfies INodeProperties;

/** The transcript of a conversation as a file, one item per word or turn, or text (D1 § ConversationsExport, transcriptUrl). */
export const downloadTranscript: Operation<ReturnType<typeof read>> = {
	option: {
		name: 'Download Transcript',
		value: 'downloadTranscript',
		action: 'Download transcript',
		description: 'Download the transcript as text, turns, words or a file',
	},
	properties: [
		conversationLocator,
		transcriptOutput,
		fromTime,
		transcriptLength,
		{ ...outputField, required: true, displayOptions: { show: { transcriptOutput: ['file'] } } },
	],
	read,
	async execute(item, input) {
		if (input.output === 'file') return await storeMedia(item, 'transcript', input);
		const { output, conversationId, from, maxLength } = input;
		const row = await new ExportClient(item.context).conversation(conversationId);
		const entries = await readTranscript(item, row);
		const { title = null, serviceUrl = null } = row;
		if (output === 'items') return entries.map((entry) => ({ json: { conversationId, ...entry } }));
		if (output === 'turns') {
			const turns = transcriptTurns(row, entries);
			return turns.map((turn) => ({ json: { conversationId, title, ...turn, serviceUrl } }));
		}
		const transcript = transcriptText(entries, { from, maxLength });
		return [{ json: { conversationId, title, words: entries.length, transcript } }];
	},
};

function read(item: Item) {
	const output = item.value(transcriptOutput);
	if (output === 'file') return { output, ...readFileInput(item) };
	const from = item.isTool ? item.value(fromTime) : 0;
	const maxLength = readTranscriptLength(item);
	return { output, from, maxLength, conversationId: readConversationId(item) };
}
