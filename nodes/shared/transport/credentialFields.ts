import { UserError } from 'n8n-workflow';

/**
 * The key exactly as the service wants it: the raw value, no `Bearer` prefix, no stray whitespace.
 * Both documents answer a decorated key with a bare 401 or 403, so it is refused here, in words (D1 § Authentication).
 *
 * @param value what the user pasted into the credential's API Key field
 * @returns the trimmed key
 * @throws UserError when the field is empty or holds a scheme prefix or inner whitespace; never shows the key
 */
export function cleanApiKey(value: unknown): string {
	const key = typeof value === 'string' ? value.trim() : '';
	if (key === '') {
		throw new UserError(
			'The API Key of the credential is empty. Paste the key that the web app showed once when it was created.',
		);
	}
	if (/^bearer\b/i.test(key)) {
		throw new UserError(
			'The API Key of the credential starts with "Bearer". The service takes the raw key: remove the prefix and save the credential again.',
		);
	}
	if (/\s/.test(key) || /[^\x21-\x7e]/.test(key)) {
		throw new UserError(
			'The API Key of the credential contains spaces, line breaks or characters that cannot stand in a header. Copy the key again without them.',
		);
	}
	return key;
}

/**
 * The base address without trailing slashes, so that paths can be appended.
 *
 * @param value what the user entered into the credential's Base URL field
 * @returns for example `https://api.example.com/v1`
 * @throws UserError when the field is empty, not an http(s) address, or carries a query or credentials
 */
export function cleanBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') {
		throw new UserError(
			'The Base URL of the credential is empty. Enter the address that the service gave you, e.g. https://api.example.com.',
		);
	}
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		throwUnusable('is not an address');
	}
	if (!/^https?:$/.test(url.protocol)) throwUnusable('does not start with http:// or https://');
	if (url.search !== '' || url.hash !== '') throwUnusable('contains a query (?) or a fragment (#)');
	if (url.username !== '' || url.password !== '') throwUnusable('contains a user name or password');
	return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function throwUnusable(reason: string): never {
	throw new UserError(
		`The Base URL of the credential ${reason}. Enter it like https://api.example.com, without anything after the path.`,
	);
}
