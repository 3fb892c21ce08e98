import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { readableResponse, type RawResponse } from './response';
import { cleanApiKey, cleanBaseUrl } from './credentialFields';
import {
	networkFailure,
	statusError,
	timeLimitError,
	type CredentialType,
	type RequestLabel,
	type ServiceResponse,
} from './errors';
import { innermost, isTransientCode, mayHaveArrived, networkCode } from './failure';
import { POLICY } from './policy';
import { isTransientStatus, type FailedAttempt, type Outcome, type Tried } from './outcome';
import { requestRun, type RequestRun } from './requestRun';
import { retrying } from './retry';

/** A list in the editor gives up after this long, because a person waits for it. */
export const LIST_LIMIT_MS = 10_000;

/** The contexts from which a node talks to the service. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Statuses after which a request may have been applied; 429 and 503 refuse it before that. */
const MAYBE_APPLIED = [500, 502, 504];

export interface ServiceRequest extends RequestLabel {
	method: IHttpRequestMethods;
	body?: IDataObject;
	/** Accept header; JSON by default. */
	accept?: string;
	/** Longest time without progress, in milliseconds; a minute by default. */
	timeLimitMs?: number;
	/** The request fails instead of waiting past it, on the clock of `performance.now()`. */
	deadline?: number;
	/**
	 * Responses besides 2xx that the caller handles itself; they are returned, not thrown. `inDoubt` says that an earlier
	 * attempt may have been applied although its response was lost or was a 5xx.
	 */
	accepts?: (response: ServiceResponse, inDoubt: boolean) => boolean;
	/** Whether a response besides 401 and 403 refuses the key, and so would refuse every request. */
	refusesKey?: (response: ServiceResponse) => boolean;
}

/**
 * Sends a request with the credential's own authentication, and repeats it after a transient failure (408, 429, 5xx,
 * network, time limit). Only for requests that may be repeated: all reads, upserts, matches and deletes.
 *
 * @throws RequestError for a response that is neither 2xx nor accepted, when none came, or when the run had ended
 * @throws CodedError when the credential's key or address cannot be used
 * @throws n8n's own refusal of the request as it is, and the reason of a stopped execution
 */
export async function serviceRequest(context: ServiceContext, request: ServiceRequest): Promise<RawResponse> {
	const run = requestRun(context);
	const credential = await accessOf(context, run, request.credentialType);
	const label = { ...request, baseUrl: credential.baseUrl };
	const { deadline = Infinity } = request;
	const giveUp = ({ response, failure, limitMs }: Attempt, tried: Tried) => {
		if (response) return statusError(label, response, tried);
		if (limitMs !== undefined) return timeLimitError(request, limitMs, tried);
		return networkFailure(label, failure, tried);
	};
	let inDoubt = false;
	const attempt = async (): Promise<Outcome<RawResponse, Attempt>> => {
		const sent = await sendOnce(context, request, credential, deadline);
		const { response, failure } = sent;
		if (response === undefined) {
			if (!isTransientCode(networkCode(failure))) return { error: networkFailure(label, failure) };
			inDoubt ||= mayHaveArrived(failure);
			return sent;
		}
		const { status } = response;
		if ((status >= 200 && status < 300) || request.accepts?.(response, inDoubt)) return { value: response };
		if (!isTransientStatus(status)) {
			return { error: statusError(label, response), refusesKey: refusesKey(request, response) };
		}
		inDoubt ||= MAYBE_APPLIED.includes(status);
		return sent;
	};
	return await retrying<RawResponse, Attempt>({ run, deadline, giveUp }, attempt);
}

/** The response, or what the HTTP helper threw instead. */
type Attempt = FailedAttempt & { response?: RawResponse };

type Access = ReturnType<typeof readAccess>;

/** The credential of each run, read once: every read is a database query and a decryption. A node has only one. */
const accesses = new WeakMap<RequestRun, Access>();

function accessOf(context: ServiceContext, run: RequestRun, type: CredentialType): Access {
	const access = accesses.get(run) ?? readAccess(context, type);
	accesses.set(run, access);
	return access;
}

/**
 * The Base URL of a node's credential.
 *
 * @throws UserError when the credential's key or address cannot be used
 */
export async function baseUrlOf(context: ServiceContext, type: CredentialType): Promise<string> {
	return (await accessOf(context, requestRun(context), type)).baseUrl;
}

/** Refuses an unusable key or address itself, before the engine wraps the refusal into its own error. */
async function readAccess(context: ServiceContext, type: CredentialType) {
	const data = await context.getCredentials(type);
	const { id, name } = context.getNode().credentials?.[type] ?? {};
	return {
		key: cleanApiKey(data.apiKey),
		baseUrl: cleanBaseUrl(data.baseUrl),
		/** Passed to the engine with each request; otherwise it reads the credential again. */
		credentialsDecrypted: { id: id ?? '', name: name ?? type, type, data },
	};
}

async function sendOnce(
	context: ServiceContext,
	request: ServiceRequest,
	{ baseUrl, key, credentialsDecrypted }: Awaited<Access>,
	deadline: number,
): Promise<Attempt> {
	const { body, timeLimitMs = POLICY.stalledAfterMs } = request;
	const startedAt = performance.now();
	const timeout = Math.max(1000, Math.min(timeLimitMs, deadline - startedAt));
	try {
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			request.credentialType,
			{
				method: request.method,
				url: `${baseUrl}${request.path}`,
				headers: {
					accept: request.accept ?? 'application/json',
					...(body && { 'content-type': 'application/json' }),
				},
				...(body && { body }),
				// The engine's own errors drop plain-text bodies, and on a 401 it would send the request twice.
				ignoreHttpStatusErrors: true,
				returnFullResponse: true,
				// The engine would guess at the type of a text; a stream would switch its time limit off.
				encoding: 'arraybuffer',
				// A redirect would carry the key to another host; without redirects, the time limit counts from the last byte.
				disableFollowRedirect: true,
				timeout,
			},
			{ credentialsDecrypted },
		)) as { statusCode: number; headers?: IDataObject; body: unknown };
		return { response: readableResponse(request, response, key) };
	} catch (error) {
		const code = networkCode(error);
		if (code === undefined) throw innermost(error);
		const tookMs = performance.now() - startedAt;
		return {
			failure: error,
			limitMs: code === 'ECONNABORTED' && tookMs >= 0.9 * timeout ? timeout : undefined,
		};
	}
}

function refusesKey({ refusesKey }: ServiceRequest, response: ServiceResponse): boolean {
	return response.status === 401 || response.status === 403 || refusesKey?.(response) === true;
}
