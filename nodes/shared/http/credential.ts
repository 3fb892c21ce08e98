import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { codedError, type CodedError, type ErrorTable } from '../base/codedErrors';
import { isPrivateHost } from './address';

/** @public read by `scripts/errorTables.ts` */
export const CREDENTIAL_ERRORS = {
	credential_unusable: ['The {field} of the credential {defect}', '{advice}'],
	api_key_kept: [
		'The API Key of the credential is not sent to {address}',
		"It goes only to the credential's Base URL, {baseUrl}, and to addresses below it.",
	],
} as const satisfies ErrorTable;

/** What makes a key unusable, and what to do: the service answers such a key with a bare 401 or 403. */
const KEY_DEFECTS: Array<[RegExp, defect: string, remedy: string]> = [
	[/^$/, 'is empty', 'Paste the key that the web app showed once when it was created.'],
	[
		/^bearer\b/i,
		'starts with "Bearer"',
		'Remove the prefix and save the credential again: the service takes the raw key.',
	],
	[
		/[^\x21-\x7e]/,
		'contains spaces, line breaks or characters that no header can carry',
		'Copy the key again without them.',
	],
];

/** What a node's credential says, and what n8n's helper gets of it with each request. */
export type Credential = ReturnType<typeof readAccess> & {
	decrypted: ICredentialsDecrypted;
	/** Hides the key in a text. */
	hide: (text: string) => string;
};

const NO_SCHEME = 'does not start with https://';

/**
 * The key as the service expects it, without a scheme (D1 § Authentication), and the address without trailing slashes.
 * @throws CodedError for a key that is empty or has a scheme or inner whitespace, without showing it; for a Base URL that
 *   is empty, no https address (http only for a private host), or has a query, fragment, user name or password
 */
export function readAccess({ baseUrl, apiKey }: ICredentialDataDecryptedObject) {
	const [address, key] = [baseUrl, apiKey].map((value) => (typeof value === 'string' ? value.trim() : ''));
	const addressDefect = defectOf(address);
	const enter =
		addressDefect === NO_SCHEME
			? 'Put https:// before it.'
			: 'Enter the address of the service, e.g. https://api.example.com.';
	if (addressDefect) throw unusable('Base URL', addressDefect, enter);
	for (const [form, defect, remedy] of KEY_DEFECTS) {
		if (form.test(key)) throw unusable('API Key', defect, remedy);
	}
	const { origin, pathname } = new URL(address);
	return { key, baseUrl: `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '') };
}

function defectOf(address: string): string | undefined {
	if (address === '') return 'is empty';
	// With a port, the host would be taken for a scheme.
	if (/^[a-z\d-]+(\.[a-z\d-]+)*(:\d+)?(\/|$)/i.test(address) && /[.:]/.test(address)) return NO_SCHEME;
	if (!URL.canParse(address)) return 'is not an address';
	const { protocol, hostname, search, hash, username, password } = new URL(address);
	if (!['http:', 'https:'].includes(protocol)) return NO_SCHEME;
	if (protocol === 'http:' && !isPrivateHost(hostname)) {
		return `starts with http://, which would send the key unencrypted to ${hostname}`;
	}
	if (search !== '' || hash !== '') return 'contains a query (?) or a fragment (#)';
	return username !== '' || password !== '' ? 'contains a user name or password' : undefined;
}

function unusable(field: string, defect: string, advice: string): CodedError {
	return codedError(CREDENTIAL_ERRORS, 'credential_unusable', { field, defect, advice }, { field });
}

/** Keeps the key at the Base URL, also in HTTP Request, which can use the credential; for both n8n helpers. */
const STRAIGHT_TO_BASE_URL = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	proxy: undefined,
	skipSslCertificateValidation: false,
	rejectUnauthorized: true,
};

/** Headers by which a gateway could take the request for another host or path, or take the key out of it. */
const REROUTING =
	/^(host|forwarded|x-forwarded-.*|x-original-.*|x-rewrite-.*|x-(http-)?host.*|x-http-method.*|connection|upgrade|te|trailer|transfer-encoding|keep-alive|proxy-.*)$/;

/**
 * The request with the credential's cleaned key as the value of a header (D1 § Authentication, D2 § Authentication).
 * It follows no redirect, uses no proxy of its own, checks the certificate, and has no header that names another host.
 * @param request of any node, because n8n lends a credential to HTTP Request, with `uri` instead of `url`
 * @throws as {@link readAccess}, and CodedError for a request to another address than the Base URL or one below it
 */
export function withKey(
	header: string,
	credential: ICredentialDataDecryptedObject,
	{ url, uri, baseURL, headers = {}, ...request }: IHttpRequestOptions & { uri?: string },
): IHttpRequestOptions {
	const { key, baseUrl } = readAccess(credential);
	const address = url ?? uri ?? '';
	const target = URL.canParse(address, baseURL) ? new URL(address, baseURL) : undefined;
	if (!target || !isBelow(baseUrl, target)) {
		const there = target ? `${target.origin}${target.pathname.slice(0, 200)}` : 'this address';
		throw codedError(CREDENTIAL_ERRORS, 'api_key_kept', { address: there, baseUrl });
	}
	const others = Object.entries(headers).filter(([name]) => {
		const known = name.trim().toLowerCase();
		return known !== header.toLowerCase() && !REROUTING.test(known);
	});
	const sent = { ...Object.fromEntries(others), [header]: key };
	// What was checked is what is sent.
	return { ...request, ...STRAIGHT_TO_BASE_URL, url: target.href, headers: sent };
}

/** Whether an address has the origin of a base address, and its path or one below it, without a user name. */
function isBelow(baseUrl: string, url: URL): boolean {
	const { origin, pathname } = new URL(baseUrl);
	const hasOrigin = url.origin === origin && url.username === '' && url.password === '';
	return hasOrigin && `${url.pathname}/`.startsWith(pathname.endsWith('/') ? pathname : `${pathname}/`);
}

/** Shorter keys are not hidden, because they could be words. */
const MIN_HIDDEN = 8;

/** Makes a function that writes `***` in place of a key, in any letter case and with any escapes of JSON, URLs and HTML. */
export function keyHider(key: string): (text: string) => string {
	if (key.length < MIN_HIDDEN) return (text) => text;
	const form = new RegExp([...key].map(anyForm).join(''), 'gi');
	return (text) => text.replace(form, '***');
}

/** The forms of an ASCII character; a percent sign or an ampersand can itself be escaped, e.g. `%252B`. */
function anyForm(character: string): string {
	const code = character.charCodeAt(0);
	const hex = code.toString(16);
	const plain = character.replace(/\W/, String.raw`\$&`);
	const name = /[a-z\d]/i.test(character) ? '' : '|[a-z]{2,9}';
	return [
		String.raw`(?:\\{0,4}(?:${plain}|u00${hex}|x${hex})`,
		String.raw`%(?:25)*(?:u00)?${hex}`,
		String.raw`(?:&|\\u0026)(?:amp;)*(?:#0*${code}|#x0*${hex}${name});?)`,
	].join('|');
}
