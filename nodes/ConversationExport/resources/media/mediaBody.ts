import { sleep } from 'n8n-workflow';
import type { Readable } from '../../../shared/export/file/byteStream';
import { HEAD_BYTES } from './mediaType';

/** Code of the error for a transfer that made no progress. */
export const STALLED = 'ESTALLED';

/**
 * The bytes of a body, which ends with an error when it makes no progress or the execution is stopped.
 *
 * @param stalledAfterMs longest time without a byte; time in which the reader is busy does not count
 * @throws an error with the code {@link STALLED}, the signal's reason, or the body's own error
 */
export async function* watched(
	body: Readable,
	stalledAfterMs: number,
	signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
	let waitsSince = Date.now();
	let ended = false;
	const stalled = Object.assign(new Error('The transfer made no progress'), { code: STALLED });
	const stop = () => void body.destroy(signal?.reason as Error);
	const watch = async () => {
		for (;;) {
			await sleep(Math.max(1, Math.min(waitsSince + stalledAfterMs - Date.now(), stalledAfterMs)));
			if (ended) return;
			if (Date.now() - waitsSince >= stalledAfterMs) break;
		}
		// Racing each chunk against a timer would keep all chunks in memory.
		body.destroy(stalled);
	};
	void watch();
	signal?.addEventListener('abort', stop, { once: true });
	try {
		signal?.throwIfAborted();
		for await (const chunk of body) {
			waitsSince = Infinity;
			yield chunk as Uint8Array;
			waitsSince = Date.now();
		}
	} catch (error) {
		signal?.throwIfAborted();
		// The engine's own time limit may break the connection a moment before.
		throw Date.now() - waitsSince > 0.9 * stalledAfterMs ? stalled : error;
	} finally {
		ended = true;
		signal?.removeEventListener('abort', stop);
		body.destroy();
	}
}

/**
 * Looks at the first bytes of a body without losing them.
 *
 * @returns at least the first 64 bytes, or all of a shorter body, and the whole body
 */
export async function peek(
	body: AsyncGenerator<Uint8Array>,
): Promise<{ head: Uint8Array; whole: AsyncGenerator<Uint8Array> }> {
	let head = Buffer.alloc(0);
	while (head.length < HEAD_BYTES) {
		const next = await body.next();
		if (next.done) break;
		head = Buffer.concat([head, next.value]);
	}
	const whole = async function* () {
		if (head.length > 0) yield head;
		yield* body;
	};
	return { head, whole: whole() };
}
