import { UserError, type BinaryHelperFunctions, type IDataObject } from 'n8n-workflow';
import { codedError } from '../base/codedErrors';
import { hideQueries } from '../base/text';
import { baseUrlOf, type ServiceContext } from '../http/request';
import { innermost, networkCode, POLICY } from '../http/policy';
import { isPrivateHost } from '../http/address';
import { openTransfer, type Received, type Transfer } from '../http/response';
import { MEDIA_ERRORS } from './mediaErrors';

/** A stream of Node, whose own type cannot be imported. */
export type Readable = Exclude<Parameters<BinaryHelperFunctions['prepareBinaryData']>[0], Buffer>;

const MAX_REDIRECTS = 3;
/** Statuses with which a host points elsewhere, if a `Location` header comes with them. */
const REDIRECTS = [301, 302, 303, 307, 308];
const LOOPBACK = /(^|\.)localhost\.?$|^127\.[\d.]+$|^\[::1\]$/;

/** A response, whatever its status, or what the network did instead. */
type Opened = (Transfer & { headers: IDataObject }) | { failure: unknown };

/** Opens a link without any credential; each redirect's address is checked, too, because it could lead to an internal page. */
export async function openLink(
	context: ServiceContext,
	what: string,
	link: string,
	signal: AbortSignal,
): Promise<Opened> {
	const base = new URL(await baseUrlOf(context, 'conversationExportApi'));
	let url = link;
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		const defect = URL.canParse(url) ? await linkDefect(context, base, new URL(url)) : 'is not an address';
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
async function linkDefect(context: ServiceContext, base: URL, url: URL): Promise<string | undefined> {
	if (url.protocol !== 'https:' && (url.protocol !== 'http:' || base.protocol !== 'http:')) {
		return `starts with ${url.protocol} instead of https:`;
	}
	if (url.username !== '' || url.password !== '') return 'contains a user name or password';
	if (hostAndPortOf(base) === hostAndPortOf(url)) return undefined;
	if (isPrivateHost(url.hostname)) return `leads to the private address ${url.host}`;
	// n8n 2.36 has one only if its SSRF protection is on. A name that it cannot resolve is left to the request, and its proxy.
	const filter = context.helpers.getSecureEgressFilter('enforced');
	const result = await filter?.validateUrl(url.href).catch(() => undefined);
	return result?.ok === false ? `leads to ${url.hostname}, whose address is private` : undefined;
}

/** The host and port of an address. All names of this machine are one host. */
function hostAndPortOf({ hostname, port, protocol }: URL): string {
	return `${LOOPBACK.test(hostname) ? 'localhost' : hostname}:${port || protocol}`;
}

/** A link without its fragment: what is before the query, and the query with its question mark. */
function placeAndQuery(link: string): [place: string, query: string] {
	const [, place, query] = /^([^?#]*)([^#]*)/.exec(link)!;
	return [place, query];
}

/** Splits a link, so that n8n's helper sends it unchanged: in a whole address, it would write `'` as `%27`. */
function addressOf(link: string): { url: string; qs?: IDataObject } {
	const [url, query] = placeAndQuery(link);
	// Node sends only these characters as they are.
	if (new URL(link).search === query || !/^[!-~]*$/.test(query)) return { url: link };
	const qs: object = Object.assign(new URLSearchParams(), { toString: () => query.slice(1) });
	return { url, qs: qs as IDataObject };
}

async function request(context: ServiceContext, url: string, signal: AbortSignal): Promise<Opened> {
	const stalledMs = POLICY.stalledAfterMs;
	const send = async (closing: AbortSignal) =>
		(await context.helpers.httpRequest({
			method: 'GET',
			...addressOf(url),
			encoding: 'stream',
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			disableFollowRedirect: true,
			abortSignal: AbortSignal.any([signal, closing]),
			timeout: stalledMs,
		})) as Received & { headers: IDataObject };
	try {
		return await openTransfer(send, { stalledMs, totalMs: stalledMs + POLICY.drippingAfterMs });
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
