import type { IDataObject } from 'n8n-workflow';

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
	/** Retries that a run may make. Each costs one, except after a 429. A request that does not fail gives one back. */
	retryBudget: 100,
	/** When so many requests in a row fail alike, the others would too, and the run ends. */
	hopelessRequests: 5,
	/** When so many pages in a row failed, a list that continues on errors reads no further. */
	hopelessPages: 10,
} as const;

/** Exponential backoff in milliseconds from the first retry, 1, capped; the last quarter of each wait is random. */
export function backoffMs(retry: number): number {
	const longest = Math.min(POLICY.maxDelayMs, POLICY.baseDelayMs * 2 ** (retry - 1));
	return Math.round((longest / 4) * (3 + Math.random()));
}

export interface ServiceResponse {
	status: number;
	headers: IDataObject;
	/** As text, whatever the content type, with the key hidden. */
	readonly body: string;
}

/** A failed attempt that is worth repeating: a response, or what the HTTP helper threw, or the time limit that passed. */
export interface FailedAttempt {
	response?: Omit<ServiceResponse, 'body'>;
	failure?: unknown;
	limitMs?: number;
}

/** What came before a request was given up; the pause that the service asked for, if there is no time for it. */
export type Tried = { attempts: number; askedSeconds?: number };

/**
 * What ends a request: a value, or an error that repeating would not change. `mayConcernAll` says whether its cause can
 * be what all requests share, e.g. the key or the address; false if the service refused what this one asks for.
 */
export type Done<T> = { value: T } | { error: Error; mayConcernAll?: boolean };

export type AttemptResult<T, Failed = FailedAttempt> = Done<T> | Failed;

const MAX_PAUSE_MS = 86_400_000;

/**
 * The pause that a `Retry-After` header asks for, in milliseconds, never negative; undefined if none is usable.
 * Reads seconds up to a day, or a date (HTTP, or seconds or milliseconds since 1970), relative to the sender's clock.
 */
export function pauseIn({ date, 'retry-after': header }: IDataObject): number | undefined {
	const text = String((Array.isArray(header) ? header[0] : header) ?? '').trim();
	const sentAt = Date.parse(String(date));
	const now = Number.isNaN(sentAt) ? Date.now() : sentAt;
	if (/^\d+(\.\d+)?$/.test(text)) {
		const number = Number(text);
		if (number * 1000 <= MAX_PAUSE_MS) return Math.ceil(number * 1000);
		const until = [number * 1000, number].find((time) => Math.abs(time - now) <= MAX_PAUSE_MS);
		return until === undefined ? undefined : Math.max(0, until - now);
	}
	// HTTP dates start with a day's name; Date.parse alone accepts far more.
	if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return undefined;
	const pause = Date.parse(text) - now;
	return Number.isNaN(pause) ? undefined : Math.max(0, pause);
}

/** Whether a status is worth another attempt: 408, 429 and 5xx, never another 4xx (D2 § Errors, retry guidance). */
export const isTransientStatus = (status: number) =>
	status === 408 || status === 429 || (status >= 500 && status <= 599);

/** Codes of a request that never left this machine or never reached the service. */
const NOT_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/;

/** Codes of a connection that broke; like those above, they may be gone at the next attempt. */
const BROKEN =
	/^(ECONNRESET|ECONNABORTED|ETIMEDOUT|EPIPE|ERR_BAD_RESPONSE|ERR_STREAM_PREMATURE_CLOSE|ERR_BODY_INCOMPLETE)$/;

/** What was thrown and its causes, outermost first; only a few, because causes can be cyclic. */
function causesOf(failure: unknown, most = 5): unknown[] {
	if (!failure || most === 0) return [];
	return [failure, ...causesOf((failure as { cause?: unknown }).cause, most - 1)];
}

/** Whether a request that the HTTP helper reports as failed may have been applied by the service. */
export const mayHaveArrived = (failure: unknown) => !NOT_SENT.test(networkCode(failure) ?? '');

/** Whether a network failure with this code is worth another attempt. */
export const isTransientCode = (code = '') => NOT_SENT.test(code) || BROKEN.test(code);

/** Whether a code of TLS or OpenSSL is about a certificate that is not trusted, not valid now, or of another host. */
export const isCertificateFailure = (code = '') => /CERT|UNABLE_TO_VERIFY|CRL_/.test(code);

/** Whether a network failure means that HTTPS was sent to a port that expects HTTP; only HTTPS answers with an alert. */
export function isPlainHttp(failure: unknown): boolean {
	const isTls = ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'].includes(networkCode(failure) ?? '');
	return isTls && !causesOf(failure).some((error) => / alert /.test((error as Error).message));
}

/** n8n's own refusal of a request, e.g. by its SSRF protection, without n8n's wrapping. */
export const innermost = (failure: unknown) =>
	causesOf(failure).findLast((error) => error instanceof Error) ?? failure;

/**
 * The system code of a network failure, e.g. `ECONNRESET`; undefined for an error of another origin. Only the code may be
 * shown: the error's text could quote headers or a presigned link.
 */
export function networkCode(failure: unknown): string | undefined {
	const codes = causesOf(failure).map((error) => (error as { code?: unknown }).code);
	return codes.find((code): code is string => typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code));
}
