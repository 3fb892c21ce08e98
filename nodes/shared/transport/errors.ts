import { NodeApiError, type Failure, type IDataObject, type INode } from 'n8n-workflow';
import { itemSuffix } from '../tool';
import { networkCode } from './failure';
import { isTransientStatus, retryAfterMs, type Tried } from './retry';

/** An answer of the service. */
export interface ServiceAnswer {
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
	/** Names the item in messages, counted from 0. */
	itemIndex?: number;
	/** Replaces the general advice for some answers, e.g. what a 404 means for this operation. */
	explain?: (answer: ServiceAnswer) => { message: string; description: string } | undefined;
}

/** What each status means and what to do; the first match counts. */
const ADVICE: Array<[(status: number) => boolean, string, string]> = [
	[
		(status) => status === 401,
		'The service does not recognize the API key',
		'Check the API Key in the {credential} credential: the raw key, without "Bearer" and without spaces.',
	],
	[
		(status) => status === 403,
		'The service refuses the API key',
		'Check the API Key in the {credential} credential: it is missing, unknown or was deleted.',
	],
	[
		(status) => status === 404,
		'The service has nothing at this address',
		'Check the Base URL in the {credential} credential and the ID.',
	],
	[
		(status) => status === 429,
		'The service is limiting the rate of requests',
		'It may work later: run the workflow again in a while, or send fewer requests at a time.',
	],
	[
		(status) => status >= 500,
		'The service could not process the request',
		"This may be transient: run the workflow again later. If it persists, contact the service's support.",
	],
	[
		(status) => status >= 300 && status < 400,
		'The service redirected the request elsewhere',
		'Redirects are not followed, so that the key stays with the service. Check the Base URL in the {credential} credential.',
	],
	[
		() => true,
		'The service refused the request',
		'Repeating the same request does not help: check the values of the node.',
	],
];

/**
 * The error for an answer with an unexpected status: the cause, the service's own words, and what to do.
 *
 * @param tried given when the request was repeated
 */
export function statusError(
	node: INode,
	label: RequestLabel,
	answer: ServiceAnswer,
	tried?: Tried,
): NodeApiError {
	const [, message, description] = ADVICE.find(([matches]) => matches(answer.status))!;
	const advice = label.explain?.(answer) ?? { message, description };
	const details = { httpCode: String(answer.status), failure: failureOf(answer) };
	return apiError(
		node,
		label,
		advice.message,
		[saidBy(answer), triedText(tried)],
		advice.description,
		details,
	);
}

/**
 * The error for a request that got no answer.
 *
 * @param failure what the HTTP helper threw
 */
export function networkFailure(
	node: INode,
	label: RequestLabel,
	failure: unknown,
	tried?: Tried,
): NodeApiError {
	const code = networkCode(failure) ?? 'unknown';
	const advice = isPlainHttp(code)
		? 'Use http:// instead of https:// in the Base URL of the {credential} credential: the address does not use HTTPS.'
		: 'Check the Base URL in the {credential} credential and whether this n8n can reach it.';
	return apiError(
		node,
		label,
		'The service cannot be reached',
		[`No answer came (${code}).`, triedText(tried)],
		advice,
		{ failure: { cause: 'temporarily-unavailable' } },
	);
}

/** The error for a 2xx answer that is not what the API documentation describes, e.g. a web page or broken JSON. */
export function unreadableAnswer(
	node: INode,
	label: RequestLabel,
	answer: ServiceAnswer,
	why: string,
): NodeApiError {
	const advice =
		'Check the Base URL in the {credential} credential: it may lead to a web page or a proxy instead of the API.';
	return apiError(node, label, `The service's answer ${why}`, [saidBy(answer)], advice);
}

/** Whether a network failure means that HTTPS was sent to a port that expects HTTP. */
export function isPlainHttp(code: string | undefined): boolean {
	return code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER';
}

/** n8n's scheduler uses this to choose the time of the next poll. */
function failureOf({ status, headers }: ServiceAnswer): Failure | undefined {
	if (status === 401 || status === 403) return { cause: 'credential-invalid' };
	if (!isTransientStatus(status)) return undefined;
	return {
		cause: status === 429 ? 'rate-limited' : 'temporarily-unavailable',
		retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()),
	};
}

function apiError(
	node: INode,
	{ itemIndex, credentialType }: RequestLabel,
	what: string,
	happened: string[],
	advice: string,
	details: { httpCode?: string; failure?: Failure } = {},
): NodeApiError {
	const message = `${what}${itemSuffix(node, itemIndex)}`;
	const remedy = advice.replace('{credential}', CREDENTIALS[credentialType]);
	const description = [...happened, remedy].filter(Boolean).join(' ');
	return new NodeApiError(node, { message, description }, { message, description, itemIndex, ...details });
}

function triedText(tried?: Tried): string {
	if (tried === undefined) return '';
	const { attempts, askedSeconds } = tried;
	const times = `Tried ${attempts === 1 ? 'once' : `${attempts} times`}.`;
	if (askedSeconds === undefined) return times;
	return `${times} It asked to wait ${askedSeconds} seconds, longer than the node can wait.`;
}

/** Status and the service's own words, in one line of readable length; a web page is named, not quoted. */
function saidBy({ status, body }: ServiceAnswer): string {
	// The query of a presigned link opens the file for anyone who reads the message.
	const text = body
		.replace(/(https?:\/\/[^\s"'?]+)\?[^\s"']*/g, '$1?…')
		.replace(/\s+/g, ' ')
		.trim();
	if (text === '') return `Status ${status}.`;
	if (isWebPage(text)) return `Status ${status}: a web page instead of an answer.`;
	const quoted = text.length > 300 ? `${text.slice(0, 300)}…` : text;
	return `Status ${status}: "${quoted}"${/[.!?]$/.test(quoted) ? '' : '.'}`;
}

/**
 * Whether a body begins like a web page, e.g. the sign-in page of a proxy, sent with status 200. Only what plain words
 * never begin with counts, because the API documentation leaves the text of some answers open.
 */
export function isWebPage(body: string): boolean {
	return /^\s*<(!--|(!doctype|html|head|body|\?xml)\b)/i.test(body);
}

/** A body as text; a parsed one must not become "[object Object]". */
export function bodyText(body: unknown): string {
	if (typeof body === 'string') return body;
	return body === undefined || body === null ? '' : JSON.stringify(body);
}
