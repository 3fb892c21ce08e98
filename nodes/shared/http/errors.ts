import { NodeApiError, type Failure, type IDataObject, type INode } from 'n8n-workflow';
import { itemSuffix } from '../node/tool';
import { networkCode } from './failure';
import { isTransientStatus, retryAfterMs, type Tried } from './retry';

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
	/** Names the item in messages, counted from 0. */
	itemIndex?: number;
	/** Replaces the general advice for some answers, e.g. what a 404 means for this operation. */
	explain?: (answer: ServiceResponse) => { message: string; description: string } | undefined;
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
		'It may work later: run the workflow again in a while, or send fewer requests at a time.',
	],
	'3xx': [
		'The service redirected the request elsewhere',
		'Redirects are not followed, so that the key stays with the service. Check the Base URL in the {credential} credential.',
	],
	'4xx': [
		'The service refused the request',
		'Repeating the same request does not help: check the values of the node.',
	],
	'5xx': [
		'The service could not process the request',
		"This may be transient: run the workflow again later. If it persists, contact the service's support.",
	],
};

/** The error for an answer with an unexpected status: the cause, the service's own words, and what to do. */
export function statusError(
	node: INode,
	label: RequestLabel,
	answer: ServiceResponse,
	tried?: Tried,
): NodeApiError {
	const { status } = answer;
	const [message, advice] = ADVICE[status] ?? ADVICE[`${Math.floor(status / 100)}xx`] ?? ADVICE['4xx'];
	const explained = label.explain?.(answer) ?? { message, description: advice };
	const remedy = explained.description.replace('{credential}', CREDENTIALS[label.credentialType]);
	return apiError(node, {
		message: explained.message,
		description: [describeResponse(answer), triedText(tried), remedy].filter(Boolean).join(' '),
		itemIndex: label.itemIndex,
		httpCode: String(status),
		failure: failureOf(answer),
	});
}

/**
 * The error for a request that got no answer.
 *
 * @param failure what the HTTP helper threw
 */
export function networkFailure(
	node: INode,
	{ credentialType, itemIndex }: RequestLabel,
	failure: unknown,
	tried?: Tried,
): NodeApiError {
	const code = networkCode(failure) ?? 'unknown';
	const credential = `${CREDENTIALS[credentialType]} credential`;
	const advice = isPlainHttp(code)
		? `Use http:// instead of https:// in the Base URL of the ${credential}: the address does not use HTTPS.`
		: `Check the Base URL in the ${credential} and whether this n8n can reach it.`;
	return apiError(node, {
		message: 'The service cannot be reached',
		description: [`No answer came (${code}).`, triedText(tried), advice].filter(Boolean).join(' '),
		itemIndex,
		failure: { cause: 'temporarily-unavailable' },
	});
}

/** The error for a 2xx answer that is not what the API documentation describes, e.g. a web page or broken JSON. */
export function unreadableResponse(
	node: INode,
	{ credentialType, itemIndex }: RequestLabel,
	answer: ServiceResponse,
	why: string,
): NodeApiError {
	const advice = `Check the Base URL in the ${CREDENTIALS[credentialType]} credential: it may lead to a web page or a proxy instead of the API.`;
	const description = `${describeResponse(answer)} ${advice}`;
	return apiError(node, { message: `The service's answer ${why}`, description, itemIndex });
}

/** Whether a network failure means that HTTPS was sent to a port that expects HTTP. */
export function isPlainHttp(code: string | undefined): boolean {
	return code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER';
}

/** n8n's scheduler uses this to choose the time of the next poll. */
function failureOf({ status, headers }: ServiceResponse): Failure | undefined {
	if (status === 401 || status === 403) return { cause: 'credential-invalid' };
	if (!isTransientStatus(status)) return undefined;
	return {
		cause: status === 429 ? 'rate-limited' : 'temporarily-unavailable',
		retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()),
	};
}

/** An error of the node, whose message ends with the item. */
export function apiError(
	node: INode,
	fault: { message: string; description: string; itemIndex?: number; httpCode?: string; failure?: Failure },
): NodeApiError {
	const { description } = fault;
	const message = `${fault.message}${itemSuffix(node, fault.itemIndex)}`;
	return new NodeApiError(node, { message, description }, { ...fault, message });
}

function triedText(tried?: Tried): string {
	if (tried === undefined) return '';
	const { attempts, askedSeconds } = tried;
	const times = `Tried ${attempts === 1 ? 'once' : `${attempts} times`}.`;
	if (askedSeconds === undefined) return times;
	return `${times} It asked to wait ${askedSeconds} seconds, longer than the node can wait.`;
}

/** Status and the service's own words, in one line of readable length; a web page is named, not quoted. */
function describeResponse({ status, body }: ServiceResponse): string {
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
