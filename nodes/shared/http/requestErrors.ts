import { CodedError, filledText, type ErrorTable, type FilledText } from '../base/codedErrors';
import { jsonParse, type Failure } from 'n8n-workflow';
import { hideQueries, isObject, lowerFirst } from '../base/text';
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
		'Check the Base URL in the {credential} credential: it must not contain the path of an endpoint.',
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
		'Check the host and port of the Base URL in the {credential} credential. In a private network only, it may start with http://.',
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
	service_silent: [
		'The service did not respond within {time}',
		'Run the workflow again later. If the node exports a date range, choose a shorter range.',
		'retryable',
	],
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

/** The error code for a status, or for all statuses with the same first digit. */
const STATUS_CODES = {
	401: 'api_key_unknown',
	403: 'api_key_refused',
	404: 'address_not_found',
	408: 'service_failed',
	422: 'request_unprocessable',
	429: 'rate_limited',
	3: 'redirected',
	4: 'request_refused',
	5: 'service_failed',
} as const;
type Known = keyof typeof STATUS_CODES;

/** Refusals that a firewall or proxy sends if their body is a web page. */
const BLOCKED: string[] = [STATUS_CODES[403], STATUS_CODES[422], STATUS_CODES[4]];

/** What Cloudflare's firewall sends instead of its page to whoever asks for no page. */
const FIREWALL = /^\s*error code: 1\d{3}\s*$/;

/** The error for a response with an unexpected status: the cause, the service's response, and what to do. */
export function statusError(label: RequestLabel, response: ServiceResponse, tried?: Tried): RequestError {
	const { status, body } = response;
	const credential = CREDENTIALS[label.credentialType];
	const isPage = isWebPage(body);
	const known =
		STATUS_CODES[status as Known] ?? STATUS_CODES[Math.floor(status / 100) as Known] ?? STATUS_CODES[4];
	const isBlocked = (isPage || FIREWALL.test(body)) && status >= 400 && BLOCKED.includes(known);
	const code = isBlocked ? 'request_blocked' : known;
	// The service's own refusals are plain words (D2 § Errors).
	const explained = isPage ? undefined : label.explain?.(response);
	return new RequestError(explained ?? filledText(REQUEST_ERRORS, code, { credential }), {
		status,
		response: bodyWords(body) || undefined,
		facts: `${responseInWords(response)}${triedText(tried)}`,
		failure: isBlocked ? undefined : failureOf(response),
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
	{ credentialType }: RequestLabel,
	{ failure, limitMs }: Omit<FailedAttempt, 'response'>,
	tried?: Tried,
): RequestError {
	const code = limitMs === undefined ? networkCause(failure) : 'service_silent';
	const seconds = Math.round((limitMs ?? 0) / 1000);
	const time = seconds === 1 ? 'a second' : `${seconds} seconds`;
	const text = filledText(REQUEST_ERRORS, code, { credential: CREDENTIALS[credentialType], time });
	const what = code === 'response_incomplete' ? 'It ended early' : 'No response came';
	const cause = limitMs === undefined ? `${what} (${networkCode(failure) ?? 'unknown'}).` : '';
	const facts = `${cause}${triedText(tried)}`.trim();
	return new RequestError(text, { facts, failure: { cause: 'temporarily-unavailable' } });
}

function networkCause(failure: unknown) {
	const code = networkCode(failure);
	if (isCertificateFailure(code)) return 'certificate_refused';
	if (isPlainHttp(failure)) return 'address_without_https';
	if (code === 'ERR_BODY_INCOMPLETE') return 'response_incomplete';
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

/** Characters of a body that are searched for links before some of them are quoted. */
const MAX_WORDS = 10_000;

/** The status and body of a response; a web page is named, not quoted. */
export function responseInWords({ status, body }: ServiceResponse): string {
	const words = bodyWords(body);
	if (words === undefined) return `Status ${status}: a web page instead of a response.`;
	if (words === '') return `Status ${status}.`;
	return `Status ${status}: "${words}"${/[.!?]$/.test(words) ? '' : '.'}`;
}

/** A body in one line of readable length; undefined for a web page. */
function bodyWords(body: string): string | undefined {
	if (isWebPage(body)) return undefined;
	const text = hideQueries(wordsOf(body).slice(0, MAX_WORDS)).replace(/\s+/g, ' ').trim();
	return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** What an error body in JSON says in words, e.g. `Not found` for `{"message":"Not found"}`; any other body as it is. */
function wordsOf(body: string): string {
	const json = jsonParse<unknown>(body, { fallbackValue: null });
	const { message, error } = isObject(json) ? json : { message: json, error: undefined };
	const words = [message, error, isObject(error) ? error.message : undefined];
	return words.find((one): one is string => typeof one === 'string' && one.trim() !== '') ?? body;
}

/** Whether a body begins with a tag, as a web page does, e.g. the sign-in page of a proxy, sent with status 200. */
export const isWebPage = (body: string) => /^\s*<([!?]|[a-z][a-z0-9:]*[\s/>])/i.test(body);
