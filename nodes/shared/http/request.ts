import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	IPollFunctions,
} from 'n8n-workflow';
import { CodedError } from '../base/codedErrors';
import { readAccess, type Credential } from './credential';
import {
	innermost,
	isTransientCode,
	isTransientStatus,
	mayHaveArrived,
	networkCode,
	POLICY,
	type AttemptResult,
	type FailedAttempt,
	type ServiceResponse,
	type Tried,
} from './policy';
import { receive, TooSlow, type Received } from './transfer';
import { requestRun } from './requestRun';
import {
	networkError,
	otherApi,
	otherBaseUrl,
	REQUEST_ERRORS,
	statusError,
	type CredentialType,
	type RequestLabel,
} from './requestErrors';
import { readableResponse, type RawResponse } from './response';

/** The contexts from which a node talks to the service. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Statuses after which a request may have been applied, those of proxies too; 429 and 503 refuse it before that. */
const MAYBE_APPLIED = [500, 502, 504, 520, 522, 524, 598, 599];

export interface ServiceRequest extends RequestLabel {
	method: IHttpRequestMethods;
	body?: IDataObject;
	accept?: string;
	/** Longest time without progress, in milliseconds; a minute by default. */
	timeLimitMs?: number;
	/** The request fails instead of waiting past it, on the clock of `performance.now()`. */
	deadline?: number;
	/** Whether it must not be applied twice. It is then repeated only if no attempt can have been applied. */
	isOnce?: boolean;
	/** Responses besides 2xx that the caller handles itself; they are returned, not thrown. */
	accepts?: (response: RawResponse) => boolean;
	/** What is wrong with a 2xx response, as the end of a sentence about it, e.g. of a proxy that answers in its place. */
	defectOf?: (response: ServiceResponse) => string | undefined;
}

type Attempt = FailedAttempt & { response?: RawResponse; isTooLarge?: boolean };

/**
 * Sends a request with the credential's own authentication, and repeats it after a transient failure (408, 429, 5xx,
 * network, time limit). All reads, upserts, matches and deletes may be repeated.
 * @throws RequestError for a response that is neither 2xx nor accepted, when none came, or when the run had ended
 * @throws CodedError when the credential's key or address cannot be used
 * @throws n8n's own refusal of the request as it is, and the reason of a stopped execution
 */
export async function serviceRequest(context: ServiceContext, request: ServiceRequest): Promise<RawResponse> {
	const run = requestRun(context);
	const credential = await credentialOf(context, request.credentialType);
	const label = { ...request, baseUrl: credential.baseUrl };
	const { deadline = Infinity, isOnce } = request;
	const errorOf = (failed: Attempt, tried?: Tried) =>
		failed.response ? statusError(label, failed.response, tried) : networkError(label, failed, tried);
	let inDoubt = false;
	const attempt = async (): Promise<AttemptResult<RawResponse, Attempt>> => {
		const sent = await sendOnce(context, request, credential, deadline);
		const { response, failure } = sent;
		if (!response) {
			if (!isTransientCode(networkCode(failure))) return { error: errorOf(sent), mayConcernAll: true };
			inDoubt ||= mayHaveArrived(failure);
			return inDoubt && isOnce ? { error: errorOf(sent) } : sent;
		}
		const { status } = response;
		response.isInDoubt = inDoubt;
		const isSuccess = status >= 200 && status < 300;
		const tooLarge = sent.isTooLarge ? `is larger than ${POLICY.maxResponseMb} MB` : undefined;
		const defect = tooLarge ?? (isSuccess ? request.defectOf?.(response) : undefined);
		if (defect !== undefined) return { error: response.unreadable(defect), mayConcernAll: true };
		if (isSuccess || request.accepts?.(response)) return { value: response };
		const error = errorOf(sent);
		const { code } = error.details;
		// What the operation itself explains is about its own request, and so is a bad request.
		const isOwn = !Object.hasOwn(REQUEST_ERRORS, code) || (status === 400 && code === 'request_refused');
		if (!isTransientStatus(status)) return { error, mayConcernAll: !isOwn };
		inDoubt ||= MAYBE_APPLIED.includes(status);
		return inDoubt && isOnce ? { error } : sent;
	};
	return await run.send(attempt, errorOf, deadline);
}

/** The Base URL of a node's credential; throws as {@link readAccess}. */
export async function baseUrlOf(context: ServiceContext, type: CredentialType): Promise<string> {
	return (await credentialOf(context, type)).baseUrl;
}

/** Read once per run: every read is a database query and a decryption. */
const credentialOf = async (context: ServiceContext, type: CredentialType) =>
	await (requestRun(context).credentials[type] ??= readCredential(context, type));

/** Refuses an unusable key or address itself, before the engine wraps the refusal into its own error. */
async function readCredential(context: ServiceContext, type: CredentialType): Promise<Credential> {
	const data = await context.getCredentials(type);
	const { id, name = type } = context.getNode().credentials?.[type] ?? {};
	return { ...readAccess(data), decrypted: { id: id ?? '', name, type, data } };
}

