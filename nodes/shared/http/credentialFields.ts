import { UserError, type ICredentialDataDecryptedObject, type IHttpRequestOptions } from 'n8n-workflow';

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
 * The trimmed key, which the service expects without a scheme (D1 § Authentication).
 *
 * @throws UserError for an empty key, a scheme prefix or inner whitespace; never shows the key
 */
export function cleanApiKey(value: unknown): string {
	const key = typeof value === 'string' ? value.trim() : '';
	for (const [form, defect, remedy] of KEY_DEFECTS) {
		if (form.test(key)) throw refused('API Key', defect, remedy);
	}
	return key;
}

/**
 * The request with the credential's cleaned key as the value of a header (D1 § Authentication, D2 § Authentication).
 *
 * @throws what {@link cleanApiKey} throws
 */
export function withKey(
	header: string,
	{ apiKey }: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	return { ...request, headers: { ...request.headers, [header]: cleanApiKey(apiKey) } };
}

/**
 * The base address without trailing slashes, e.g. `https://api.example.com/v1`.
 *
 * @throws UserError for a value that is empty, no http(s) address, or has a query, fragment, user name or password
 */
export function cleanBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const defect = text === '' ? 'is empty' : defectOf(text);
	if (defect) {
		throw refused('Base URL', defect, 'Enter the address of the service, e.g. https://api.example.com.');
	}
	const { origin, pathname } = new URL(text);
	return `${origin}${pathname}`.replace(/\/+$/, '');
}

const ENDPOINT = /\/(export(\/(conversations|teams|users)(\/.*)?)?|custom(\/appointment(\/.*)?)?)$/;

/**
 * The end of a base address that belongs to an endpoint, e.g. `/export/conversations`: it must be left out. A path such
 * as `/custom/v1` can be the service's own.
 *
 * @param baseUrl as {@link cleanBaseUrl} returns it
 * @returns undefined for an address without one (D1 § Endpoints, D2 § Endpoints)
 */
export function endpointIn(baseUrl: string): string | undefined {
	return ENDPOINT.exec(baseUrl)?.[0];
}

function defectOf(text: string): string | undefined {
	if (!URL.canParse(text)) return 'is not an address';
	const { protocol, search, hash, username, password } = new URL(text);
	if (!['http:', 'https:'].includes(protocol)) return 'does not start with http:// or https://';
	if (search !== '' || hash !== '') return 'contains a query (?) or a fragment (#)';
	return username !== '' || password !== '' ? 'contains a user name or password' : undefined;
}

function refused(field: string, defect: string, remedy: string): UserError {
	return new UserError(`The ${field} of the credential ${defect}`, { description: remedy });
}
