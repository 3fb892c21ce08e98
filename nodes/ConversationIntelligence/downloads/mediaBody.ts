import type { Readable } from '../binary/byteStream';
import { HEAD_BYTES } from './mediaType';

/** Code of the error for a transfer that made no progress. */
export const STALLED = 'ESTALLED';

/**
 * The bytes of a body, which ends at once when the execution is stopped.
 *
 * @param stalledAfterMs the request's time limit, after which the engine breaks a quiet connection
 * @throws an error with the code {@link STALLED} after such a pause, the signal's reason, or the body's own error
 */
export async function* guarded(
	body: Readable,
	stalledAfterMs: number,
	signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
	let quietSince = Date.now();
	const stop = () => void body.destroy(signal?.reason as Error);
	signal?.addEventListener('abort', stop);
	try {
		signal?.throwIfAborted();
		for await (const chunk of body) {
			yield chunk as Uint8Array;
			quietSince = Date.now();
		}
	} catch (error) {
		signal?.throwIfAborted();
		// The engine reports it like any broken connection, and its clock may be slightly ahead of ours.
		const isStalled = Date.now() - quietSince > 0.9 * stalledAfterMs;
		throw isStalled ? Object.assign(new Error('The transfer made no progress'), { code: STALLED }) : error;
	} finally {
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
