import pLimit from 'p-limit';
import retry, { AbortError } from 'p-retry';
import { CONCURRENCY, sender, type Contestant } from './contestants';

/** What a careful developer would write: p-limit around p-retry, 10 retries, doubling from half a second to 30 s. */
export const pRetry: Contestant = async (items, service) => {
	const limit = pLimit(CONCURRENCY);
	const { sent, send } = sender(service);
	const attempt = async () => {
		const status = await send();
		if (status === 403) throw new AbortError('refused');
		if (status === 200) return;
		const { retryAfter = 0 } = service;
		await new Promise((resolve) => setTimeout(resolve, retryAfter * 1000));
		throw new Error(String(status));
	};
	const options = { retries: 10, minTimeout: 500, maxTimeout: 30_000, randomize: true };
	let [failed, endedAt] = [0, 0];
	const one = async () => {
		await retry(attempt, options).catch(() => failed++);
		endedAt = performance.now();
	};
	await Promise.all(Array.from({ length: items }, async () => await limit(one)));
	return { sent, failed, endedAt };
};
