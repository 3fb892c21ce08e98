import { UserError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { toReadable } from '../../listing/file/byteStream';
import type { Operation } from '../../../shared/operation';
import { binaryProperty, binaryPropertyName } from '../../downloads/binaryProperty';
import { download, type MediaAnswer } from '../../downloads/download';
import { mediaFileName } from '../../downloads/fileName';
import { parseTranscript, transcriptText } from '../../downloads/transcript';
import { conversationLocator, readConversationId } from '../../lookup/conversationLocator';

type TranscriptOutput = (
	context: IExecuteFunctions,
	itemIndex: number,
	conversationId: string,
) => Promise<INodeExecutionData[]>;

/** How a transcript is output, by the value of the Output parameter. */
const OUTPUTS: Record<string, TranscriptOutput> = {
	file: async (context, itemIndex, conversationId) => {
		const binary = await fetchTranscript(
			context,
			itemIndex,
			conversationId,
			async ({ body, title, extension, mimeType }) =>
				await context.helpers.prepareBinaryData(
					toReadable(body),
					mediaFileName(title, conversationId, extension),
					mimeType,
				),
		);
		const json = {
			conversationId,
			fileName: binary.fileName,
			mimeType: binary.mimeType,
			bytes: binary.bytes,
		};
		return [{ json, binary: { [binaryPropertyName(context, itemIndex)]: binary } }];
	},
	items: async (context, itemIndex, conversationId) => {
		const { entries } = await readTranscript(context, itemIndex, conversationId);
		return entries.map((entry) => ({ json: { conversationId, ...entry } }));
	},
	text: async (context, itemIndex, conversationId) => {
		const { entries, title } = await readTranscript(context, itemIndex, conversationId);
		return [
			{
				json: {
					conversationId,
					title: title ?? null,
					words: entries.length,
					transcript: transcriptText(entries),
				},
			},
		];
	},
};

/** The transcript of a conversation as a file, one item a word, or text (D1 § Events, transcript_url). */
export const downloadTranscript: Operation = {
	option: {
		name: 'Download Transcript',
		value: 'downloadTranscript',
		action: 'Download the transcript of a conversation',
		description: 'Download the transcript as a file, as items or as plain text',
	},
	properties: [
		conversationLocator,
		{
			displayName: 'Output',
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
			],
			default: 'text',
			description: 'What to return',
		},
		{ ...binaryProperty, displayOptions: { show: { transcriptOutput: ['file'] } } },
	],
	start: (context) => ({
		concurrency: 4,
		prepare(itemIndex) {
			const chosen = String(context.getNodeParameter('transcriptOutput', itemIndex, 'text'));
			if (!Object.hasOwn(OUTPUTS, chosen)) {
				throw new UserError(`Output is "${chosen}". Use file, items or text.`);
			}
			const conversationId = readConversationId(context, itemIndex);
			return { execute: async () => await OUTPUTS[chosen](context, itemIndex, conversationId) };
		},
	}),
};

async function fetchTranscript<Taken>(
	context: IExecuteFunctions,
	itemIndex: number,
	conversationId: string,
	take: (answer: MediaAnswer) => Promise<Taken>,
): Promise<Taken> {
	const wanted = { conversationId, field: 'transcriptUrl', what: 'transcript' } as const;
	return await download(context, itemIndex, wanted, take);
}

async function readTranscript(context: IExecuteFunctions, itemIndex: number, conversationId: string) {
	const { text, title } = await fetchTranscript(
		context,
		itemIndex,
		conversationId,
		async ({ body, title }) => ({
			text: await textOf(body),
			title,
		}),
	);
	return { entries: parseTranscript(text), title };
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of body) chunks.push(chunk);
	return new TextDecoder().decode(Buffer.concat(chunks));
}
