import { randomInt } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { orCancelled, wait } from './cancel';
import type { Ended, Pace } from './limiter';

/** When a request is repeated, and after how long (D2 § Errors, retry guidance). */
export const RETRY = {
	maxRetries: 5,
	/** Doubles with each repeat. */
	baseDelayMs: 500,
	maxDelayMs: 30_000,
	/** A service that asks for a longer pause than this fails the request at once. */
	maxRetryAfterMs: 300_000,
	/** A request without progress for this long, in headers or body, has failed. */
	stalledAfterMs: 60_000,
} as const;

/** A failed attempt that is worth repeating: an answer, or what the HTTP helper threw. */
export interface FailedAttempt {
	answer?: { status: number; headers: IDataObject };
	failure?: unknown;
}

export interface Tried {
	attempts: number;
	/** The pause the service asked for, in seconds, when it is longer than there is time for. */
	askedSeconds?: number;
}

export interface RetryOptions<Failed extends FailedAttempt> {
	/** Shared by all requests of a run. */
	pace?: Pace;
	/** Ends every wait and every attempt at once. */
	signal?: AbortSignal;
	/** No wait ends later than this, in milliseconds since 1970. */
	until?: number;
	/** The error to throw when no further attempt is made. */
	giveUp: (failed: Failed, tried: Tried) => Error;
}

export type Outcome<T, Failed = FailedAttempt> = { value: T; status?: number } | Failed;

/**
 * Repeats an attempt while its failure is transient. The only retry loop of the package.
 *
 * @param attempt returns a value or a transient failure; what it throws is final
 * @throws what `attempt` throws, what `giveUp` makes, or the signal's reason
 */
export async function retrying<T, Failed extends FailedAttempt>(
	{ pace, signal, until = Infinity, giveUp }: RetryOptions<Failed>,
	attempt: (attempts: number) => Promise<Outcome<T, Failed>>,
): Promise<T> {
	for (let attempts = 1; ; attempts++) {
		const turn = await pace?.turn(signal);
		let outcome: Outcome<T, Failed> | undefined;
		try {
			signal?.throwIfAborted();
			outcome = await orCancelled(attempt(attempts), signal);
		} finally {
			turn?.end(outcome === undefined ? {} : paceOf(outcome));
		}
		if ('value' in outcome) return outcome.value;
		if (attempts > RETRY.maxRetries) throw giveUp(outcome, { attempts });
		const asked = paceOf(outcome).retryAfterMs ?? 0;
		const pause = Math.max(asked, backoffMs(attempts, randomInt(1_000_000) / 1_000_000));
		if (pause > RETRY.maxRetryAfterMs || Date.now() + pause > until) {
			throw giveUp(outcome, { attempts, ...(asked > 0 ? { askedSeconds: Math.ceil(asked / 1000) } : {}) });
		}
		await wait(pause, signal);
	}
}

function paceOf(outcome: Outcome<unknown>): Ended {
	if ('value' in outcome) return { status: outcome.status ?? 200 };
	const { status, headers } = outcome.answer ?? {};
	return { status, retryAfterMs: retryAfterMs(headers?.['retry-after'], Date.now()) };
}

/** Whether a status is worth another attempt: 429 and 5xx, never another 4xx (D2 § Errors, retry guidance). */
export function isTransientStatus(status: number): boolean {
	return status === 429 || (status >= 500 && status <= 599);
}

/**
 * The pause that a `Retry-After` header asks for: whole seconds or an HTTP date; anything else counts as absent.
 *
 * @param now milliseconds since 1970
 * @returns milliseconds from now, never negative; undefined without a usable header
 */
export function retryAfterMs(header: unknown, now: number): number | undefined {
	const text = String((Array.isArray(header) ? header[0] : header) ?? '').trim();
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	// HTTP dates start with a day's name; Date.parse alone accepts far more.
	if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return undefined;
	const at = Date.parse(text);
	return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/**
 * Exponential backoff in milliseconds, capped; the second half of each wait is random.
 *
 * @param retry 1 for the first repeat
 * @param random a number in [0, 1)
 */
export function backoffMs(retry: number, random: number): number {
	const longest = Math.min(RETRY.maxDelayMs, RETRY.baseDelayMs * 2 ** (retry - 1));
	return Math.round((longest / 2) * (1 + random));
}
