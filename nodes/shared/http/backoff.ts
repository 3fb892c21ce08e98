/** When a request is repeated, and after how long (D2 § Errors, retry guidance). */
export const RETRY = {
	/** Retries of one request, by how it failed. Ten after a 429 outlast a quota that counts by the minute. */
	maxRetries: { failed: 5, refused: 10, timedOut: 1 },
	/** Doubles with each retry. */
	baseDelayMs: 500,
	maxDelayMs: 30_000,
	/** A service that asks for a longer pause than this ends the run. */
	maxRetryAfterMs: 300_000,
	/** A request without progress for this long, in headers or body, has failed. */
	stalledAfterMs: 60_000,
} as const;

/**
 * Exponential backoff in milliseconds, capped; the second half of each wait is random.
 *
 * @param retry 1 for the first retry
 */
export function backoffMs(retry: number): number {
	const longest = Math.min(RETRY.maxDelayMs, RETRY.baseDelayMs * 2 ** (retry - 1));
	return Math.round((longest / 2) * (1 + Math.random()));
}
