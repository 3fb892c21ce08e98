import type { Readable } from './byteStream';

/** Code of the error for a transfer that made no progress. */
export const STALLED = 'ESTALLED';

/** A body, and how to close its connection even while its bytes are awaited, when n8n's stream cannot be destroyed. */
export interface OpenBody {
	body: Readable;
	close: () => void;
}

/** A transfer that brings less for as long as a wait may last drips, and would never end. */
const MIN_BYTES_PER_MS = 1;

/**
 * The bytes of a body.
 * @param stalledAfterMs longest wait for bytes, also in all of what is slower than 1 kB a second; the time that the reader
 *   takes for them does not count
 * @param onBroken gets what the network did to the body before it is thrown, because a reader may wrap it
 * @throws an error with the code {@link STALLED} after such a wait, or the body's own error
 */
export async function* guarded(
	{ body, close }: OpenBody,
	stalledAfterMs: number,
	onBroken: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
	const wait: Wait = { since: Date.now(), leftMs: stalledAfterMs, close };
	try {
		void closeStalled(wait);
		for await (const chunk of body) {
			const { length } = chunk as Uint8Array;
			const leftMs = wait.leftMs - (Date.now() - wait.since!) + length / MIN_BYTES_PER_MS;
			wait.leftMs = Math.min(stalledAfterMs, leftMs);
			wait.since = undefined;
			yield chunk as Uint8Array;
			wait.since = Date.now();
		}
	} catch (error) {
		const broken = wait.isStalled
			? Object.assign(new Error('The transfer made no progress'), { code: STALLED })
			: error;
		onBroken(broken);
		throw broken;
	} finally {
		wait.close = undefined;
		close();
	}
}

/** A wait for bytes. */
interface Wait {
	/** Undefined while the reader is busy. */
	since?: number;
	/** How long it may last: each byte adds to it, each wait takes from it. */
	leftMs: number;
	/** Undefined once the transfer has ended. */
	close?: () => void;
	isStalled?: boolean;
}

/** Needed because n8n's own time limit ends with the headers of a stream whose redirects are not followed. */
async function closeStalled(wait: Wait): Promise<void> {
	let restMs = wait.leftMs;
	while (restMs > 0) {
		const timer = AbortSignal.timeout(restMs);
		await new Promise((resolve) => timer.addEventListener('abort', resolve));
		if (!wait.close) return;
		restMs = wait.since === undefined ? wait.leftMs : Math.ceil(wait.since + wait.leftMs - Date.now());
	}
	wait.isStalled = true;
	wait.close?.();
}
