import {
	sleep,
	type IBinaryData,
	type IDataObject,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { codedError } from '../../shared/base/codedErrors';
import { download, type Media, type MediaFile } from '../../shared/media/download';
import { mediaFileName } from '../../shared/media/mediaType';
import type { Readable } from '../../shared/media/openLink';
import type { Item } from '../../shared/node/item';
import { readConversationId } from '../../shared/selection/entered';
import { EXPORT_ERRORS } from '../exportErrors';

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
export function outputItemMaker(item: Item) {
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
	return outputItemMaker(item)({ conversationId, ...own, fileName, mimeType, bytes }, { [field]: binary });
}

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Streams bytes into n8n's binary storage; throws what the source throws, whatever the storage makes of it. */
export async function storeFile(
	{ context }: Item,
	what: string,
	source: Bytes,
	fileName: string,
	mimeType: string | undefined,
): Promise<IBinaryData> {
	const stream = new ByteStream(source);
	try {
		return await context.helpers.prepareBinaryData(stream as object as Readable, fileName, mimeType);
	} catch (error) {
		if (stream.broken) throw stream.broken.by;
		throw codedError(EXPORT_ERRORS, 'file_not_stored', { file: what, reason: (error as Error).message });
	}
}

/** All stores but the file store fail when a stream is silent for five minutes, or as long as n8n is configured. */
const HEARTBEAT_MS = 20_000;

type Listener = (value?: unknown) => void;

/** Bytes made while they are read: n8n's file store iterates over them, the others listen. Node's own streams cannot be imported. */
class ByteStream {
	private readonly listeners = new Set<{ event: string; listener: Listener; isOnce: boolean }>();
	private isFlowing = false;
	private isDestroyed = false;
	broken?: { by: unknown };

	constructor(private readonly source: Bytes) {}

	async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
		try {
			yield* this.source;
		} catch (by) {
			this.broken = { by };
			throw this.broken.by;
		}
	}

	on(event: string, listener: Listener, isOnce = false): this {
		this.listeners.add({ event, listener, isOnce });
		if (event === 'data' && !this.isFlowing) {
			this.isFlowing = true;
			void this.flow();
		}
		return this;
	}

	once(event: string, listener: Listener): this {
		return this.on(event, listener, true);
	}

	off(event: string, listener: Listener): this {
		for (const one of this.listeners) {
			if (one.event === event && one.listener === listener) this.listeners.delete(one);
		}
		return this;
	}

	destroy(): this {
		this.isDestroyed = true;
		return this;
	}

	private emit(event: string, value?: unknown): void {
		for (const one of this.listeners) {
			if (one.event !== event) continue;
			if (one.isOnce) this.listeners.delete(one);
			one.listener(value);
		}
	}

	private async flow(): Promise<void> {
		void this.beat();
		try {
			// The first chunk comes in a later turn, when the store has added all its listeners.
			for await (const chunk of this) {
				if (this.isDestroyed) break;
				this.emit('data', chunk);
			}
			if (!this.isDestroyed) this.emit('end');
		} catch (error) {
			this.emit('error', error);
		}
		this.isDestroyed = true;
		this.emit('close');
	}

	/** Shows a store that the source is alive while it has nothing to send. */
	private async beat(): Promise<void> {
		for (await sleep(HEARTBEAT_MS); !this.isDestroyed; await sleep(HEARTBEAT_MS))
			this.emit('data', new Uint8Array(0));
	}
}
