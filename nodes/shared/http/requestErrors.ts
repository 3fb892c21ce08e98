import { CodedError, filledText, type ErrorTable, type FilledText } from '../base/codedErrors';
import type { Failure } from 'n8n-workflow';
import { lowerFirst } from '../base/text';
import { isPrivateHost } from './address';
import { bodyWords, isWebPage, responseInWords } from './bodyText';
import {
	isCertificateFailure,
	isPlainHttp,
	isTransientCode,
	isTransientStatus,
	networkCode,
	pauseIn,
	POLICY,
	type FailedAttempt,
	type ServiceResponse,
	type Tried,
} from './policy';
import { BrokenBody } from './transfer';

/** Why a request failed. `{credential}` is the credential's name. */
export const REQUEST_ERRORS = {
	api_key_unknown: [
		'The service does not recognize the API key',
		'Check the API Key in the {credential} credential: enter the raw key, without "Bearer" and without spaces.',
	],
	api_key_refused: [
		'The service refuses the API key or the path',
		'Check the API Key and the Base URL in the {credential} credential: a gateway gives an unknown key and a wrong path the same response. If other requests succeed, the service refuses the values of this one.',
	],
	request_blocked: [
		'A firewall or proxy refused the request',
		'Ask its administrator to allow these values. If it refuses every request, check the Base URL in the {credential} credential.',
	],
	request_unprocessable: [
		'The service cannot process the request',
		'The same request will fail again. If the response names no value, check whether the API key of the {credential} credential belongs to an active organization.',
	],
	address_not_found: [
		'The service has nothing at this address',
		'Check the Base URL in the {credential} credential.',
	],
	base_url_has_endpoint: [
		'The Base URL must not contain {endpoint}',
		'Remove {endpoint} from the Base URL in the {credential} credential.',
	],
	rate_limited: [
		'The service is limiting the rate of requests',
		'Run the workflow again later, or set Requests per Second if the node has this option.',
		'retryable',
	],
	redirected: [
		'The service redirected the request to another address',
		'The node does not follow redirects, so that the API key stays with the service. Check the Base URL in the {credential} credential.',
	],
	request_timed_out: [
		'The service did not receive the request in time',
		'Run the workflow again later.',
		'retryable',
	],
	request_refused: [
		'The service refused the request',
		'The same request will fail again: check the values of the node. If every request is refused, check the Base URL in the {credential} credential.',
	],
	service_failed: [
		'The service could not process the request',
		"Run the workflow again later. If this keeps happening, contact the service's support.",
		'retryable',
	],
	certificate_refused: [
		"The service's certificate is not accepted",
		'Renew the certificate, or let this n8n trust its issuer. If the address is wrong, correct the Base URL in the {credential} credential.',
	],
	address_without_https: [
		'The service does not respond with HTTPS',
		'Check the host and port of the Base URL in the {credential} credential.',
	],
	private_address_without_https: [
		'The service does not respond with HTTPS',
		'Use http:// instead of https:// in the Base URL of the {credential} credential.',
	],
	service_unreachable: [
		'The service cannot be reached',
		'Check the Base URL in the {credential} credential, and whether this n8n can connect to it.',
		'retryable',
	],
	request_impossible: [
		'The request cannot be completed',
		'The same request will fail again. Check the Base URL in the {credential} credential, and any proxy between n8n and the service.',
	],
	service_silent: ['The service did not respond within {time}', 'Run the workflow again later.', 'retryable'],
	range_too_slow: ['The service did not respond within {time}', 'Use a shorter date range.', 'retryable'],
	response_incomplete: [
		"The service's response is incomplete",
		'Run the workflow again later. If this keeps happening, check the proxies between n8n and the service.',
		'retryable',
	],
	response_too_large: [
		"The service's response {defect}",
		'Use a shorter date range. If it is short, check the Base URL in the {credential} credential.',
	],
	row_unreadable: [
		"The service's response has a row that {defect}",
		"Contact the service's support. To get the other rows, set On Error to Continue in the node's settings.",
	],
	response_unreadable: [
		"The service's response {defect}",
		'Check the Base URL in the {credential} credential: it may lead to a web page or a proxy instead of the API.',
	],
	not_sent: ['Skipped because earlier requests failed: {reason}', '{advice}'],
} as const satisfies ErrorTable;

/** Names of the credential types in messages. */
export const CREDENTIALS = {
	conversationExportApi: 'Conversation Export API',
	crmAppointmentApi: 'CRM Appointment API',
} as const;

export type CredentialType = keyof typeof CREDENTIALS;

export interface RequestLabel {
	credentialType: CredentialType;
	/** Path below the credential's Base URL, URL-encoded, with a leading slash. */
	path: string;
	/** How a Base URL ends that has a path of this API too. */
	endpoints: RegExp;
	/** Of the credential, to say what it must not contain. */
	baseUrl?: string;
	/** Whether it covers a range of dates, which could be shorter. */
	hasDateRange?: boolean;
	/** Replaces the general advice for some responses, e.g. what a 404 means for this operation. */
	explain?: (response: ServiceResponse) => FilledText | undefined;
}

export class RequestError extends CodedError {
	/** Whether it may succeed if it asks for less, because the service or a gateway limits the size of a response. */
	get mayBeTooLarge(): boolean {
		const { code, status = 0 } = this.details;
		const isServiceFailure = status >= 500 && code !== 'not_sent';
		return isServiceFailure || status === 413 || ['response_too_large', 'response_incomplete'].includes(code);
	}
}

