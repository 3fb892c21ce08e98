import { sleep, type IDataObject } from 'n8n-workflow';
import { insistOnEnd } from './decompression';
import { innermost, isTransientCode, networkCode } from './policy';

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

/** The longest time without progress, and in all, in milliseconds. */
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
 * The bytes of a body, decompressed. n8n's HTTP client lets compressed bodies end anywhere, so that half a file would be
 * taken for a whole one.
 * @throws BrokenBody for a body that is damaged or ends early, and what the network does to it
 */
export async function* wholeBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	insistOnEnd(body);
	try {
		yield* body;
	} catch (error) {
		throw isTransientCode(networkCode(error)) ? error : new BrokenBody(error);
	}
}

/**
 * Sends a request and reads its body, and closes its connection at a limit of time or size.
 * @param send a request whose connection ends with the signal
 * @param maxBytes of the body, by status
 * @throws TooSlow, as {@link wholeBody}, what the network does, and n8n's own refusal without n8n's wrapping
 */
export async function receive(
	send: (signal: AbortSignal) => Promise<Received>,
	{ stalledMs, totalMs }: TimeLimits,
	maxBytes: (status: number) => number,
): Promise<Read> {
	const startedAt = performance.now();
	const closing = new AbortController();
	let progressAt = startedAt;
	const watch = async () => {
		for (await sleep(CHECK_MS); !closing.signal.aborted; await sleep(CHECK_MS)) {
			const now = performance.now();
			// n8n's own limit comes first where it holds.
			if (now - progressAt > stalledMs + CHECK_MS) closing.abort(new TooSlow(stalledMs));
			if (now - startedAt > totalMs) closing.abort(new TooSlow(totalMs));
		}
	};
	void watch();
	try {
		const response = await send(closing.signal);
		progressAt = performance.now();
		const max = maxBytes(response.statusCode);
		const chunks: Uint8Array[] = [];
		let left = max;
		for await (const chunk of piecesOf(response.body)) {
			progressAt = performance.now();
			chunks.push(chunk);
			left -= chunk.length;
			// Leaving the loop destroys the stream.
			if (left < 0) break;
		}
		return { ...response, body: Buffer.concat(chunks).subarray(0, max), isTooLarge: left < 0 };
	} catch (error) {
		const code = networkCode(error);
		const isOwnLimit = code === 'ECONNABORTED' && performance.now() - startedAt >= 0.9 * stalledMs;
		const reason = isOwnLimit ? new TooSlow(stalledMs) : code === undefined ? innermost(error) : error;
		throw closing.signal.aborted ? closing.signal.reason : reason;
	} finally {
		closing.abort();
	}
}

function piecesOf(body: unknown): AsyncIterable<Uint8Array> | Uint8Array[] {
	if (body instanceof Uint8Array) return [body];
	if (typeof body !== 'object' || body === null) return [Buffer.from(String(body ?? ''))];
	return wholeBody(body as AsyncIterable<Uint8Array>);
}
