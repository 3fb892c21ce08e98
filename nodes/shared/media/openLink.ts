import { UserError, type BinaryHelperFunctions, type IDataObject } from 'n8n-workflow';
import { codedError } from '../base/codedErrors';
import { hideQueries } from '../base/text';
import { baseUrlOf, type ServiceContext } from '../http/request';
import { innermost, networkCode, POLICY } from '../http/policy';
import { isPrivateHost } from '../http/address';
import { wholeBody } from '../http/transfer';
import { MEDIA_ERRORS } from './mediaErrors';

/** A stream of Node, whose own type cannot be imported. */
export type Readable = Exclude<Parameters<BinaryHelperFunctions['prepareBinaryData']>[0], Buffer>;

const MAX_REDIRECTS = 3;
/** Code of the error for a transfer that made no progress. */
export const STALLED = 'ESTALLED';
/** Statuses with which a host points elsewhere, if a `Location` header comes with them. */
const REDIRECTS = [301, 302, 303, 307, 308];
const LOOPBACK = /(^|\.)localhost\.?$|^127\.[\d.]+$|^\[::1\]$/;

interface MediaResponse {
	statusCode: number;
	headers: IDataObject;
	body: Readable;
	/** Even while bytes are awaited, when n8n's stream cannot be destroyed. */
	close: () => void;
}

/** A response, whatever its status, or what the network did instead. */
type Opened = MediaResponse | { failure: unknown };

/** Opens a link without any credential; each redirect's address is checked, too, because it could lead to an internal page. */
export async function openLink(
	context: ServiceContext,
	what: string,
	link: string,
	signal: AbortSignal,
): Promise<Opened> {
	const baseUrl = await baseUrlOf(context, 'conversationExportApi');
	let url = link;
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		const defect = linkDefect(baseUrl, url) ?? (await resolvedDefect(context, baseUrl, url));
		if (defect) throw refused(`${redirects > 0 ? 'A redirect of the' : 'The'} link to the ${what} ${defect}`);
		const response = await request(context, url, signal);
		if ('failure' in response) return response;
		const { location } = response.headers;
		if (!REDIRECTS.includes(response.statusCode) || typeof location !== 'string') return response;
		response.close();
		const [, query] = placeAndQuery(location);
		url = URL.canParse(location, url) ? placeAndQuery(new URL(location, url).href)[0] + query : location;
	}
	throw refused(`The link to the ${what} is redirected more than ${MAX_REDIRECTS} times`);
}

const refused = (defect: string) => codedError(MEDIA_ERRORS, 'link_refused', { defect });

/** Why a link must not be followed, as the end of a sentence. Of private hosts, only the Base URL's own is allowed, at its port. */
function linkDefect(baseUrl: string, link: string): string | undefined {
	if (!URL.canParse(link)) return 'is not an address';
	const [base, url] = [new URL(baseUrl), new URL(link)];
	if (url.protocol !== 'https:' && (url.protocol !== 'http:' || base.protocol !== 'http:')) {
		return `starts with ${url.protocol} instead of https:`;
	}
	if (url.username !== '' || url.password !== '') return 'contains a user name or password';
	const isInternal = isPrivateHost(url.hostname) && placeOf(baseUrl) !== placeOf(link);
	return isInternal ? `leads to the private address ${url.host}` : undefined;
}

/** The host and port of an address. All names of this machine are one host. */
function placeOf(address: string): string {
	const { hostname, port, protocol } = new URL(address);
	return `${LOOPBACK.test(hostname) ? 'localhost' : hostname}:${port || protocol}`;
}

/** Asks n8n what a name resolves to. A name that cannot be resolved here is left to the request, which may use a proxy. */
async function resolvedDefect(
	context: ServiceContext,
	baseUrl: string,
	url: string,
): Promise<string | undefined> {
	if (placeOf(baseUrl) === placeOf(url)) return undefined;
	// n8n 2.36 has one only if its SSRF protection is on.
	const filter = context.helpers.getSecureEgressFilter('enforced');
	const result = await filter?.validateUrl(url).catch(() => undefined);
	return result?.ok === false ? `leads to ${new URL(url).hostname}, whose address is private` : undefined;
}

