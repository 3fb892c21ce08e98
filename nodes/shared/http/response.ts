import { sleep, type IDataObject } from 'n8n-workflow';
import { filledText, type ErrorTable } from '../base/codedErrors';
import { isObject } from '../base/text';
import { findRows, parseRows, type Fault } from './jsonRows';
import { isTransientCode, networkCode, type ServiceResponse } from './policy';
import {
	CREDENTIALS,
	REQUEST_ERRORS,
	RequestError,
	responseInWords,
	type RequestLabel,
} from './requestErrors';

/** Maximum bytes of a text that are read. The service's own texts have one line. */
export const MAX_TEXT_BYTES = 64 * 1024;

/** What n8n's HTTP helpers return for a stream: a body without bytes is no stream. */
export interface Received {
	statusCode: number;
	headers?: IDataObject;
	body: unknown;
}

/** A response whose body is as large as it may be at most, because the rest is not read. */
export interface Read extends Received {
	body: Buffer;
	isTooLarge: boolean;
}

/** A response whose body comes while it is read. */
export interface Transfer extends Received {
	bytes: AsyncGenerator<Uint8Array>;
	/** Closes the connection, also while bytes are awaited. */
	close: () => void;
}

/** Limits in milliseconds: the wait for a byte, and the whole wait, which each byte extends by a millisecond. */
type TimeLimits = { stalledMs: number; totalMs: number };

/** How often a transfer is compared with its limits: each byte may restart n8n's own time limit. */
const CHECK_MS = 1000;

/** Why a connection that is not needed any more is closed; made once, because errors take long to make. */
const CLOSED = new Error('The connection was closed');

export class TooSlow extends Error {
	readonly code = 'ETIMEDOUT';

	constructor(readonly limitMs: number) {
		super('The transfer took too long');
	}
}

/** A body that ends before its encoding does, or that cannot be decompressed. */
export class BrokenBody extends Error {
	readonly code = 'ERR_BODY_INCOMPLETE';

	constructor(cause?: unknown) {
		super('The body is incomplete', { cause });
	}
}

/**
 * Sends a request, and closes its connection at a time limit. While the reader is busy, no time counts.
 * @param send a request whose connection ends with the signal
 * @throws TooSlow, BrokenBody for a body that is damaged or ends early, and what n8n or the network throws
 */
export async function openTransfer<Response extends Received>(
	send: (signal: AbortSignal) => Promise<Response>,
	{ stalledMs, totalMs }: TimeLimits,
): Promise<Response & Transfer> {
	const closing = new AbortController();
	const close = () => closing.abort(CLOSED);
	/** Undefined while the reader is busy. */
	let waitingSince: number | undefined = performance.now();
	let leftMs = totalMs;
	const waitedMs = () => performance.now() - (waitingSince ?? Infinity);
	const reasonOf = (error: unknown): unknown => {
		if (closing.signal.aborted) return closing.signal.reason;
		const isOwnLimit = networkCode(error) === 'ECONNABORTED' && waitedMs() >= 0.9 * stalledMs;
		return isOwnLimit ? new TooSlow(stalledMs) : error;
	};
	const watch = async () => {
		for (await sleep(CHECK_MS); !closing.signal.aborted; await sleep(CHECK_MS)) {
			// n8n's own limit comes first where it holds.
			if (waitedMs() > stalledMs + CHECK_MS) closing.abort(new TooSlow(stalledMs));
			if (waitedMs() > leftMs) closing.abort(new TooSlow(totalMs));
		}
	};
	async function* bytesOf(body: unknown) {
		try {
			for await (const chunk of piecesOf(body)) {
				leftMs += chunk.length - waitedMs();
				waitingSince = undefined;
				yield chunk;
				waitingSince = performance.now();
			}
		} catch (error) {
			throw reasonOf(error);
		} finally {
			close();
		}
	}
	void watch();
	try {
		const response = await send(closing.signal);
		// Needed where n8n replaces the signal by that of the execution.
		closing.signal.addEventListener('abort', () => (response.body as Stream | undefined)?.destroy?.());
		leftMs -= waitedMs();
		waitingSince = performance.now();
		return { ...response, bytes: bytesOf(response.body), close };
	} catch (error) {
		const reason = reasonOf(error);
		close();
		throw reason;
	}
}

/**
 * Sends a request and reads its body up to a limit of its size; throws as {@link openTransfer}.
 * @param maxBytes of the body, by status
 */
export async function receive(
	send: (signal: AbortSignal) => Promise<Received>,
	limits: TimeLimits,
	maxBytes: (status: number) => number,
): Promise<Read> {
	const { bytes, ...response } = await openTransfer(send, limits);
	const max = maxBytes(response.statusCode);
	const chunks: Uint8Array[] = [];
	let left = max;
	for await (const chunk of bytes) {
		chunks.push(chunk);
		left -= chunk.length;
		// Leaving the loop closes the connection.
		if (left < 0) break;
	}
	return { ...response, body: Buffer.concat(chunks).subarray(0, max), isTooLarge: left < 0 };
}

