import { sleep } from 'n8n-workflow';

/** A request to n8n takes some ten turns of its event loop, so a stop is noticed within a quarter of a second. */
const MAX_BUSY_MS = 20;

/**
 * Makes a function to await before each item of a long loop. Every few items it lets n8n's event loop run, so that
 * others are served and a stop is noticed.
 *
 * @param cancelled the function throws its reason once it is aborted
 */
export function yieldToEventLoop(cancelled?: AbortSignal): () => Promise<void> {
	let since = performance.now();
	return async () => {
		if (performance.now() - since >= MAX_BUSY_MS) {
			await sleep(0);
			since = performance.now();
		}
		cancelled?.throwIfAborted();
	};
}