/** A link without its fragment: what is before the query, and the query with its question mark. */
function placeAndQuery(link: string): [place: string, query: string] {
	const [, place, query] = /^([^?#]*)([^#]*)/.exec(link)!;
	return [place, query];
}

/** A link as n8n's helper sends it byte for byte: of a whole address, it would write `'` in the query as `%27`. */
function addressOf(link: string): { url: string; qs?: IDataObject } {
	const [url, query] = placeAndQuery(link);
	// Node sends only these characters as they are.
	if (new URL(link).search === query || !/^[!-~]*$/.test(query)) return { url: link };
	const qs: object = Object.assign(new URLSearchParams(), { toString: () => query.slice(1) });
	return { url, qs: qs as IDataObject };
}

async function request(context: ServiceContext, url: string, signal: AbortSignal): Promise<Opened> {
	const closing = new AbortController();
	try {
		const response = (await context.helpers.httpRequest({
			method: 'GET',
			...addressOf(url),
			encoding: 'stream',
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			disableFollowRedirect: true,
			abortSignal: AbortSignal.any([signal, closing.signal]),
			// Until the headers; the body has its own.
			timeout: POLICY.stalledAfterMs,
		})) as Omit<MediaResponse, 'close'>;
		const close = () => {
			closing.abort();
			response.body.destroy();
		};
		return { ...response, close };
	} catch (error) {
		signal.throwIfAborted();
		if (networkCode(error) === undefined) throw withoutQuery(innermost(error), url);
		return { failure: error };
	}
}

/** An error without a code is n8n's own refusal, or could quote the link. */
function withoutQuery(error: unknown, url: string): Error {
	const { message, description } = error as Error & { description?: unknown };
	const [, query] = url.split(/\?(.*)/s);
	const hide = (text: string) => hideQueries(query ? text.replaceAll(`?${query}`, '?…') : text);
	const about = typeof description === 'string' ? hide(description) : undefined;
	return new UserError(hide(message), { description: about });
}

/** A transfer that brings less for as long as a wait may last drips, and would never end. */
const MIN_BYTES_PER_MS = 1;

/** The bytes of a body; throws what the network does to them, and an error with the code {@link STALLED} when they stop or drip. */
export async function* guarded({
	body,
	close,
}: Pick<MediaResponse, 'body' | 'close'>): AsyncGenerator<Uint8Array> {
	const stalledAfterMs: number = POLICY.stalledAfterMs;
	/** Undefined while the reader is busy. */
	let since: number | undefined = Date.now();
	/** How long a wait may last: each byte adds to it, each wait takes from it. */
	let leftMs = stalledAfterMs;
	let [isOpen, isStalled] = [true, false];
	/** Needed because n8n's own time limit ends with the headers of a stream whose redirects are not followed. */
	const closeStalled = async () => {
		let restMs = leftMs;
		while (restMs > 0) {
			const timer = AbortSignal.timeout(restMs);
			await new Promise((resolve) => timer.addEventListener('abort', resolve));
			if (!isOpen) return;
			restMs = since === undefined ? leftMs : Math.ceil(since + leftMs - Date.now());
		}
		isStalled = true;
		close();
	};
	void closeStalled();
	try {
		for await (const chunk of wholeBody(body as AsyncIterable<Uint8Array>)) {
			const earned = chunk.length / MIN_BYTES_PER_MS;
			leftMs = Math.min(stalledAfterMs, leftMs - (Date.now() - since) + earned);
			since = undefined;
			yield chunk;
			since = Date.now();
		}
	} catch (error) {
		throw isStalled ? Object.assign(new Error('The transfer made no progress'), { code: STALLED }) : error;
	} finally {
		isOpen = false;
		close();
	}
}
