import { runKeyed } from '../../nodes/shared/base/concurrency';
import { RequestRun } from '../../nodes/shared/http/requestRun';
import type { AttemptResult } from '../../nodes/shared/http/policy';
import type { Service } from './services';

/** The default of exports; appointments send twice as many. */
export const CONCURRENCY = 20;

/** A request, when it was sent, and the status of its response. */
export interface Sent {
	at: number;
	status: number;
}

export interface Trial {
	sent: Sent[];
	/** Items that were given up. */
	failed: number;
	/** When the last item ended, in milliseconds. */
	endedAt: number;
}

export type Contestant = (items: number, service: Service) => Promise<Trial>;

/** Sends a request to the service and records it. */
export function sender({ statusAt, latencyMs, refusalMs }: Service) {
	const sent: Sent[] = [];
	const send = async () => {
		const at = performance.now();
		const status = statusAt(at);
		sent.push({ at, status });
		const took = latencyMs();
		await new Promise((resolve) => setTimeout(resolve, status === 429 ? (refusalMs ?? took) : took));
		return status;
	};
	return { sent, send };
}

/** The package's own limiter and retry loop, with as many items under way as the appointments node has. */
export const own: Contestant = async (items, service) => {
	const run = new RequestRun(new AbortController().signal);
	run.limiter.limit({ concurrency: CONCURRENCY, perSecond: Infinity });
	run.limiter.rate.startSlowly();
	const { sent, send } = sender(service);
	const headers = service.retryAfter === undefined ? {} : { 'retry-after': String(service.retryAfter) };
	const errorOf = () => new Error('gave up');
	const attempt = async (): Promise<AttemptResult<number>> => {
		const status = await send();
		if (status === 200) return { value: status };
		if (status === 403) return { error: new Error('refused'), mayConcernAll: true };
		return { response: { status, headers } };
	};
	let [failed, endedAt] = [0, 0];
	await runKeyed(
		[...Array(items).keys()],
		{ concurrency: CONCURRENCY * 4, keyOf: (item) => item },
		async () => {
			await run.send(attempt, errorOf).catch(() => failed++);
			endedAt = performance.now();
		},
	);
	return { sent, failed, endedAt };
};
