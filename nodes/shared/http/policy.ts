/** When a request is repeated, after how long, and when a run ends (D2 § Errors, retry guidance). */
export const POLICY = {
	/** Retries of one request, by how it failed. Ten after a 429 outlast a quota that counts by the minute. */
	maxRetries: { failed: 5, refused: 10, timedOut: 1 },
	/** The pause before the first retry; it doubles with each one. */
	baseDelayMs: 500,
	/** No pause of our own is longer. */
	maxDelayMs: 30_000,
	/** A service that asks for a longer pause than this ends the run. */
	maxRetryAfterMs: 300_000,
	/** A request without progress for this long, in headers or body, has failed. */
	stalledAfterMs: 60_000,
	/** A request that takes so much longer in all, although bytes keep coming, has failed, too. */
	drippingAfterMs: 240_000,
	/** No page, and no list of teams or users, is nearly as large as this. */
	maxResponseMb: 64,
	/** Retries that a run has in hand: each costs one, and each request that was not a failure gives one back. */
	retryBudget: 100,
	/** When so many requests in a row fail alike, the others would too, and the run ends. */
	hopelessRequests: 5,
	/** When so many pages in a row failed, a list that continues on errors reads no further. */
	hopelessPages: 10,
} as const;

/**
 * Exponential backoff in milliseconds, capped; the second half of each wait is random.
 * @param retry 1 for the first retry
 */
export function backoffMs(retry: number): number {
	const longest = Math.min(POLICY.maxDelayMs, POLICY.baseDelayMs * 2 ** (retry - 1));
	return Math.round((longest / 2) * (1 + Math.random()));
}
