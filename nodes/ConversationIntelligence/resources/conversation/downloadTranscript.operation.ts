import type { INodeProperties } from 'n8n-workflow';
import type { Item } from '../../../shared/node/item';
import type { Operation } from '../../../shared/node/operation';
import { downloadFile, outputField, readFileInput } from '../../downloads/downloadFile';
import { readTranscript, transcriptText } from '../../downloads/transcript';
import {
	cutTranscript,
	readTranscriptLength,
	transcriptLengthProperty,
} from '../../downloads/transcriptLength';
import { readConversationId } from '../../../shared/exportApi/conversationId';
import { conversationLocator } from '../../conversationLocator';

const transcriptOutput = {
	displayName: 'Return As',
	name: 'transcriptOutput',
	type: 'options',
	options: [
		{
			name: 'File',
			value: 'file',
			description: 'The JSON file as the service stores it',
			displayOptions: { hide: { '@tool': [true] } },
		},
		{ name: 'Items', value: 'items', description: 'One item for each word, with its speaker and times' },
		{
			name: 'Text',
			value: 'text',
			description: 'One item with lines such as "[01:25] Ana Diaz: …", for people and language models',
		},
	],
	default: 'text',
	description: 'What to return',
} as const satisfies INodeProperties;

/** The transcript of a conversation as a file, one item per word, or text (D1 § ConversationsExport, transcriptUrl). */
export const downloadTranscript: Operation<ReturnType<typeof read>> = {
	option: {
		name: 'Download Transcript',
		value: 'downloadTranscript',
		action: 'Download transcript',
		description: 'Download the transcript as text, as items or as a file',
	},
	properties: [
		conversationLocator,
		transcriptOutput,
		transcriptLengthProperty({ transcriptOutput: ['text'] }),
		{ ...outputField, required: true, displayOptions: { show: { transcriptOutput: ['file'] } } },
	],
	read,
	async execute(item, input) {
		if (input.output === 'file') return await downloadFile(item, 'transcript', input);
		const { output, conversationId, maxLength } = input;
		const { entries, title = null } = await readTranscript(item, conversationId);
		if (output === 'items') return entries.map((entry) => ({ json: { conversationId, ...entry } }));
		const transcript = cutTranscript(transcriptText(entries), maxLength);
		return [{ json: { conversationId, title, words: entries.length, transcript } }];
	},
};

function read(item: Item) {
	const output = item.value(transcriptOutput);
	if (output === 'file') return { output, ...readFileInput(item) };
	const maxLength = readTranscriptLength(item);
	return { output, maxLength, conversationId: readConversationId(item) };
}
