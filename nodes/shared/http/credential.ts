import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { codedError, CodedError } from '../base/errors';
import { isBelow, isPrivateHost } from './address';
import {
	OTHER_API,
	REQUEST_ERRORS,
	networkError,
	otherBaseUrl,
	readableResponse,
	statusError,
	type CredentialType,
	type RawResponse,
} from './response';

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

/**
 * The key as the service expects it, without a scheme (D1 § Authentication), and the address without trailing slashes.
 * @throws CodedError for a key that is empty or has a scheme or inner whitespace, without showing it; for a Base URL that
 *   is empty, no https address (http only for a private host), or has a query, fragment, user name or password
 */
export function readAccess({ baseUrl, apiKey }: ICredentialDataDecryptedObject) {
	const [address, key] = [baseUrl, apiKey].map((value) => (typeof value === 'string' ? value.trim() : ''));
	const defect = defectOf(address);
	const advice =
		defect === NO_SCHEME
			? 'Put https:// before it.'
			: 'Enter the address of the service, e.g. https://api.example.com.';
	if (defect) throw credentialError('Base URL', defect, advice);
	for (const [form, keyDefect, remedy] of KEY_DEFECTS)
		if (form.test(key)) throw credentialError('API Key', keyDefect, remedy);
	const { origin, pathname } = new URL(address);
	return { key, baseUrl: `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '') };
}

const NO_SCHEME = 'does not start with https://';

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

function credentialError(field: string, defect: string, advice: string): CodedError {
	return codedError(REQUEST_ERRORS, 'credential_unusable', { field, defect, advice }, { field });
}

/** How HTTP Request, which can use the credential too, could lead the key elsewhere; in the words of both of n8n's helpers. */
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
	{ url, uri, baseURL, headers, ...request }: IHttpRequestOptions & { uri?: string },
): IHttpRequestOptions {
	const { key, baseUrl } = readAccess(credential);
	const address = url ?? uri ?? '';
	const target = URL.canParse(address, baseURL) ? new URL(address, baseURL) : undefined;
	if (!target || !isBelow(baseUrl, target)) {
		const there = target ? `${target.origin}${target.pathname.slice(0, 200)}` : 'this address';
		throw codedError(REQUEST_ERRORS, 'api_key_kept', { address: there, baseUrl });
	}
	const others = Object.entries(headers ?? {}).filter(([name]) => {
		const known = name.trim().toLowerCase();
		return known !== header.toLowerCase() && !REROUTING.test(known);
	});
	const sent = { ...Object.fromEntries(others), [header]: key };
	// What was checked is what is sent.
	return { ...request, ...STRAIGHT_TO_BASE_URL, url: target.href, headers: sent };
}

/** A harmless request with the key, which the service itself never refuses. */
interface Probe {
	path: string;
	keyHeader: string;
	body: IDataObject;
	/** Whether a response is the service's own to a good key. */
	accepts: (response: RawResponse) => boolean;
}

const PROBES: Record<CredentialType, Probe> = {
	// One read of an almost empty range.
	conversationExportApi: {
		path: '/export/conversations',
		keyHeader: 'authorization',
		body: { fromDate: '2000-01-01T00:00:00Z', toDate: '2000-01-01T00:00:01Z', page: 1, limit: 1 },
		accepts: ({ status, body }) => status === 200 && body.includes('"totalConversations"'),
	},
	// An empty match request changes nothing: the service first checks the body (D2 § Errors, exact bodies).
	crmAppointmentApi: {
		path: '/custom/appointment/match',
		keyHeader: 'x-api-key',
		body: {},
		accepts: ({ status, body }) =>
			status === 400 && body.includes('Missing some required parameters in the body'),
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
		const isOther = failure.details.status && !(await failureOf(OTHER_API[type]));
		const { message, description } = isOther ? new CodedError(otherBaseUrl(type)) : failure;
		return { status: 'Error', message: `${message}. ${description}` };
	};
}

/** @throws CodedError for an unusable field, for no response, and for one that the probe does not accept */
async function probe(
	context: ICredentialTestFunctions,
	credentialType: CredentialType,
	data: ICredentialDataDecryptedObject,
): Promise<void> {
	const { key, baseUrl } = readAccess(data);
	const { path, keyHeader, body, accepts } = PROBES[credentialType];
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
	}) as Promise<{ statusCode: number; body: unknown }>;
	const { statusCode, body: text } = await sending.catch((failure: unknown) => {
		throw networkError(label, { failure });
	});
	const response = readableResponse(label, { statusCode, body: text }, key);
	if (accepts(response)) return;
	const error = statusError(label, response);
	throw error.details.code === 'request_refused' ? response.unreadable('is not that of this API') : error;
}
