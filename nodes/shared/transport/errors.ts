import { NodeApiError, type Failure, type IDataObject, type INode, type JsonObject } from 'n8n-workflow';
import { isTransientStatus, retryAfterMs } from './retryPolicy';

/** An answer of the service. */
export interface ServiceAnswer {
	status: number;
	headers: IDataObject;
	/** As text, whatever the content type, with the key hidden. */
	readonly body: string;
}

/** The package's two credential types, one for each authentication scheme. */
export type CredentialType = 'conversationExportApi' | 'crmAppointmentApi';

/** What a message needs to know of the request. */
export interface RequestLabel {
	credentialType: CredentialType;
	/** Path below the credential's base address, already URL-encoded, starting with a slash. */
	path: string;
	/** Names the item in messages, counted from 0. */
	itemIndex?: number;
	/** Replaces the general advice for single answers, e.g. what a 404 means for this operation. */
	explain?: (answer: ServiceAnswer) => { message: string; description: string } | undefined;
}

export interface Tried {
	attempts: number;
	/** The pause the service asked for, in seconds, when it is longer than there is time for. */
	askedSeconds?: number;
}

const CREDENTIAL_NAME: Record<CredentialType, string> = {
	conversationExportApi: 'Conversation Export API',
	crmAppointmentApi: 'CRM Appointment API',
};

/** What each status means and what to do; statuses that no document shows fall back to the last two rows. */
const ADVICE: Array<{ matches: (status: number) => boolean; message: string; description: string }> = [
	{
		matches: (status) => status === 401,
		message: 'The service does not recognize the API key',
		description:
			'Check the API Key in the {credential} credential: the raw key, without "Bearer" and without spaces.',
	},
	{
		matches: (status) => status === 403,
		message: 'The service refuses the API key',
		description: 'Check the API Key in the {credential} credential: it is missing, unknown or was deleted.',
	},
	{
		matches: (status) => status === 404,
		message: 'The service has nothing at this address',
		description: 'Check the Base URL in the {credential} credential and the ID.',
	},
	{
		matches: (status) => status === 429,
		message: 'The service is limiting the rate of requests',
		description: 'It may work later: run the workflow again in a while, or send fewer requests at a time.',
	},
	{
		matches: (status) => status >= 500,
		message: 'The service could not process the request',
		description:
			"This may be transient: run the workflow again later. If it persists, contact the service's support.",
	},
	{
		matches: (status) => status >= 300 && status < 400,
		message: 'The service redirected the request elsewhere',
		description:
			'Redirects are not followed, so that the key stays with the service. Check the Base URL in the {credential} credential.',
	},
	{
		matches: () => true,
		message: 'The service refused the request',
		description: 'Repeating the same request does not help: check the values of the node.',
	},
];

/**
 * The error for an answer with an unwelcome status: the cause, the service's own words, and what to do.
 *
 * @param tried given when the request was repeated
 */
export function statusError(
	node: INode,
	label: RequestLabel,
	answer: ServiceAnswer,
	tried?: Tried,
): NodeApiError {
	const advice = label.explain?.(answer) ?? ADVICE.find(({ matches }) => matches(answer.status))!;
	const said = quote(answer.body);
	const description = [
		`Status ${answer.status}${said === '' ? '' : `: ${said}`}.`,
		triedText(tried),
		advice.description.replace('{credential}', CREDENTIAL_NAME[label.credentialType]),
	];
	return apiError(node, label, advice.message, description, {
		status: answer.status,
		failure: failureOf(answer),
	});
}

