import type { IDataObject } from 'n8n-workflow';

export interface ServiceResponse {
	status: number;
	headers: IDataObject;
	/** As text, whatever the content type, with the key hidden. */
	readonly body: string;
}

/** A failed attempt that is worth repeating: a response, or what the HTTP helper threw. */
export interface FailedAttempt {
	response?: Omit<ServiceResponse, 'body'>;
	failure?: unknown;
	/** The time limit that passed without progress, in milliseconds, if it did. */
	limitMs?: number;
}

/** What came before a request was given up. */
export interface Tried {
	attempts: number;
	/** The pause the service asked for, in seconds, when it is longer than there is time for. */
	askedSeconds?: number;
}

/** What an attempt brought: a value, an error that repeating would not change, or a failure worth repeating. */
export type Outcome<T, Failed = FailedAttempt> =
	| { value: T }
	| { error: Error; refusesKey?: boolean }
	| Failed;

/** What an attempt says about the load on the service. */
export function resultOf({ response }: FailedAttempt): 'refused' | 'failed' {
	return response?.status === 429 ? 'refused' : 'failed';
}

/** The pause that a failed attempt asks for, in milliseconds; 0 without one. */
export function retryAfterOf({ response }: FailedAttempt): number {
	return (response && pauseIn(response.headers)) ?? 0;
}

/**
 * The pause that a `Retry-After` header asks for: whole seconds, or an HTTP date, which counts from the sender's own time.
 *
 * @returns milliseconds, never negative; undefined without a usable header
 */
export function pauseIn({ date, 'retry-after': header }: IDataObject): number | undefined {
	const text = String((Array.isArray(header) ? header[0] : header) ?? '').trim();
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	// HTTP dates start with a day's name; Date.parse alone accepts far more.
	if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return undefined;
	const sentAt = Date.parse(String(date));
	const pause = Date.parse(text) - (Number.isNaN(sentAt) ? Date.now() : sentAt);
	return Number.isNaN(pause) ? undefined : Math.max(0, pause);
}

/** Whether a status is worth another attempt: 408, 429 and 5xx, never another 4xx (D2 § Errors, retry guidance). */
export function isTransientStatus(status: number): boolean {
	return status === 408 || status === 429 || (status >= 500 && status <= 599);
}
