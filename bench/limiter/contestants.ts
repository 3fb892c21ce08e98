import { runKeyed } from '../../nodes/shared/concurrency/runKeyed';
import { RequestRun, retrying, type FailedAttempt, type Outcome } from '../../nodes/shared/http';
import type { Service } from './services';

export const CONCURRENCY = 20;

export interface Sent {
	at: number;
	status: number;
}

export interface Trial {
	tookMs: number;
	sent: Sent[];
	failed: number;
}

export async function own(
	items: number,
	service: Service,
): Promise<{ sent: Sent[]; failed: number; endedAt: number }> {
	const run = new RequestRun(new AbortController().signal);
	run.limiter.limit({ concurrency: CONCURRENCY, perSecond: Infinity });
	const sent: Sent[] = [];
	let failed = 0;
	let endedAt = 0;
	const giveUp = () => new Error('gave up');
	const attempt = async (): Promise<Outcome<number>> => {
		const status = service.statusAt(performance.now());
		sent.push({ at: performance.now(), status });
		await new Promise((resolve) => setTimeout(resolve, service.latencyMs()));
		const headers = service.retryAfter === undefined ? {} : { 'retry-after': String(service.retryAfter) };
		if (status === 200) return { value: status };
		if (status === 403) return { error: new Error('refused'), refusesKey: true };
		return { answer: { status, headers } };
	};
	await runKeyed(
		Array.from({ length: items }, (_, index) => index),
		{ concurrency: CONCURRENCY * 4, keyOf: (index) => index },
		async () => {
			await retrying<number, FailedAttempt>({ run, giveUp }, attempt).catch(() => failed++);
			endedAt = performance.now();
		},
	);
	return { sent, failed, endedAt };
}