/**
 * The error for a request that got no answer at all.
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
	const description = [
		`No answer came (${code}).`,
		triedText(tried),
		`Check the Base URL in the ${CREDENTIAL_NAME[label.credentialType]} credential and whether this n8n can reach it.`,
	];
	return apiError(node, label, 'The service cannot be reached', description, {
		failure: { cause: 'temporarily-unavailable' },
	});
}

/** The error for an answer that is 2xx but not what the document promises, e.g. a web page or broken JSON. */
export function unreadableAnswer(
	node: INode,
	label: RequestLabel,
	answer: ServiceAnswer,
	why: string,
): NodeApiError {
	return apiError(node, label, `The service's answer ${why}`, [
		`Status ${answer.status}${answer.body.trim() === '' ? '' : `: ${quote(answer.body)}`}.`,
		`Check the Base URL in the ${CREDENTIAL_NAME[label.credentialType]} credential: it may lead to a web page or a proxy instead of the API.`,
	]);
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
	label: RequestLabel,
	message: string,
	parts: string[],
	{ status, failure }: { status?: number; failure?: Failure } = {},
): NodeApiError {
	const itemIndex = label.itemIndex;
	const description = parts.filter((part) => part !== '').join(' ');
	const item = itemIndex === undefined ? '' : ` [Item ${itemIndex}]`;
	const details: JsonObject = { message: `${message}${item}`, description };
	return new NodeApiError(node, details, {
		message: `${message}${item}`,
		description,
		itemIndex,
		httpCode: status === undefined ? undefined : String(status),
		failure,
	});
}

function triedText(tried?: Tried): string {
	if (tried === undefined) return '';
	const asked =
		tried.askedSeconds === undefined
			? ''
			: ` It asked to wait ${tried.askedSeconds} seconds, longer than the node can wait.`;
	return `Tried ${tried.attempts === 1 ? 'once' : `${tried.attempts} times`}.${asked}`;
}

/** The service's own words, one line, cut to a readable length; a page of HTML is named, not quoted. */
function quote(body: string): string {
	// The query of a presigned link opens the file for whoever reads the message.
	const text = body
		.replace(/(https?:\/\/[^\s"'?]+)\?[^\s"']*/g, '$1?…')
		.replace(/\s+/g, ' ')
		.trim();
	if (text === '') return '';
	if (isWebPage(text)) return 'a web page instead of an answer';
	return `"${text.length > 300 ? `${text.slice(0, 300)}…` : text}"`;
}

/**
 * Whether a body begins like a web page, e.g. the sign-in page of a proxy, which comes with status 200. Only what no
 * plain words begin with counts: the documents leave the text of some answers open.
 */
export function isWebPage(body: string): boolean {
	return /^\s*<(!--|(!doctype|html|head|body|\?xml)\b)/i.test(body);
}

/** The body as text; a parsed one must not become "[object Object]". */
export function bodyText(body: unknown): string {
	if (typeof body === 'string') return body;
	return body === undefined || body === null ? '' : JSON.stringify(body);
}

/** What axios calls an answer that ended in the middle; n8n 1 keeps only its status. */
const BROKEN_OFF = 'ERR_BAD_RESPONSE';

/** Codes of a request that never left this machine or never reached the service. */
const NOT_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_NODATA|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/;

/**
 * Whether a failed request may have been applied by the service although no answer came.
 *
 * @param failure what the HTTP helper threw
 */
export function mayHaveArrived(failure: unknown): boolean {
	return !NOT_SENT.test(networkCode(failure) ?? '');
}

/**
 * n8n's own refusal of a request, e.g. by its SSRF protection or for a broken credential, without what n8n wrapped it in.
 *
 * @param failure what the HTTP helper threw
 */
export function innermost(failure: unknown): unknown {
	let error = failure;
	for (let depth = 0; depth < 5 && error instanceof Error && error.cause instanceof Error; depth++) {
		error = error.cause;
	}
	return error;
}

/**
 * The short system code of a network failure, e.g. `ECONNRESET`, from the error and its causes, as `code` or, where n8n 1
 * has wrapped the failure, as `httpCode`; its text could quote headers or a presigned link.
 *
 * @returns undefined for an error without one, which came from elsewhere
 */
export function networkCode(failure: unknown): string | undefined {
	let error = failure;
	for (let depth = 0; depth < 5 && typeof error === 'object' && error !== null; depth++) {
		const { code, httpCode, cause } = error as { code?: unknown; httpCode?: unknown; cause?: unknown };
		for (const found of [code, httpCode]) {
			if (typeof found === 'string' && /^[A-Z][A-Z0-9_]+$/.test(found)) return found;
		}
		if (httpCode === '200') return BROKEN_OFF;
		error = cause;
	}
	return undefined;
}