/** A request that was not sent, because others of its run failed in a way that this one would, too. */
export class NotSent extends RequestError {
	readonly causeCode: string | undefined;

	/** @param cause how the last of them failed */
	constructor(cause: Error & Partial<CodedError>) {
		const { message, description, details } = cause;
		const reason = lowerFirst(message);
		const text = filledText(REQUEST_ERRORS, 'not_sent', { reason, advice: description ?? '' });
		super({ ...text, retryable: details?.retryable }, { status: details?.status });
		this.causeCode = details?.code;
	}
}

/** What a status, or a hundred of them, means. */
const STATUS_CODES = {
	401: 'api_key_unknown',
	403: 'api_key_refused',
	404: 'address_not_found',
	408: 'request_timed_out',
	422: 'request_unprocessable',
	429: 'rate_limited',
	3: 'redirected',
	4: 'request_refused',
	5: 'service_failed',
} as const;
type Known = keyof typeof STATUS_CODES;

/** Refusals that a firewall or proxy sends if they have a web page instead of the service's words. */
const BLOCKED: string[] = [STATUS_CODES[403], STATUS_CODES[422], STATUS_CODES[4]];

/** What Cloudflare's firewall sends instead of its page to whoever asks for no page. */
const FIREWALL = /^\s*error code: 1\d{3}\s*$/;

/** What an address gets in which an endpoint's path stands twice. */
const NOT_THERE = [403, 404, 405];

/** The error for a response with an unexpected status: the cause, the service's own words, and what to do. */
export function statusError(label: RequestLabel, response: ServiceResponse, tried?: Tried): RequestError {
	const { status } = response;
	const credential = CREDENTIALS[label.credentialType];
	const endpoint = label.baseUrl?.match(label.endpoints)?.[0];
	const isPage = isWebPage(response.body);
	const known =
		STATUS_CODES[status as Known] ?? STATUS_CODES[Math.floor(status / 100) as Known] ?? STATUS_CODES[4];
	const isBlocked = isPage || FIREWALL.test(response.body);
	const code = isBlocked && status >= 400 && BLOCKED.includes(known) ? 'request_blocked' : known;
	// The service's own refusals are plain words (D2 § Errors).
	const explained = isPage ? undefined : label.explain?.(response);
	let text = explained ?? filledText(REQUEST_ERRORS, code, { credential });
	if (endpoint && NOT_THERE.includes(status)) {
		text = filledText(REQUEST_ERRORS, 'base_url_has_endpoint', { credential, endpoint });
	}
	return new RequestError(text, {
		status,
		response: bodyWords(response.body) || undefined,
		facts: `${responseInWords(response)}${triedText(tried)}`,
		failure: code === 'request_blocked' ? undefined : failureOf(response),
	});
}

/** n8n's scheduler uses this to choose the time of the next poll. */
function failureOf({ status, headers }: ServiceResponse): Failure | undefined {
	if (status === 401 || status === 403) return { cause: 'credential-invalid' };
	if (!isTransientStatus(status)) return undefined;
	const cause = status === 429 ? 'rate-limited' : 'temporarily-unavailable';
	return { cause, retryAfterMs: pauseIn(headers) };
}

/** The error for a request that got no response, or none within its time limit. */
export function networkError(
	{ credentialType, baseUrl, hasDateRange }: RequestLabel,
	{ failure, limitMs }: Omit<FailedAttempt, 'response'>,
	tried?: Tried,
): RequestError {
	const isTooSlow = limitMs !== undefined;
	const seconds = Math.round((limitMs ?? 0) / 1000);
	const time = seconds === 1 ? 'a second' : `${seconds} seconds`;
	const slow = hasDateRange ? 'range_too_slow' : 'service_silent';
	const code = isTooSlow ? slow : networkCause(failure, baseUrl);
	const text = filledText(REQUEST_ERRORS, code, { credential: CREDENTIALS[credentialType], time });
	const what = code === 'response_incomplete' ? 'It ended early' : 'No response came';
	const cause = isTooSlow ? '' : `${what} (${networkCode(failure) ?? 'unknown'}).`;
	const facts = `${cause}${triedText(tried)}`.trim();
	return new RequestError(text, { facts, failure: { cause: 'temporarily-unavailable' } });
}

/** In a private network only, a key may go unencrypted: elsewhere, someone on the way could have caused the answer. */
function networkCause(failure: unknown, baseUrl?: string) {
	const code = networkCode(failure);
	if (isCertificateFailure(code)) return 'certificate_refused';
	if (isPlainHttp(failure)) {
		const isPrivate = baseUrl !== undefined && isPrivateHost(new URL(baseUrl).hostname);
		return isPrivate ? 'private_address_without_https' : 'address_without_https';
	}
	if (failure instanceof BrokenBody) return 'response_incomplete';
	return isTransientCode(code) ? 'service_unreachable' : 'request_impossible';
}

function triedText(tried?: Tried): string {
	if (tried === undefined) return '';
	const { attempts, askedSeconds } = tried;
	const times = ` Tried ${attempts === 1 ? 'once' : `${attempts} times`}.`;
	if (askedSeconds === undefined) return times;
	const limit = POLICY.maxRetryAfterMs / 1000;
	const why = askedSeconds > limit ? `above the ${limit}-second limit` : 'longer than this request may take';
	return `${times} The service asked for a ${askedSeconds}-second pause, ${why}.`;
}