async function sendOnce(
	context: ServiceContext,
	request: ServiceRequest,
	{ baseUrl, key, decrypted }: Credential,
	deadline: number,
): Promise<Attempt> {
	const { body, timeLimitMs = POLICY.stalledAfterMs } = request;
	const startedAt = performance.now();
	const within = (milliseconds: number) => Math.max(1000, Math.min(milliseconds, deadline - startedAt));
	const timeout = within(timeLimitMs);
	const send = async (signal: AbortSignal) =>
		(await context.helpers.httpRequestWithAuthentication.call(
			withoutCancelSignal(context),
			request.credentialType,
			{
				method: request.method,
				url: `${baseUrl}${request.path}`,
				headers: {
					accept: request.accept ?? 'application/json',
					...(body && { 'content-type': 'application/json' }),
				},
				// As text: of an object, the engine drops keys such as `constructor`.
				...(body && { body: JSON.stringify(body) }),
				// The engine's own errors drop plain-text bodies, and on a 401 it would send the request twice.
				ignoreHttpStatusErrors: true,
				returnFullResponse: true,
				// The engine would read a body of any size.
				encoding: 'stream',
				// A redirect would carry the key to another host; without redirects, the time limit counts from the last byte.
				disableFollowRedirect: true,
				timeout,
				abortSignal: AbortSignal.any([requestRun(context).cancelled, signal]),
			},
			// Otherwise, the engine would read the credential again.
			{ credentialsDecrypted: decrypted },
		)) as Received;
	try {
		const limits = { stalledMs: timeout, totalMs: within(timeLimitMs + POLICY.drippingAfterMs) };
		const chunks: Uint8Array[] = [];
		let size = 0;
		const received = await receive(send, limits, (chunk) => {
			chunks.push(chunk);
			size += chunk.length;
			return size <= POLICY.maxResponseMb * 2 ** 20;
		});
		const isTooLarge = size > POLICY.maxResponseMb * 2 ** 20;
		const response = { ...received, body: isTooLarge ? undefined : Buffer.concat(chunks) };
		return { response: readableResponse(request, response, key), isTooLarge };
	} catch (error) {
		if (error instanceof TooSlow) return { failure: error, limitMs: error.limitMs };
		const code = networkCode(error);
		if (code === undefined) throw innermost(error);
		const isTooLate = code === 'ECONNABORTED' && performance.now() - startedAt >= 0.9 * timeout;
		return { failure: error, limitMs: isTooLate ? timeout : undefined };
	}
}

/** The context as it looks to n8n's helper, which otherwise replaces the signal of a request by that of the execution. */
function withoutCancelSignal<Context extends ServiceContext>(context: Context): Context {
	const has = (target: Context, name: PropertyKey) => name !== 'getExecutionCancelSignal' && name in target;
	return new Proxy(context, { has });
}

/** Harmless requests, and how the service itself responds to a good key. */
const PROBES = {
	// One read of an almost empty range.
	conversationExportApi: {
		path: '/export/conversations',
		keyHeader: 'authorization',
		body: { fromDate: '2000-01-01T00:00:00Z', toDate: '2000-01-01T00:00:01Z', page: 1, limit: 1 },
		expected: { status: 200, words: '"totalConversations"' },
	},
	// An empty match request changes nothing: the service first checks the body (D2 § Errors, exact bodies).
	crmAppointmentApi: {
		path: '/custom/appointment/match',
		keyHeader: 'x-api-key',
		body: {},
		expected: { status: 400, words: 'Missing some required parameters in the body' },
	},
};

/** Makes the test behind a credential's Test button: it returns OK, or Error with what a failed request says. */
export function credentialTest(type: CredentialType) {
	return async function (
		this: ICredentialTestFunctions,
		{ data = {} }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		const failureOf = async (one: CredentialType) =>
			await probe(this, one, data).catch((error: CodedError) => error);
		const failure = await failureOf(type);
		if (!failure) return { status: 'OK', message: 'Connection successful' };
		// The key is the same for both (D2 § Authentication, 4), so that the other API tells whether the address is its own.
		const isOther = failure.details.status && !(await failureOf(otherApi(type)));
		const { message, description } = isOther ? new CodedError(otherBaseUrl(type)) : failure;
		return { status: 'Error', message: `${message}. ${description}` };
	};
}

/** @throws CodedError for an unusable field, for no response, and for another than expected */
async function probe(
	context: ICredentialTestFunctions,
	credentialType: CredentialType,
	data: ICredentialDataDecryptedObject,
): Promise<void> {
	const { key, baseUrl } = readAccess(data);
	const { path, keyHeader, body, expected } = PROBES[credentialType];
	const label = { credentialType, path, baseUrl };
	// The only request helper that n8n gives to a credential test.
	const sending = context.helpers.request({
		method: 'POST',
		uri: `${baseUrl}${path}`,
		headers: { accept: '*/*', 'content-type': 'application/json', [keyHeader]: key },
		body: JSON.stringify(body),
		simple: false,
		resolveWithFullResponse: true,
		// A redirect would carry the key elsewhere.
		followRedirect: false,
		followAllRedirects: false,
		timeout: 15_000,
	}) as Promise<Received>;
	const received = await sending.catch((failure: unknown) => {
		throw networkError(label, { failure });
	});
	const response = readableResponse(label, received, key);
	if (response.status === expected.status && response.body.includes(expected.words)) return;
	const error = statusError(label, response);
	throw error.details.code === 'request_refused' ? response.unreadable('is not that of this API') : error;
}
