import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { readableResponse, type RawResponse } from './response';
import { cancelSignal } from './cancel';
import { cleanApiKey, cleanBaseUrl } from './credentialFields';
import {
	networkFailure,
	statusError,
	type CredentialType,
	type RequestLabel,
	type ServiceResponse,
} from './errors';
import { innermost, mayHaveArrived, networkCode } from './failure';
import type { Pace } from './limiter';
import { isTransientStatus, RETRY, retrying, type FailedAttempt, type Tried } from './retry';

/** The contexts from which a node talks to the service. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface ServiceRequest extends RequestLabel {
	method: IHttpRequestMethods;
	body?: IDataObject;
	/** Accept header; JSON by default. */
	accept?: string;
	/** Shared by the requests of one run: how many run concurrently. */
	pace?: Pace;
	/** Deadline in milliseconds since 1970: the request fails instead of waiting past it. */
	until?: number;
	/**
	 * Answers besides 2xx that the caller handles itself; they are returned, not thrown. `inDoubt` says that an earlier
	 * attempt may have been applied although its answer was lost or was a 5xx.
	 */
	accepts?: (answer: ServiceResponse, inDoubt: boolean) => boolean;
}

/**
 * Sends a request with the credential's own authentication and repeats it after a transient failure (429, 5xx, network,
 * no progress for a minute). Only for requests that may be repeated: all reads, upserts, matches and deletes.
 *
 * @throws NodeApiError for an answer that is neither 2xx nor accepted, or when no answer came
 * @throws UserError when the credential's key or address cannot be used
 * @throws n8n's own refusal of the request as it is, and the reason of a stopped execution
 */
export async function serviceRequest(context: ServiceContext, request: ServiceRequest): Promise<RawResponse> {
	const access = accesses.get(context) ?? readAccess(context, request.credentialType);
	accesses.set(context, access);
	const credential = await access;
	const { pace, until } = request;
	const node = context.getNode();
	const giveUp = ({ answer, failure }: Attempt, tried: Tried) =>
		answer ? statusError(node, request, answer, tried) : networkFailure(node, request, failure, tried);
	let inDoubt = false;
	return await retrying<RawResponse, Attempt>(
		{ pace, until, signal: cancelSignal(context), giveUp },
		async () => {
			const outcome = await sendOnce(context, request, credential);
			const { answer, failure } = outcome;
			if (answer === undefined) {
				inDoubt ||= mayHaveArrived(failure);
				return outcome;
			}
			const { status } = answer;
			if ((status >= 200 && status < 300) || request.accepts?.(answer, inDoubt)) {
				return { value: answer, status };
			}
			if (!isTransientStatus(status)) throw statusError(node, request, answer);
			// A 429 was refused at the gateway; after a 5xx the request may have been applied.
			inDoubt ||= status !== 429;
			return outcome;
		},
	);
}

/** The answer, or what the HTTP helper threw instead. */
type Attempt = FailedAttempt & { answer?: RawResponse };

/** The credential of each run, read once: every read is a database query and a decryption. A node has only one. */
const accesses = new WeakMap<ServiceContext, ReturnType<typeof readAccess>>();

/** Makes the next request read the credentials again, in a context that outlives its run, such as a poll's. */
export function forgetCredentials(context: ServiceContext): void {
	accesses.delete(context);
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
	{ baseUrl, key, credentialsDecrypted }: Awaited<ReturnType<typeof readAccess>>,
): Promise<Attempt> {
	const { body, until = Infinity } = request;
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
				timeout: Math.max(1000, Math.min(RETRY.stalledAfterMs, until - Date.now())),
			},
			{ credentialsDecrypted },
		)) as { statusCode: number; headers?: IDataObject; body: unknown };
		return { answer: readableResponse(context.getNode(), request, response, key) };
	} catch (error) {
		if (networkCode(error) === undefined) throw innermost(error);
		return { failure: error };
	}
}
