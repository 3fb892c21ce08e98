import { jsonParse, NodeApiError, type Failure, type IDataObject, type INode } from 'n8n-workflow';
import { isObject } from '../node/isObject';
import { hideQueries } from '../node/hideQueries';
import { RETRY } from './backoff';
import { endpointIn } from './credentialFields';
import { isCertificateFailure, isPlainHttp, isTransientCode, networkCode } from './failure';
import { isTransientStatus, pauseIn } from './outcome';
import type { RunGivenUp } from './requestRun';
import type { Tried } from './retry';

export interface ServiceResponse {
	status: number;
	headers: IDataObject;
	/** As text, whatever the content type, with the key hidden. */
	readonly body: string;
}

/** The package's two credential types by the names that n8n shows. */
export const CREDENTIALS = {
	conversationExportApi: 'Conversation Export API',
	crmAppointmentApi: 'CRM Appointment API',
} as const;

export type CredentialType = keyof typeof CREDENTIALS;

/** What a message says about the request. */
export interface RequestLabel {
	credentialType: CredentialType;
	/** Path below the credential's Base URL, URL-encoded, with a leading slash. */
	path: string;
	/** Of the credential, to say what it must not contain. */
	baseUrl?: string;
	/** Whether it covers a range of dates, which could be shorter. */
	hasDateRange?: boolean;
	/** Replaces the general advice for some responses, e.g. what a 404 means for this operation. */
	explain?: (response: ServiceResponse) => { message: string; description: string } | undefined;
}

/** What a status, or a hundred of them, means and what to do. */
const ADVICE: Record<string, [message: string, description: string]> = {
	401: [
		'The service does not recognize the API key',
		'Check the API Key in the {credential} credential: the raw key, without "Bearer" and without spaces.',
	],
	403: [
		'The service refuses the API key',
		'Check the API Key in the {credential} credential: it is missing, unknown or was deleted.',
	],
	404: ['The service has nothing at this address', 'Check the Base URL in the {credential} credential.'],
	429: [
		'The service is limiting the rate of requests',
		'It may work later: run the workflow again in a while, or set Requests per Second if the node has it.',
	],
	'3xx': [
		'The service redirected the request elsewhere',
		'Redirects are not followed, so that the key stays with the service. Check the Base URL in the {credential} credential.',
	],
	408: ['The service did not receive the request in time', 'Run the workflow again later.'],
	'4xx': [
		'The service refused the request',
		'Repeating the same request does not help: check the values of the node.',
	],
	'5xx': [
		'The service could not process the request',
		"This may be transient: run the workflow again later. If it persists, contact the service's support.",
	],
};

/** What a network code means and what to do; the first row that applies. */
const NETWORK_ADVICE: Array<
	[applies: (code: string, failure: unknown) => boolean, message: string, description: string]
> = [
	[
		isCertificateFailure,
		"The service's certificate is not accepted",
		'Renew it, or let this n8n trust its issuer. If the address is wrong, correct the Base URL in the {credential} credential.',
	],
	[
		(_code, failure) => isPlainHttp(failure),
		'The service cannot be reached',
		'Use http:// instead of https:// in the Base URL of the {credential} credential: the address does not use HTTPS.',
	],
	[
		isTransientCode,
		'The service cannot be reached',
		'Check the Base URL in the {credential} credential and whether this n8n can reach it.',
	],
	[
		() => true,
		'The request cannot be completed',
		'Repeating it does not help. Check the Base URL in the {credential} credential, and any proxy in between.',
	],
];

/** The error for a response with an unexpected status: the cause, the service's own words, and what to do. */
export function statusError(
	node: INode,
	label: RequestLabel,
	response: ServiceResponse,
	tried?: Tried,
): NodeApiError {
	const { status } = response;
	const [message, advice] = ADVICE[status] ?? ADVICE[`${Math.floor(status / 100)}xx`] ?? ADVICE['4xx'];
	const explained = misplacedEndpoint(status, label.baseUrl) ??
		label.explain?.(response) ?? { message, description: advice };
	const remedy = explained.description.replace('{credential}', CREDENTIALS[label.credentialType]);
	return apiError(node, {
		message: explained.message,
		description: [describeResponse(response), triedText(tried), remedy].filter(Boolean).join(' '),
		httpCode: String(status),
		failure: failureOf(response),
	});
}

/** What the service answers at an address like `/export/conversations/export/conversations`. */
const NOT_THERE = [403, 404, 405];

function misplacedEndpoint(status: number, baseUrl = '') {
	const endpoint = NOT_THERE.includes(status) ? endpointIn(baseUrl) : undefined;
	if (endpoint === undefined) return undefined;
	return {
		message: `The Base URL must not contain ${endpoint}`,
		description: `Leave out ${endpoint} in the {credential} credential.`,
	};
}

/**
 * The error for a request that got no response.
 *
 * @param failure what the HTTP helper threw
 */
