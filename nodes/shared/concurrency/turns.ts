import { sleep } from 'n8n-workflow';

/** A request to n8n takes some ten turns of its event loop, so a stop is noticed within a quarter of a second. */
const MAX_TURN_MS = 20;

/**
 * Makes a function to await before each item of a long loop. It gives n8n's event loop a turn every few items, so that
 * others run and a stop is noticed.
 *
 * @param cancelled the function throws its reason once it is aborted
 */
export function turns(cancelled?: AbortSignal): () => Promise<void> {
	let since = performance.now();
	return async () => {
		if (performance.now() - since >= MAX_TURN_MS) {
			await sleep(0);
			since = performance.now();
		}
		cancelled?.throwIfAborted();
	};
}
