import { randomInt } from 'crypto';
import {
	sleep,
	type ICredentialsDecrypted,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestMethods,
	type ILoadOptionsFunctions,
	type IPollFunctions,
} from 'n8n-workflow';
import { cleanApiKey, cleanBaseUrl } from './credentialFields';
import {
	bodyText,
	networkFailure,
	statusError,
	type CredentialType,
	type RequestLabel,
	type ServiceAnswer,
} from './errors';
import type { Gate } from './gate';
import { backoffMs, isTransientStatus, RETRY, retryAfterMs } from './retry';

/** The contexts from which a node talks to the service. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface ServiceRequest extends RequestLabel {
	method: IHttpRequestMethods;
	body?: IDataObject;
	/** Accept header; JSON by default. */
	accept?: string;
	/** Leaves the body of a 2xx answer in the pieces in which it comes, see {@link ServiceAnswer.pieces}. */
	inPieces?: boolean;
	/** Shared by the requests of one run, so that a pause asked of one lane is kept by all. */
	gate?: Gate;
	/** Neither a request nor a pause may end later, in milliseconds since 1970: trouble is then told, not waited for. */
	until?: number;
	/**
	 * Statuses besides 2xx that the caller handles itself; they are returned, not thrown. `inDoubt` tells that an
	 * earlier attempt may have been applied although its answer was lost or was a 5xx.
	 */
	accepts?: (answer: ServiceAnswer, inDoubt: boolean) => boolean;
}

/**
 * Sends one request with the credential's own authentication, repeats it while the trouble is transient
 * (429, 5xx, network, time-out), and turns everything else into a message a workflow builder can act on.
 *
 * Only for requests that may safely be repeated: reads, upserts, matches and deletes all are (D1, D2 § States).
 *
 * @returns status, headers and the body as text
 * @throws NodeApiError for an answer that is neither 2xx nor accepted, or when no answer came
 * @throws UserError when the credential's key or address cannot be used
 * @throws the reason of a cancellation
 */
export async function serviceRequest(
	context: ServiceContext,
	request: ServiceRequest,
): Promise<ServiceAnswer> {
	const access = await accessFor(context, request.credentialType);

	let inDoubt = false;
	for (let attempt = 1; ; attempt++) {
		await request.gate?.pass();
		throwIfCancelled(context);
		const outcome = await sendOnce(context, request, access);
		if ('answer' in outcome) {
			const { answer } = outcome;
			if (answer.status >= 200 && answer.status < 300) return answer;
			if (request.accepts?.(answer, inDoubt)) return answer;
			if (!isTransientStatus(answer.status)) throw statusError(context.getNode(), request, answer);
		}
		// A 429 was refused at the gateway; after anything else the request may have been applied.
		inDoubt ||= !('answer' in outcome) || outcome.answer.status !== 429;
		if (attempt > RETRY.maxRetries) throw exhausted(context, request, outcome, attempt);
		const asked =
			'answer' in outcome ? retryAfterMs(outcome.answer.headers['retry-after'], Date.now()) : undefined;
		const wait = asked ?? backoffMs(attempt, randomInt(1_000_000) / 1_000_000);
		const isTooLong = wait > RETRY.maxRetryAfterMs || Date.now() + wait > (request.until ?? Infinity);
		if (isTooLong) throw exhausted(context, request, outcome, attempt, asked);
		await pause(wait, outcome, request.gate);
	}
}

interface Access {
	baseUrl: string;
	key: string;
	/** Handed to the engine with each request, which would read the credential again otherwise. */
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

const utf8 = new TextDecoder();

type Outcome = { answer: ServiceAnswer } | { failure: unknown };

async function sendOnce(
	context: ServiceContext,
	request: ServiceRequest,
	{ baseUrl, key, credentialsDecrypted }: Access,
): Promise<Outcome> {
	try {
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			request.credentialType,
			{
				method: request.method,
				url: `${baseUrl}${request.path}`,
				headers: {
					accept: request.accept ?? 'application/json',
					...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
				},
				...(request.body === undefined ? {} : { body: request.body }),
				// Status and body are judged here: the engine's own errors drop plain-text bodies, and on a 401 it would ask twice.
				ignoreHttpStatusErrors: true,
				returnFullResponse: true,
				encoding: request.inPieces ? 'stream' : 'text',
				// A redirect would carry the key to another host.
				disableFollowRedirect: true,
				...(request.until === undefined ? {} : { timeout: Math.max(1000, request.until - Date.now()) }),
			},
			{ credentialsDecrypted },
		)) as { statusCode: number; headers: IDataObject; body: unknown };
		const { statusCode: status, headers = {}, body } = response;
		const decode = (bytes: Uint8Array) => hideKey(utf8.decode(bytes), key);
		if (!isStream(body)) return { answer: { status, headers, body: hideKey(bodyText(body), key) } };
		const chunks = await collect(body);
		const isWelcome = status >= 200 && status < 300;
		return isWelcome
			? { answer: { status, headers, body: '', pieces: { chunks, decode } } }
			: { answer: { status, headers, body: decode(Buffer.concat(chunks)) } };
	} catch (error) {
		throwIfCancelled(context);
		return { failure: error };
	}
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of stream) chunks.push(chunk);
	return chunks;
}

/** A service that echoes the key must not carry it into an output or a message. */
function hideKey(body: string, key: string): string {
	return key.length >= 8 && body.includes(key) ? body.replaceAll(key, '***') : body;
}

/** A 429 closes the gate for every lane; any other pause is the lane's own. */
async function pause(milliseconds: number, outcome: Outcome, gate?: Gate): Promise<void> {
	const slowsAll =
		'answer' in outcome && (outcome.answer.status === 429 || 'retry-after' in outcome.answer.headers);
	if (slowsAll && gate) gate.close(milliseconds);
	else await sleep(milliseconds);
}

function exhausted(
	context: ServiceContext,
	request: ServiceRequest,
	outcome: Outcome,
	attempts: number,
	asked?: number,
) {
	const tried = { attempts, askedSeconds: asked === undefined ? undefined : Math.ceil(asked / 1000) };
	return 'answer' in outcome
		? statusError(context.getNode(), request, outcome.answer, tried)
		: networkFailure(context.getNode(), request, outcome.failure, tried);
}

function throwIfCancelled(context: ServiceContext): void {
	const signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	signal?.throwIfAborted();
}
