import type {
	IBinaryData,
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import type { Item } from '../../shared/node/item';
import { codedError } from '../../shared/base/codedError';
import { readConversationId } from '../../shared/selection/conversationId';
import { EXPORT_ERRORS } from '../errors';
import { download, type Media, type MediaFile } from './download';
import { toReadable } from './byteStream';

export const outputField = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
} as const satisfies INodeProperties;

/**
 * Which conversation's file to download, and the field of the output item for it.
 * @throws CodedError that names the unusable parameter
 */
export function readFileInput(item: Item) {
	const conversationId = readConversationId(item);
	const field = item.value(outputField) || outputField.default;
	return { conversationId, field, replaces: field in (inputOf(item).binary ?? {}) };
}

/** Says once that files of the input are replaced. */
export function replacedHint(inputs: Array<{ field: string; replaces: boolean }>): string[] {
	const { field } = inputs.find(({ replaces }) => replaces) ?? {};
	if (field === undefined) return [];
	return [`The input's file "${field}" was replaced. To keep both, change Put Output File in Field.`];
}

/** The fields and files that a download adds its own to; the call of an agent has none. */
function inputOf({ context, index, isTool }: Item): INodeExecutionData {
	return isTool ? { json: {} } : context.getInputData()[index];
}

/** Makes an item of a download's own fields and file, which keeps all others of its input. */
export function besideInput(item: Item) {
	const { json, binary } = inputOf(item);
	return (own: IDataObject, files?: IBinaryKeyData): INodeExecutionData => {
		const all = files ? { ...binary, ...files } : binary;
		return { json: { ...json, ...own }, ...(all && { binary: all }) };
	};
}

/**
 * Streams a file of a conversation into n8n's binary storage.
 * @throws what {@link download} and {@link storeFile} throw
 */
export async function storeMedia(
	item: Item,
	what: Media,
	{ conversationId, field }: ReturnType<typeof readFileInput>,
): Promise<INodeExecutionData[]> {
	const store = async ({ body, title, extension, mimeType }: MediaFile) => {
		const name = mediaFileName(title, conversationId, extension);
		return await storeFile(item, what, body, name, mimeType);
	};
	const binary = await download(item, what, conversationId, store);
	return [besideInput(item)({ conversationId, ...factsOf(binary) }, { [field]: binary })];
}

export const factsOf = ({ fileName, mimeType, bytes }: IBinaryData) => ({ fileName, mimeType, bytes });

/**
 * The name of a download that every system accepts: the shortened title, and the conversation's ID to keep it unique.
 * @param extension without a dot
 */
export function mediaFileName(title: unknown, conversationId: string, extension: string): string {
	// Many scripts write vowels as marks.
	const words = (typeof title === 'string' ? title : '')
		.normalize('NFC')
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
	const short = [...words].slice(0, 60).join('').replace(/^-|-$/g, '');
	const name = short === '' ? conversationId : `${short}_${conversationId}`;
	return `${name}.${extension}`;
}

/**
 * Streams bytes into n8n's binary storage.
 * @param what the file, for the message
 * @throws what the source throws, whatever the storage makes of it, and CodedError when n8n cannot store the file
 */
export async function storeFile(
	{ context }: Item,
	what: string,
	source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	fileName: string,
	mimeType: string | undefined,
): Promise<IBinaryData> {
	const broken: unknown[] = [];
	async function* watched() {
		try {
			yield* source;
		} catch (error) {
			broken.push(error);
			throw broken[0];
		}
	}
	try {
		return await context.helpers.prepareBinaryData(toReadable(watched()), fileName, mimeType);
	} catch (error) {
		if (broken.length > 0) throw broken[0];
		const reason = (error as Error).message;
		throw codedError(EXPORT_ERRORS, 'file_not_stored', { file: what, reason });
	}
}
