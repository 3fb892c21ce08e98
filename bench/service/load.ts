import { Pool } from 'undici';
import { percentile } from '../statistics';

export interface Load {
	perSecond: number;
	requests: number;
	/** Milliseconds. */
	p50: number;
	p99: number;
}

export interface Call {
	method: 'GET' | 'POST';
	path: string;
	headers: Record<string, string>;
	body?: string;
}

/**
 * Sends requests over `connections` connections until `isDone`; each connection sends one request at a time.
 * @param next returns the n-th request, from 0
 * @throws Error for the first status other than 200
 */
export async function drive(
	origin: string,
	connections: number,
	next: (index: number) => Call,
	isDone: (index: number, milliseconds: number) => boolean,
): Promise<Load> {
	const pool = new Pool(origin, { connections, pipelining: 1 });
	const times: number[] = [];
	const started = performance.now();
	let index = 0;
	const sendUntilDone = async () => {
		while (!isDone(index, performance.now() - started)) {
			const call = next(index++);
			const sent = performance.now();
			const { statusCode, body } = await pool.request(call);
			if (statusCode !== 200) throw new Error(`${call.path}: ${statusCode} ${await body.text()}`);
			await body.arrayBuffer();
			times.push(performance.now() - sent);
		}
	};
	try {
		await Promise.all(Array.from({ length: connections }, sendUntilDone));
	} finally {
		await pool.destroy();
	}
	const seconds = (performance.now() - started) / 1000;
	return {
		perSecond: times.length / seconds,
		requests: times.length,
		p50: percentile(times, 0.5),
		p99: percentile(times, 0.99),
	};
}
