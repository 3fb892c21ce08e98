import { UserError } from 'n8n-workflow';

/**
 * The key as the service expects it: the raw value. The service answers a decorated key with a bare 401 or 403, so it is
 * refused here, in words (D1 § Authentication).
 *
 * @param value the credential's API Key field
 * @returns the trimmed key
 * @throws UserError for an empty key, a scheme prefix or inner whitespace; never shows the key
 */
export function cleanApiKey(value: unknown): string {
	const key = typeof value === 'string' ? value.trim() : '';
	if (key === '') {
		throw refused('API Key', 'is empty', 'Paste the key that the web app showed once when it was created.');
	}
	if (/^bearer\b/i.test(key)) {
		throw refused(
			'API Key',
			'starts with "Bearer"',
			'Remove the prefix and save the credential again: the service takes the raw key.',
		);
	}
	if (/[^\x21-\x7e]/.test(key)) {
		throw refused(
			'API Key',
			'contains spaces, line breaks or characters that no header can carry',
			'Copy the key again without them.',
		);
	}
	return key;
}

/**
 * The base address without trailing slashes, so that paths can be appended.
 *
 * @param value the credential's Base URL field
 * @returns for example `https://api.example.com/v1`
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

function defectOf(text: string): string | undefined {
	if (!URL.canParse(text)) return 'is not an address';
	const { protocol, search, hash, username, password } = new URL(text);
	if (!/^https?:$/.test(protocol)) return 'does not start with http:// or https://';
	if (search !== '' || hash !== '') return 'contains a query (?) or a fragment (#)';
	return username !== '' || password !== '' ? 'contains a user name or password' : undefined;
}

function refused(field: string, defect: string, remedy: string): UserError {
	return new UserError(`The ${field} of the credential ${defect}`, { description: remedy });
}
