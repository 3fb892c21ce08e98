/** When a request is repeated and how long to wait first (D2 § Errors, retry guidance). */
export const RETRY = {
	/** Repeats after the first attempt. */
	maxRetries: 5,
	/** First wait in milliseconds; doubles with each repeat. */
	baseDelayMs: 500,
	/** No wait that we choose ourselves is longer. */
	maxDelayMs: 30_000,
	/** A longer pause than this is reported instead of waited for. */
	maxRetryAfterMs: 300_000,
	/** An answer that makes no progress for so long, in headers or body, is given up. */
	stalledAfterMs: 60_000,
} as const;

/**
 * Whether the API documentation calls a status worth another try: 429, 500 and other 5xx; never another 4xx.
 *
 * @param status HTTP status
 */
export function isTransientStatus(status: number): boolean {
	return status === 429 || (status >= 500 && status <= 599);
}

/**
 * The pause that a `Retry-After` header asks for.
 *
 * @param header its value: whole seconds or an HTTP date; anything else counts as absent
 * @param now current time in milliseconds
 * @returns milliseconds from now, never negative; undefined without a usable header
 */
export function retryAfterMs(header: unknown, now: number): number | undefined {
	const value = Array.isArray(header) ? header[0] : header;
	const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	// Only the three HTTP date forms start with a day's name; Date.parse alone would take far more.
	if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return undefined;
	const at = Date.parse(text);
	return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/**
 * Exponential back-off, capped; the second half of each wait is left to chance.
 *
 * @param retry 1 for the first repeat
 * @param random a number in [0, 1)
 * @returns milliseconds, between half and all of the doubled base delay
 */
export function backoffMs(retry: number, random: number): number {
	const ceiling = Math.min(RETRY.maxDelayMs, RETRY.baseDelayMs * 2 ** (retry - 1));
	return Math.round(ceiling / 2 + (ceiling / 2) * random);
}
