import { sleep, type IDataObject } from 'n8n-workflow';
import { insistOnEnd } from './decompression';
import { isTransientCode, networkCode } from './policy';

/** Bytes of a text that are read: those of the service have a line. */
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

/** The longest wait for a byte, and in all besides a millisecond for each byte, in milliseconds. */
type TimeLimits = { stalledMs: number; totalMs: number };

/** How often a transfer is compared with its limits: each byte may restart n8n's own time limit. */
const CHECK_MS = 1000;

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
	const close = () => closing.abort();
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
