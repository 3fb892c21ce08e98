import { sleep, type IDataObject } from 'n8n-workflow';

/** What n8n's HTTP helper returns for a stream: a body without bytes is no stream. */
export interface Received {
	statusCode: number;
	headers?: IDataObject;
	body: unknown;
	/** The body was larger than allowed, and is left out. */
	isTooLarge?: boolean;
}

interface Limits {
	/** Longest time until the headers have come, and then between bytes, in milliseconds. */
	stalledMs: number;
	/** Longest time of the whole transfer, in milliseconds. */
	totalMs: number;
	maxBytes: number;
}

/** How often a transfer is compared with its limits: each byte may restart n8n's own time limit. */
const CHECK_MS = 1000;

/** The time limit that a transfer exceeded, in milliseconds. */
export class TooSlow extends Error {
	readonly code = 'ETIMEDOUT';

	constructor(readonly limitMs: number) {
		super('The transfer took too long');
	}
}

/**
 * Sends a request and reads its body, and closes its connection as soon as it exceeds a limit.
 * @param send gets the signal that closes the connection
 * @returns the response with its bytes, which count as they are when decompressed
 * @throws TooSlow, and what the HTTP helper or the network throws
 */
export async function receive(
	send: (signal: AbortSignal) => Promise<Received>,
	{ stalledMs, totalMs, maxBytes }: Limits,
): Promise<Received> {
	const startedAt = performance.now();
	const closing = new AbortController();
	let progressAt = startedAt;
	let isOpen = true;
	const watch = async () => {
		for (await sleep(CHECK_MS); isOpen; await sleep(CHECK_MS)) {
			const now = performance.now();
			// n8n's own limit comes first where it holds.
			const isStalled = now - progressAt > stalledMs + CHECK_MS;
			if (isStalled || now - startedAt > totalMs) {
				closing.abort(new TooSlow(isStalled ? stalledMs : totalMs));
				return;
			}
		}
	};
	void watch();
	try {
		const response = await send(closing.signal);
		progressAt = performance.now();
		const { body } = response;
		if (!isStream(body)) return response;
		const chunks: Uint8Array[] = [];
		let size = 0;
		for await (const chunk of body) {
			progressAt = performance.now();
			size += chunk.length;
			// Leaving the loop destroys the stream.
			if (size > maxBytes) return { ...response, body: undefined, isTooLarge: true };
			chunks.push(chunk);
		}
		return { ...response, body: Buffer.concat(chunks) };
	} catch (error) {
		throw closing.signal.aborted ? closing.signal.reason : error;
	} finally {
		isOpen = false;
		closing.abort();
	}
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