/** The bytes of a body, decompressed: n8n's HTTP client takes half a compressed body for a whole one. */
async function* piecesOf(body: unknown): AsyncGenerator<Uint8Array> {
	if (body instanceof Uint8Array) return yield body;
	if (typeof body !== 'object' || body === null) return yield Buffer.from(String(body ?? ''));
	const stream = body as AsyncIterable<Uint8Array>;
	insistOnEnd(stream);
	try {
		yield* stream;
	} catch (error) {
		throw isTransientCode(networkCode(error)) ? error : new BrokenBody(error);
	}
}

/** A stream of Node, whose own types cannot be imported. */
type Stream = AsyncIterable<Uint8Array> & {
	read?: (size: number) => unknown;
	destroy?: () => void;
	_finishFlushFlag?: number;
};

/** Current flush flag → the flag with which Node's decompression stream fails if its input ends early. */
const INSISTING: Record<number, number> = { 1: 2, 2: 4 };

/** Makes a compressed body that ends in the middle throw an error, for which neither n8n nor Node has a public option. */
export function insistOnEnd(body: AsyncIterable<Uint8Array>): void {
	for (const stream of [body as Stream, wrappedIn(body)]) {
		const flag = stream?._finishFlushFlag;
		if (flag !== undefined) stream!._finishFlushFlag = INSISTING[flag] ?? flag;
	}
}

/** The stream that a generator reads for another one: `read(0)` runs its first step at once, which asks for the iterator. */
function wrappedIn(stream: Stream): Stream | undefined {
	if (stream.read === undefined) return undefined;
	const prototype = Object.getPrototypeOf(stream) as Stream;
	if (!Object.hasOwn(prototype, Symbol.asyncIterator)) return undefined;
	const original = prototype[Symbol.asyncIterator];
	let found: Stream | undefined;
	const noting = new Proxy(original, {
		apply(target, source: Stream) {
			found = source;
			return target.call(source);
		},
	});
	try {
		Reflect.set(prototype, Symbol.asyncIterator, noting);
		stream.read(0);
	} finally {
		Reflect.set(prototype, Symbol.asyncIterator, original);
	}
	return found;
}

/** A response whose body is decoded only where it is read. */
export interface RawResponse extends ServiceResponse {
	/** Whether an earlier attempt may have been applied although its response was lost or was a 5xx. */
	isInDoubt?: boolean;
	readonly fault?: Fault;
	/** Rows of the longest list of a JSON object, with those that are not wanted. */
	readonly rows: number;
	unreadable(...fault: Fault): RequestError;
	/** Reads the body as a JSON object (D1 § Conventions: bodies are JSON). @throws RequestError for any other body */
	json(): Promise<IDataObject>;
}

const utf8 = new TextDecoder();

/**
 * @param hide hides the key wherever the service echoes it
 * @param maxRows rows of each list that are wanted, if it should be a JSON object
 * @throws BrokenBody for an object that is not whole
 */
export async function readableResponse(
	{ credentialType }: RequestLabel,
	{ statusCode: status, headers = {}, body, isTooLarge }: Read,
	hide: (text: string) => string,
	maxRows?: number,
): Promise<RawResponse> {
	const limit = (body.length / 1024).toLocaleString('en-US');
	const tooLarge: Fault | undefined = isTooLarge
		? [`is larger than ${limit} kB`, 'response_too_large']
		: undefined;
	const json = tooLarge || maxRows === undefined ? undefined : await findRows(body, maxRows);
	if (json?.isCutOff) throw new BrokenBody();
	let text: string | undefined;
	const response: RawResponse = {
		status,
		headers,
		fault: tooLarge ?? json?.fault,
		rows: (json?.lists ?? []).reduce((most, { rows }) => Math.max(most, rows), 0),
		get body() {
			// Other encodings have NUL between all characters.
			return (text ??= hide(utf8.decode(body.subarray(0, MAX_TEXT_BYTES)).replaceAll('\0', '')));
		},
		unreadable(defect, code = 'response_unreadable') {
			const values = { credential: CREDENTIALS[credentialType], defect };
			const text = filledText<ErrorTable, string>(REQUEST_ERRORS, code, values);
			return new RequestError(text, { status, facts: responseInWords(response) });
		},
		async json() {
			const value = await parseRows(body, json?.lists ?? [], hide).catch(() => undefined);
			if (isObject(value)) return value;
			throw response.unreadable(value === undefined ? 'is not valid JSON' : 'is not a JSON object');
		},
	};
	return response;
}
