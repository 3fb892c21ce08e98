import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { download, type Media, type MediaFile } from '../../shared/media/download';
import { mediaFileName } from '../../shared/media/mediaType';
import type { Item } from '../../shared/node/item';
import { readConversationId } from '../../shared/selection/entered';
import { storeFile, type Bytes } from './binaryStorage';

export const outputField = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
} as const satisfies INodeProperties;

export function readFileInput(item: Item) {
	const conversationId = readConversationId(item);
	const field = item.value(outputField) || outputField.default;
	return { conversationId, field, replaces: field in (item.input.binary ?? {}) };
}

type FileInput = Pick<ReturnType<typeof readFileInput>, 'conversationId' | 'field'>;

/** Says once that files of the input are replaced. */
export function replacedHint(inputs: Array<{ field: string; replaces: boolean }>): string[] {
	const { field } = inputs.find(({ replaces }) => replaces) ?? {};
	if (field === undefined) return [];
	return [`The input's file "${field}" was replaced. To keep both, change Put Output File in Field.`];
}

/** Makes an item of a download's own fields and file, which keeps all others of its input. */
export function besideInput(item: Item) {
	const { json, binary } = item.input;
	return (own: IDataObject, files?: INodeExecutionData['binary']): INodeExecutionData => {
		const all = files ? { ...binary, ...files } : binary;
		return { json: { ...json, ...own }, ...(all && { binary: all }) };
	};
}

export async function storeMedia(item: Item, what: Media, input: FileInput): Promise<INodeExecutionData[]> {
	return [
		await download(item.context, what, input.conversationId, (file) => toFile(item, what, input, file)),
	];
}

/** Streams a file into n8n's binary storage: an item of it, and of `own` fields. */
export async function toFile(
	item: Item,
	what: Media,
	{ conversationId, field }: FileInput,
	{ body, title, extension, mimeType: sentAs }: Omit<MediaFile, 'body'> & { body: Bytes },
	own: IDataObject = {},
): Promise<INodeExecutionData> {
	const name = mediaFileName(title, conversationId, extension);
	const binary = await storeFile(item, what, body, name, sentAs);
	const { fileName, mimeType, bytes } = binary;
	return besideInput(item)({ conversationId, ...own, fileName, mimeType, bytes }, { [field]: binary });
}
