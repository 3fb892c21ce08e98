import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { N8nClient } from '../../harness/n8n/client';
import { median } from '../../sandbox/statistics';
import type { Contestant } from './contestants';

export interface Load {
	deliveries: number;
	concurrency: number;
}

/** The throughput and response times of a load. */
export interface Result {
	perSecond: number;
	/** Milliseconds from sending to the complete response. */
	p50: number;
	p95: number;
	p99: number;
}

/**
 * Sends deliveries concurrently to one or several addresses, one by one.
 *
 * @param bases addresses of n8n without a trailing slash
 * @throws Error for an unexpected status, because the numbers would be meaningless
 */
export async function drive(
	bases: readonly string[],
	contestant: Contestant,
	{ deliveries, concurrency }: Load,
): Promise<Result> {
	const dispatcher = new Agent({ connections: concurrency });
	const times: number[] = [];
	let sent = 0;
	const sendUntilDone = async () => {
		while (sent < deliveries) {
			const url = `${bases[sent++ % bases.length]}/webhook/${contestant.path}`;
			const post = contestant.makePost();
			const from = performance.now();
			const response = await request(url, { method: 'POST', dispatcher, ...post });
			const text = await response.body.text();
			times.push(performance.now() - from);
			if (response.statusCode !== contestant.expects) {
				throw new Error(`${contestant.name} responded with ${response.statusCode}: ${text.slice(0, 200)}`);
			}
		}
	};
	const from = performance.now();
	try {
		await Promise.all(Array.from({ length: concurrency }, sendUntilDone));
	} finally {
		await dispatcher.close();
	}
	const seconds = (performance.now() - from) / 1000;
	return {
		perSecond: deliveries / seconds,
		p50: percentile(times, 0.5),
		p95: percentile(times, 0.95),
		p99: percentile(times, 0.99),
	};
}

/** The smallest value that at least this share of the values does not exceed. */
function percentile(values: number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.ceil(share * sorted.length) - 1];
}

/** Waits until no execution is running, so that contestants do not slow down each other. */
export async function idle(client: N8nClient): Promise<void> {
	for (;;) {
		const open = await Promise.all(
			['running', 'new'].map(
				async (status) =>
					await client.session.api<{ data: unknown[] }>('GET', `/executions?status=${status}&limit=1`),
			),
		);
		if (open.every(({ data }) => data.length === 0)) return;
		await delay(200);
	}
}

/** The median of each number. */
export function middle(results: readonly Result[]): Result {
	return {
		perSecond: median(results.map(({ perSecond }) => perSecond)),
		p50: median(results.map(({ p50 }) => p50)),
		p95: median(results.map(({ p95 }) => p95)),
		p99: median(results.map(({ p99 }) => p99)),
	};
}
