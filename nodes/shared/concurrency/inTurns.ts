import { sleep } from 'n8n-workflow';

/** Several lists can be worked through at the same time, so that each one holds n8n's event loop only for a moment. */
const MAX_BUSY_MS = 8;

/** Works through a list, however long, and lets n8n serve others meanwhile. */
export async function inTurns<Entry>(entries: Iterable<Entry>, work: (entry: Entry) => void): Promise<void> {
	let since = performance.now();
	for (const entry of entries) {
		work(entry);
		if (performance.now() - since < MAX_BUSY_MS) continue;
		await sleep(0);
		since = performance.now();
	}
}
