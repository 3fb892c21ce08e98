import { sleep } from 'n8n-workflow';

const ITEMS_PER_TURN = 100;

/**
 * Makes a function to await before each item of a long loop. Every hundred items it gives n8n's event loop a turn, so that
 * others run and a stop is noticed.
 *
 * @param cancelled the function throws its reason once it is aborted
 */
export function turns(cancelled?: AbortSignal): () => Promise<void> {
	let items = 0;
	return async () => {
		if (++items % ITEMS_PER_TURN === 0) await sleep(0);
		cancelled?.throwIfAborted();
	};
}
