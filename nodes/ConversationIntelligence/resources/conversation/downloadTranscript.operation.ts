import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { inTurns } from '../../../shared/concurrency/inTurns';
import type { Item } from '../../../shared/node/item';
import type { Operation } from '../../../shared/node/operation';
import { storeMedia, outputField, readFileInput } from '../../downloads/storeMedia';
import { readTranscript, transcriptText, transcriptTurns } from '../../downloads/transcript';
import { readWords } from '../../downloads/words';
import { readConversationId } from '../../../shared/exportApi/conversationId';
import { ExportClient } from '../../../shared/exportApi/client';
import { byModel } from '../../getMany/dateRange';
import { showHints } from '../../getMany/hints';
import { readTranscriptLength, transcriptLength } from '../../getMany/readRequest';
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
const fromPosition = {
	displayName: 'From Position',
	name: 'fromPosition',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	displayOptions: { show: { '@tool': [true] } },
	default: byModel('from_position', 'Where the last part says to continue. 0 = start.', 'number', ', 0'),
	description: 'Where to continue a transcript that was cut; 0 for its start',
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
		fromPosition,
		...transcriptLength({ transcriptOutput: ['text'] }),
		{ ...outputField, required: true, displayOptions: { show: { transcriptOutput: ['file'] } } },
	],
	read,
	async execute(item, input) {
		if (input.output === 'file') return await storeMedia(item, 'transcript', input);
		const { output, conversationId, ...part } = input;
		const row = await new ExportClient(item.context).conversation(conversationId);
		const entries = await readTranscript(item, row);
		const items: INodeExecutionData[] = [];
		if (output === 'items') {
			await inTurns(entries, (entry) => items.push({ json: { conversationId, ...entry } }));
			return items;
		}
		const { words, warning } = await readWords(entries);
		const warnings = warning === null ? [] : [warning];
		showHints(item, warnings);
		const { title = null, serviceUrl = null } = row;
		if (output === 'text') {
			const transcript = await transcriptText(words, part);
			return [{ json: { conversationId, title, words: words.length, transcript, warnings } }];
		}
		const turns = await transcriptTurns(row, words);
		await inTurns(turns, (turn) =>
			items.push({ json: { conversationId, title, ...turn, serviceUrl, warnings } }),
		);
		return items;
	},
};

function read(item: Item) {
	const output = item.value(transcriptOutput);
	if (output === 'file') return { output, ...readFileInput(item) };
	const from = item.isTool ? item.value(fromPosition) : 0;
	const next = item.isTool ? 'Continue with From Position' : undefined;
	return {
		output,
		from,
		maxLength: readTranscriptLength(item),
		next,
		conversationId: readConversationId(item),
	};
}
