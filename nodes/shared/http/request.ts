import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { type Credential, keyHider, readAccess } from './credential';
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
import {
	networkError,
	REQUEST_ERRORS,
	statusError,
	type CredentialType,
	type RequestLabel,
} from './requestErrors';
import { requestRun } from './requestRun';
import {
	MAX_TEXT_BYTES,
	type RawResponse,
	readableResponse,
	receive,
	type Received,
	TooSlow,
} from './response';

/** The contexts from which a node talks to the service. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Statuses after which a request may have been applied, those of proxies too; 429 and 503 refuse it before that. */
const MAYBE_APPLIED = [500, 502, 504, 520, 522, 524, 598, 599];

export interface ServiceRequest extends RequestLabel {
	method: IHttpRequestMethods;
	/** Below the Base URL, URL-encoded, with a leading slash. */
	path: string;
	body?: IDataObject;
	/** Limits of a successful response that is a JSON object, with the rows of each list; without them, it is a text. */
	json?: { maxBytes: number; maxRows: number };
	/** Longest time without progress, in milliseconds; a minute by default. */
	timeLimitMs?: number;
	/** The request fails instead of waiting past it, on the clock of `performance.now()`. */
	deadline?: number;
	/** Responses besides 2xx that the caller handles itself; they are returned, not thrown. */
	accepts?: (response: RawResponse) => boolean;
	/** What is wrong with a 2xx response, as the end of a sentence about it, e.g. of a proxy that answers in its place. */
	defectOf?: (response: ServiceResponse) => string | undefined;
}

type Attempt = FailedAttempt & { response?: RawResponse };

const isSuccess = (status: number) => status >= 200 && status < 300;

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
	const { deadline = Infinity } = request;
	const errorOf = (failed: Attempt, tried?: Tried) =>
		failed.response ? statusError(request, failed.response, tried) : networkError(request, failed, tried);
	let inDoubt = false;
	const attempt = async (): Promise<AttemptResult<RawResponse, Attempt>> => {
		const sent = await sendOnce(context, request, credential, deadline);
		const { response, failure } = sent;
		if (!response) {
			if (!isTransientCode(networkCode(failure))) return { error: errorOf(sent), mayConcernAll: true };
			inDoubt ||= mayHaveArrived(failure);
			return sent;
		}
		const { status } = response;
		response.isInDoubt = inDoubt;
		if (isSuccess(status)) {
			const defect = request.defectOf?.(response);
			const fault = response.fault ?? (defect === undefined ? undefined : ([defect] as const));
			if (fault) return { error: response.unreadable(fault[0], fault[1]), mayConcernAll: true };
		}
		if (isSuccess(status) || request.accepts?.(response)) return { value: response };
		const error = errorOf(sent);
		const { code } = error.details;
		// What the operation itself explains is about its own request, and so is a bad request.
		const isOwn = !Object.hasOwn(REQUEST_ERRORS, code) || (status === 400 && code === 'request_refused');
		if (!isTransientStatus(status)) return { error, mayConcernAll: !isOwn };
		inDoubt ||= MAYBE_APPLIED.includes(status);
		return sent;
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
	const access = readAccess(data);
	return { ...access, hide: keyHider(access.key), decrypted: { id: id ?? '', name, type, data } };
}

async function sendOnce(
	context: ServiceContext,
	request: ServiceRequest,
	{ baseUrl, hide, decrypted }: Credential,
	deadline: number,
): Promise<Attempt> {
	const { body, json, timeLimitMs = POLICY.stalledAfterMs } = request;
	const leftMs = deadline - performance.now();
	const within = (milliseconds: number) => Math.max(1000, Math.min(milliseconds, leftMs));
	const timeout = within(timeLimitMs);
	const send = async (signal: AbortSignal) =>
		(await context.helpers.httpRequestWithAuthentication.call(
			withoutCancelSignal(context),
			request.credentialType,
			{
				method: request.method,
				url: `${baseUrl}${request.path}`,
				headers: {
					accept: json ? 'application/json' : 'text/plain',
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
		const jsonOf = (status: number) => (isSuccess(status) ? json : undefined);
		const received = await receive(send, limits, (status) => jsonOf(status)?.maxBytes ?? MAX_TEXT_BYTES);
		const { maxRows } = jsonOf(received.statusCode) ?? {};
		return { response: await readableResponse(request, received, hide, maxRows) };
	} catch (error) {
		if (networkCode(error) === undefined) throw innermost(error);
		return { failure: error, limitMs: error instanceof TooSlow ? error.limitMs : undefined };
	}
}

/** The context as it looks to n8n's helper, which otherwise replaces the signal of a request by that of the execution. */
function withoutCancelSignal<Context extends ServiceContext>(context: Context): Context {
	const has = (target: Context, name: PropertyKey) => name !== 'getExecutionCancelSignal' && name in target;
	return new Proxy(context, { has });
}
