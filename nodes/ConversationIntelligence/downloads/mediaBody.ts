import type { Readable } from './byteStream';

/** Code of the error for a transfer that made no progress. */
export const STALLED = 'ESTALLED';

/**
 * The bytes of a body, which ends at once when the execution is stopped.
 *
 * @param stalledAfterMs the request's time limit, after which the engine breaks a quiet connection
 * @param onBroken gets what the network did to the body before it is thrown, because a reader may wrap it
 * @throws an error with the code {@link STALLED} after such a pause, the signal's reason, or the body's own error
 */
export async function* guarded(
	body: Readable,
	stalledAfterMs: number,
	onBroken: (error: unknown) => void,
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
		const broken = isStalled
			? Object.assign(new Error('The transfer made no progress'), { code: STALLED })
			: error;
		onBroken(broken);
		throw broken;
	} finally {
		signal?.removeEventListener('abort', stop);
		body.destroy();
	}
}
