import { randomInt } from 'crypto';
import { orCancelled, wait } from './cancel';
import type { ServiceAnswer, Tried } from './errors';
import type { Pace } from './pace';
import { backoffMs, RETRY, retryAfterMs } from './retryPolicy';

/** What went wrong in an attempt that is worth repeating: an answer, or none. */
export interface Trouble {
	answer?: Pick<ServiceAnswer, 'status' | 'headers'>;
	failure?: unknown;
}

export interface RetryOptions<Failed extends Trouble> {
	/** Shared by all requests of a run. */
	pace?: Pace;
	/** Ends every wait and every attempt at once. */
	signal?: AbortSignal;
	/** No wait ends later than this, in milliseconds since 1970. */
	until?: number;
	/** The error to throw when no further attempt is made. */
	giveUp: (trouble: Failed, tried: Tried) => Error;
}

/**
 * Repeats an attempt while its trouble is transient: the only retry loop of the package.
 *
 * @param attempt returns a value or transient trouble; what it throws is final
 * @returns the value of the first attempt that has one
 * @throws what `attempt` throws, what `giveUp` makes, or the signal's reason
 */
export async function retrying<T, Failed extends Trouble>(
	{ pace, signal, until = Infinity, giveUp }: RetryOptions<Failed>,
	attempt: (attempts: number) => Promise<{ value: T; status?: number } | Failed>,
): Promise<T> {
	for (let attempts = 1; ; attempts++) {
		const turn = await pace?.turn(signal);
		let outcome: { value: T; status?: number } | Failed | undefined;
		try {
			signal?.throwIfAborted();
			outcome = await orCancelled(attempt(attempts), signal);
		} finally {
			turn?.end(outcome === undefined ? {} : paceOf(outcome));
		}
		if ('value' in outcome) return outcome.value;
		if (attempts > RETRY.maxRetries) throw giveUp(outcome, { attempts });
		const asked = retryAfterMs(outcome.answer?.headers['retry-after'], Date.now()) ?? 0;
		const pause = Math.max(asked, backoffMs(attempts, randomInt(1_000_000) / 1_000_000));
		if (pause > RETRY.maxRetryAfterMs || Date.now() + pause > until) {
			throw giveUp(outcome, { attempts, ...(asked > 0 ? { askedSeconds: Math.ceil(asked / 1000) } : {}) });
		}
		await wait(pause, signal);
	}
}

function paceOf(outcome: { value: unknown; status?: number } | Trouble) {
	if ('value' in outcome) return { status: outcome.status ?? 200 };
	const { status, headers } = outcome.answer ?? {};
	return { status, retryAfterMs: retryAfterMs(headers?.['retry-after'], Date.now()) };
}