export function networkFailure(
	node: INode,
	{ credentialType }: RequestLabel,
	failure: unknown,
	tried?: Tried,
): NodeApiError {
	const code = networkCode(failure) ?? 'unknown';
	const [, message, advice] = NETWORK_ADVICE.find(([applies]) => applies(code, failure))!;
	const remedy = advice.replace('{credential}', CREDENTIALS[credentialType]);
	const description = [`No response came (${code}).`, triedText(tried), remedy].filter(Boolean).join(' ');
	return apiError(node, { message, description, failure: { cause: 'temporarily-unavailable' } });
}

/**
 * The error for a request that ran into its time limit.
 *
 * @param limitMs longest time without progress, in milliseconds
 */
export function timeLimitError(
	node: INode,
	{ hasDateRange }: RequestLabel,
	limitMs: number,
	tried: Tried,
): NodeApiError {
	const seconds = Math.round(limitMs / 1000);
	const message = `The service did not answer within ${seconds === 1 ? 'a second' : `${seconds} seconds`}`;
	const remedy = hasDateRange ? 'Use a shorter date range.' : 'Run the workflow again later.';
	const description = `${triedText(tried)} ${remedy}`;
	return apiError(node, { message, description, failure: { cause: 'temporarily-unavailable' } });
}

/** The error for a request that was not sent, because others of its run failed in a way that this one would, too. */
export function notSent(node: INode, { cause }: RunGivenUp): NodeApiError {
	const reason = cause.message;
	const { description, httpCode } = cause as { description?: string; httpCode?: string };
	return apiError(node, {
		message: `Not sent, like the rest of this run: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`,
		description: `Other requests of this run ended so. ${description ?? ''}`.trim(),
		httpCode: httpCode ?? undefined,
	});
}

/** The error for a 2xx response that is not what the API documentation describes, e.g. a web page or broken JSON. */
export function unreadableResponse(
	node: INode,
	{ credentialType }: RequestLabel,
	response: ServiceResponse,
	why: string,
): NodeApiError {
	const advice = `Check the Base URL in the ${CREDENTIALS[credentialType]} credential: it may lead to a web page or a proxy instead of the API.`;
	const description = `${describeResponse(response)} ${advice}`;
	return apiError(node, { message: `The service's response ${why}`, description });
}

/** n8n's scheduler uses this to choose the time of the next poll. */
function failureOf({ status, headers }: ServiceResponse): Failure | undefined {
	if (status === 401 || status === 403) return { cause: 'credential-invalid' };
	if (!isTransientStatus(status)) return undefined;
	return {
		cause: status === 429 ? 'rate-limited' : 'temporarily-unavailable',
		retryAfterMs: pauseIn(headers),
	};
}

/** An error of the node. */
export function apiError(
	node: INode,
	fault: { message: string; description: string; httpCode?: string; failure?: Failure },
): NodeApiError {
	const { message, description } = fault;
	return new NodeApiError(node, { message, description }, fault);
}

function triedText(tried?: Tried): string {
	if (tried === undefined) return '';
	const { attempts, askedSeconds } = tried;
	const times = `Tried ${attempts === 1 ? 'once' : `${attempts} times`}.`;
	if (askedSeconds === undefined) return times;
	const limitSeconds = RETRY.maxRetryAfterMs / 1000;
	const why =
		askedSeconds > limitSeconds
			? `above the ${limitSeconds}-second limit`
			: 'longer than this request may take';
	return `${times} The service asked for a ${askedSeconds}-second pause, ${why}.`;
}

/** Characters of a body that are searched for links before some of them are quoted. */
const MAX_WORDS = 10_000;

/** Status and the service's own words, in one line of readable length; a web page is named, not quoted. */
function describeResponse({ status, body }: ServiceResponse): string {
	const text = hideQueries(wordsOf(body).slice(0, MAX_WORDS)).replace(/\s+/g, ' ').trim();
	if (text === '') return `Status ${status}.`;
	if (isWebPage(text)) return `Status ${status}: a web page instead of a response.`;
	const quoted = text.length > 300 ? `${text.slice(0, 300)}…` : text;
	return `Status ${status}: "${quoted}"${/[.!?]$/.test(quoted) ? '' : '.'}`;
}

/** What an error body in JSON says in words, e.g. `Not found` for `{"message":"Not found"}`; any other body as it is. */
function wordsOf(body: string): string {
	const json = jsonParse<unknown>(body, { fallbackValue: null });
	const { message, error } = isObject(json) ? json : { message: json, error: undefined };
	const words = [message, error, isObject(error) ? error.message : undefined];
	return words.find((one): one is string => typeof one === 'string' && one.trim() !== '') ?? body;
}

/**
 * Whether a body begins like a web page, e.g. the sign-in page of a proxy, sent with status 200. Only what plain words
 * never begin with counts, because the API documentation leaves the text of some responses open.
 */
export function isWebPage(body: string): boolean {
	return /^\s*<(!--|(!doctype|html|head|body|\?xml)\b)/i.test(body);
}

/** A body as text; a parsed one must not become "[object Object]". */
export function bodyText(body: unknown): string {
	if (typeof body === 'string') return body;
	return body === undefined || body === null ? '' : JSON.stringify(body);
}
