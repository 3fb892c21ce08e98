import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { N8nClient } from '../../harness/n8n/client';
import { median } from '../../sandbox/statistics';
import type { Contestant } from './contestants';

export const LOAD = { deliveries: 100, concurrency: 20 };

/** The throughput of a load, and its response times: milliseconds from sending to the complete response. */
export type Result = Record<'perSecond' | 'p50' | 'p95' | 'p99', number>;

/**
 * Sends deliveries concurrently to one or several addresses, one by one.
 *
 * @param bases addresses of n8n without a trailing slash
 * @throws Error for an unexpected status, because the numbers would be meaningless
 */
export async function drive(
	bases: readonly string[],
	{ name, path, makePost, expects }: Contestant,
	deliveries = LOAD.deliveries,
): Promise<Result> {
	const dispatcher = new Agent({ connections: LOAD.concurrency });
	const times: number[] = [];
	let sent = 0;
	const sendUntilDone = async () => {
		while (sent < deliveries) {
			const url = `${bases[sent++ % bases.length]}/webhook/${path}`;
			const post = makePost();
			const from = performance.now();
			const { statusCode, body } = await request(url, { method: 'POST', dispatcher, ...post });
			const text = await body.text();
			times.push(performance.now() - from);
			if (statusCode !== expects)
				throw new Error(`${name} responded with ${statusCode}: ${text.slice(0, 200)}`);
		}
	};
	const from = performance.now();
	try {
		await Promise.all(Array.from({ length: LOAD.concurrency }, sendUntilDone));
	} finally {
		await dispatcher.close();
	}
	const seconds = (performance.now() - from) / 1000;
	times.sort((a, b) => a - b);
	/** The smallest time that at least this share of the times does not exceed. */
	const percentile = (share: number) => times[Math.ceil(share * times.length) - 1];
	return {
		perSecond: deliveries / seconds,
		p50: percentile(0.5),
		p95: percentile(0.95),
		p99: percentile(0.99),
	};
}

/** Waits until no execution is running, so that contestants do not slow down each other. */
export async function idle(client: N8nClient): Promise<void> {
	const isOpen = async (status: string) => {
		const path = `/executions?status=${status}&limit=1`;
		return (await client.session.api<{ data: unknown[] }>('GET', path)).data.length > 0;
	};
	while ((await isOpen('running')) || (await isOpen('new'))) await delay(200);
}

/** The median of each number. */
export function middle(results: readonly Result[]): Result {
	const of = (name: keyof Result) => median(results.map((result) => result[name]));
	return { perSecond: of('perSecond'), p50: of('p50'), p95: of('p95'), p99: of('p99') };
}
