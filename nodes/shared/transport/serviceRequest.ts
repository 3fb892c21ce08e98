import type {
	ICredentialsDecrypted,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { cancelSignal } from './cancel';
import { cleanApiKey, cleanBaseUrl } from './credentialFields';
import {
	bodyText,
	innermost,
	mayHaveArrived,
	networkCode,
	networkFailure,
	statusError,
	type CredentialType,
	type RequestLabel,
	type ServiceAnswer,
} from './errors';
import type { Pace } from './pace';
import { retrying, type Trouble } from './retry';
import { isTransientStatus, RETRY } from './retryPolicy';

/** The contexts from which a node talks to the service. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface ServiceRequest extends RequestLabel {
	method: IHttpRequestMethods;
	body?: IDataObject;
	/** Accept header; JSON by default. */
	accept?: string;
	/** Shared by the requests of one run: how many of them are under way. */
	pace?: Pace;
	/** Deadline in milliseconds since 1970: the request fails instead of waiting past it. */
	until?: number;
	/**
	 * Statuses besides 2xx that the caller handles itself; they are returned, not thrown. `inDoubt` tells that an
	 * earlier attempt may have been applied although its answer was lost or was a 5xx.
	 */
	accepts?: (answer: ServiceAnswer, inDoubt: boolean) => boolean;
}

/** An answer whose body is decoded only where it is looked at. */
export interface RawAnswer extends ServiceAnswer {
	bytes: Uint8Array;
	/** Turns some of the bytes into text, with the key hidden. */
	decode(bytes: Uint8Array): string;
}

/**
 * Sends one request with the credential's own authentication and repeats it while the trouble is transient
 * (429, 5xx, network, no progress for a minute). Everything else becomes a message a workflow builder can act on.
 *
 * Only for requests that may safely be repeated: reads, upserts, matches and deletes all are (D1, D2 § States).
 *
 * @throws NodeApiError for an answer that is neither 2xx nor accepted, or when no answer came
 * @throws UserError when the credential's key or address cannot be used
 * @throws n8n's own refusal of the request as it is, and the reason of a stopped execution
 */
export async function serviceRequest(context: ServiceContext, request: ServiceRequest): Promise<RawAnswer> {
	const access = await accessFor(context, request.credentialType);
	const { pace, until } = request;
	const node = context.getNode();
	let inDoubt = false;
	return await retrying<RawAnswer, { answer?: RawAnswer; failure?: unknown }>(
		{
			pace,
			until,
			signal: cancelSignal(context),
			giveUp: ({ answer, failure }, tried) =>
				answer ? statusError(node, request, answer, tried) : networkFailure(node, request, failure, tried),
		},
		async () => {
			const outcome = await sendOnce(context, request, access);
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

interface Access {
	baseUrl: string;
	key: string;
	/** Passed to the engine with each request, which would read the credential again otherwise. */
	credentialsDecrypted: ICredentialsDecrypted;
}

/** What each run's credentials say, read once: every look-up is a query of n8n's database and a decryption. */
const accesses = new WeakMap<ServiceContext, Map<CredentialType, Promise<Access>>>();

async function accessFor(context: ServiceContext, type: CredentialType): Promise<Access> {
	const ofRun = accesses.get(context) ?? new Map<CredentialType, Promise<Access>>();
	accesses.set(context, ofRun);
	const access = ofRun.get(type) ?? readAccess(context, type);
	ofRun.set(type, access);
	return await access;
}

/** For a context that outlives its run, such as a poll's: the next request reads the credentials again. */
export function forgetCredentials(context: ServiceContext): void {
	accesses.delete(context);
}

/** A key or address that cannot be used is refused here, before the engine wraps it into an error of its own. */
async function readAccess(context: ServiceContext, type: CredentialType): Promise<Access> {
	const data = await context.getCredentials(type);
	const { id, name } = context.getNode().credentials?.[type] ?? {};
	return {
		key: cleanApiKey(data.apiKey),
		baseUrl: cleanBaseUrl(data.baseUrl),
		credentialsDecrypted: { id: id ?? '', name: name ?? type, type, data },
	};
}

async function sendOnce(
	context: ServiceContext,
	request: ServiceRequest,
	{ baseUrl, key, credentialsDecrypted }: Access,
): Promise<Trouble & { answer?: RawAnswer }> {
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
					...(body === undefined ? {} : { 'content-type': 'application/json' }),
				},
				...(body === undefined ? {} : { body }),
				// Status and body are judged here: the engine's own errors drop plain-text bodies, and on a 401 it would ask twice.
				ignoreHttpStatusErrors: true,
				returnFullResponse: true,
				// Bytes, because the engine would guess at the type of a text; a stream would switch its time limit off.
				encoding: 'arraybuffer',
				// A redirect would carry the key to another host; without redirects, the time limit counts from the last byte.
				disableFollowRedirect: true,
				timeout: Math.max(1000, Math.min(RETRY.stalledAfterMs, until - Date.now())),
			},
			{ credentialsDecrypted },
		)) as { statusCode: number; headers?: IDataObject; body: unknown };
		return { answer: rawAnswer(response, key) };
	} catch (error) {
		cancelSignal(context)?.throwIfAborted();
		if (networkCode(error) === undefined) throw innermost(error);
		return { failure: error };
	}
}

const utf8 = new TextDecoder();

function rawAnswer(
	{ statusCode: status, headers = {}, body }: { statusCode: number; headers?: IDataObject; body: unknown },
	key: string,
): RawAnswer {
	const bytes = Buffer.isBuffer(body) ? body : Buffer.from(bodyText(body));
	const decode = (part: Uint8Array) => hideKey(utf8.decode(part), key);
	return {
		status,
		headers,
		bytes,
		decode,
		get body() {
			return decode(bytes);
		},
	};
}

/** A service that echoes the key must not carry it into an output or a message. */
function hideKey(body: string, key: string): string {
	return key.length >= 8 && body.includes(key) ? body.replaceAll(key, '***') : body;
}
