import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../../shared/node/operation';
import { outputField } from '../../downloads/outputField';
import { prepareFile } from '../../downloads/prepareFile';
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
export const downloadTranscript: Operation = {
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
	start: () => ({
		prepare(item) {
			const output = item.value(transcriptOutput);
			if (output === 'file') return prepareFile(item, 'transcript');
			const maxLength = readTranscriptLength(item);
			const conversationId = readConversationId(item);
			return {
				async execute() {
					const { entries, title = null } = await readTranscript(item, conversationId);
					if (output === 'items') return entries.map((entry) => ({ json: { conversationId, ...entry } }));
					const transcript = cutTranscript(transcriptText(entries), maxLength);
					return [{ json: { conversationId, title, words: entries.length, transcript } }];
				},
			};
		},
	}),
};
