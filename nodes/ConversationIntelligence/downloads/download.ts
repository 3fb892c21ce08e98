import {
	sleep,
	type IBinaryData,
	type IDataObject,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { CodedError, codedError } from '../../shared/base/codedErrors';
import { ExportClient } from '../../shared/exportApi/client';
import type { Item } from '../../shared/node/item';
import {
	isCertificateFailure,
	isTransientCode,
	isTransientStatus,
	mayHaveArrived,
	networkCode,
	POLICY,
	type AttemptResult,
	type FailedAttempt,
	type Tried,
} from '../../shared/http/policy';
import { requestRun } from '../../shared/http/requestRun';
import { readConversationId } from '../../shared/selection/entered';
import { EXPORT_ERRORS } from '../exportErrors';
import { guarded, openLink, STALLED, type Readable } from './openLink';

/** A file of a conversation; the field with its link is called `transcriptUrl` or `audioUrl`. */
export type Media = 'transcript' | 'audio';

export interface MediaFile extends ReturnType<typeof mediaType> {
	body: AsyncIterable<Uint8Array>;
	title: unknown;
}

/** Files that are downloaded concurrently, because some of n8n's stores collect each one in memory. */
export const DOWNLOADS_AT_ONCE = 5;
/** Statuses of object stores for an expired link. A fresh one may help. */
const MAY_BE_EXPIRED = [400, 401, 403, 404, 410];

/**
 * Downloads a file by the link that the service gives, which is renewed once; repeats what host and network do to it.
 * @param take stores the body; called again for each further attempt; what it throws itself is final
 * @throws CodedError or NodeError without the link: its query is a credential
 */
export async function download<Taken>(
	item: Item,
	what: Media,
	conversationId: string,
	take: (file: MediaFile) => Promise<Taken>,
	known?: IDataObject,
): Promise<Taken> {
	const run = requestRun(item.context, 'media');
	run.limiter.limit({ concurrency: DOWNLOADS_AT_ONCE });
	const fetchRow = async () => await new ExportClient(item.context).conversation(conversationId);
	let row = known ?? (await fetchRow());
	let isRenewed = false;
	const errorOf = (failed: FailedAttempt, tried?: Tried) => {
		const advice = tried
			? `Tried ${tried.attempts} times. It may work later: run the workflow again.`
			: adviceOn(failed);
		const facts = `The media host ${hostInWords(failed)}${isRenewed ? ', even with a fresh link' : ''}.`;
		const more = { facts, retryable: isTransient(failed), status: failed.response?.status };
		return codedError(EXPORT_ERRORS, 'download_failed', { file: what, advice }, more);
	};
	const attempt = async (): Promise<AttemptResult<Taken>> => {
		let outcome = await tryOnce(item, what, row, take);
		if (!isRenewed && 'response' in outcome && MAY_BE_EXPIRED.includes(outcome.response!.status)) {
			isRenewed = true;
			row = await fetchRow();
			outcome = await tryOnce(item, what, row, take);
		}
		return 'value' in outcome || isTransient(outcome) ? outcome : { error: errorOf(outcome) };
	};
	return await run.send(attempt, errorOf);
}

const isTransient = ({ response, failure }: FailedAttempt) =>
	response ? isTransientStatus(response.status) : isTransientCode(networkCode(failure));

async function tryOnce<Taken>(
	item: Item,
	what: Media,
	row: IDataObject,
	take: (file: MediaFile) => Promise<Taken>,
): Promise<{ value: Taken } | FailedAttempt> {
	const url = row[`${what}Url`];
	if (typeof url !== 'string' || url === '') throw codedError(EXPORT_ERRORS, 'media_missing', { file: what });
	const signal = requestRun(item.context, 'media').stopped;
	const response = await openLink(item, what, url, signal);
	if ('failure' in response) return response;
	const { statusCode: status, headers } = response;
	try {
		if (Math.floor(status / 100) !== 2) return { response: { status, headers } };
		const type = mediaType(headers['content-type'], url);
		if (type.mimeType === 'text/html') throw codedError(EXPORT_ERRORS, 'media_is_web_page', { file: what });
		return { value: await take({ body: guarded(response), title: row.title, ...type }) };
	} catch (error) {
		signal.throwIfAborted();
		// Anything else is what the network did to the transfer.
		if (error instanceof CodedError) throw item.nodeError(error);
		return { failure: error };
	} finally {
		// Closes the connection if nobody read to the end.
		response.close();
	}
}

function adviceOn({ response, failure }: FailedAttempt): string {
	if (response) return "Check in your conversation service's web app whether the file exists.";
	return isCertificateFailure(networkCode(failure))
		? 'Renew it, or let this n8n trust its issuer.'
		: 'Repeating does not help: check any proxy between n8n and the media host.';
}

function hostInWords({ response, failure }: FailedAttempt): string {
	if (response) return `answered with status ${response.status}`;
	const code = String(networkCode(failure));
	if (code === STALLED) return `sent nothing for ${POLICY.stalledAfterMs / 1000} seconds`;
	if (isCertificateFailure(code)) return `has a certificate that is not accepted (${code})`;
	if (!isTransientCode(code)) return `did not deliver the file (${code})`;
	return mayHaveArrived(failure) ? `did not send the whole file (${code})` : `could not be reached (${code})`;
}

const EXTENSIONS = '3g2 3gp aac aiff amr caf flac json m4a mov mp3 mp4 ogg opus wav webm wma'.split(' ');

/** Content types that do not end with the extension. */
const OTHERS = new Map([
	['audio/mpeg', 'mp3'],
	['audio/mp4', 'm4a'],
	['audio/vnd.wave', 'wav'],
	['audio/3gpp', '3gp'],
	['audio/3gpp2', '3g2'],
	['audio/x-ms-wma', 'wma'],
	['video/quicktime', 'mov'],
]);

/** Object stores send these for files whose type they do not know. */
const UNKNOWN = ['', 'application/octet-stream', 'binary/octet-stream'];

/** What a downloaded file is, by its content type, else by the link's path: `bin` if unknown. Without a type, the extension decides. */
export function mediaType(contentType: unknown, url: string) {
	const [sent] = String(contentType ?? '').split(';');
	const mimeType = sent.trim().toLowerCase();
	// The link's query may contain another file name.
	const path = url.split(/[?#]/)[0].toLowerCase();
	const isOf = (known: string) => mimeType.replace('/x-', '/').endsWith(`/${known}`);
	const sentAs = OTHERS.get(mimeType) ?? EXTENSIONS.find(isOf);
	const extension = sentAs ?? EXTENSIONS.find((known) => path.endsWith(`.${known}`)) ?? 'bin';
	return { extension, mimeType: UNKNOWN.includes(mimeType) ? undefined : mimeType };
}

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
type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

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
	return [await download(item, what, input.conversationId, (file) => toFile(item, what, input, file))];
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

/** A name that every system accepts: the shortened title, and the conversation's ID to keep it unique. */
export function mediaFileName(title: unknown, conversationId: string, extension: string): string {
	const text = typeof title === 'string' ? title.normalize('NFC') : '';
	// Many scripts write vowels as marks.
	const words = text.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
	const short = [...words].slice(0, 60).join('').replace(/^-|-$/g, '');
	return `${short === '' ? '' : `${short}_`}${conversationId}.${extension}`;
}

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
