import type { Readable } from './byteStream';

/** Code of the error for a transfer that made no progress. */
export const STALLED = 'ESTALLED';

/** A body, and how to close its connection even while its bytes are awaited, when n8n's stream cannot be destroyed. */
export interface OpenBody {
	body: Readable;
	close: () => void;
}

/**
 * The bytes of a body.
 * @param stalledAfterMs longest wait for bytes; the time that the reader takes for them does not count
 * @param onBroken gets what the network did to the body before it is thrown, because a reader may wrap it
 * @throws an error with the code {@link STALLED} after such a wait, or the body's own error
 */
export async function* guarded(
	{ body, close }: OpenBody,
	stalledAfterMs: number,
	onBroken: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
	const wait: Wait = { since: Date.now(), close };
	try {
		void closeStalled(wait, stalledAfterMs);
		for await (const chunk of body) {
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
	/** Undefined once the transfer has ended. */
	close?: () => void;
	isStalled?: boolean;
}

/** Needed because n8n's own time limit ends with the headers of a stream whose redirects are not followed. */
async function closeStalled(wait: Wait, afterMs: number): Promise<void> {
	let restMs = afterMs;
	while (restMs > 0) {
		const timer = AbortSignal.timeout(restMs);
		await new Promise((resolve) => timer.addEventListener('abort', resolve));
		if (!wait.close) return;
		restMs = wait.since === undefined ? afterMs : Math.ceil(wait.since + afterMs - Date.now());
	}
	wait.isStalled = true;
	wait.close?.();
}
