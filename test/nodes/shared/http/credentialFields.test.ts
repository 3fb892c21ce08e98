import fc from 'fast-check';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { CodedError } from '../../../../nodes/shared/errors/codedError';
import { cleanApiKey, cleanBaseUrl, withKey } from '../../../../nodes/shared/http';

const KEY = fc
	.string({ unit: fc.constantFrom(...'abcXYZ019-_.~+/='), minLength: 1, maxLength: 60 })
	.filter((key) => !/^bearer\b/i.test(key));
const refusal = (message: string, description: string) =>
	expect.objectContaining({ constructor: CodedError, message, description });
const BLANK = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 4 });

describe('cleanApiKey', () => {
	// D1-AUTH-01
	test('keeps any raw key and trims the spaces around it', () => {
		fc.assert(
			fc.property(KEY, BLANK, BLANK, (key, before, after) => {
				expect(cleanApiKey(`${before}${key}${after}`)).toBe(key);
			}),
		);
	});

	// D1-AUTH-01
	test('refuses a pasted Bearer prefix in any capitalization, without the key in the message', () => {
		fc.assert(
			fc.property(KEY, fc.constantFrom('Bearer ', 'bearer ', 'BEARER\t', '  Bearer  '), (key, prefix) => {
				expect(() => cleanApiKey(`${prefix}secret${key}`)).toThrow(
					refusal(
						'The API Key of the credential starts with "Bearer"',
						'Remove the prefix and save the credential again: the service takes the raw key.',
					),
				);
			}),
		);
	});

	const EMPTY = ['is empty', 'Paste the key that the web app showed once when it was created.'];
	const UNFIT = [
		'contains spaces, line breaks or characters that no header can carry',
		'Copy the key again without them.',
	];
	test.each([
		...['', '   ', undefined, null, 7].map((value) => [value, ...EMPTY]),
		...['a b', 'a\nb', 'kéy', 'a\u200bb'].map((value) => [value, ...UNFIT]),
	])('refuses %p, because it %s', (value, defect, advice) => {
		expect(() => cleanApiKey(value)).toThrow(refusal(`The API Key of the credential ${defect}`, `${advice}`));
	});
});

describe('withKey', () => {
	const credential = { apiKey: ' abc ', baseUrl: 'https://api.example.com/v1/' };
	const send = (request: object) => withKey('x-api-key', credential, request as IHttpRequestOptions);
	const SENT = {
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
		proxy: undefined,
		skipSslCertificateValidation: false,
		rejectUnauthorized: true,
	};

	test('adds the cleaned key, and overrules what would lead it elsewhere', () => {
		const request = {
			method: 'POST',
			url: 'https://api.example.com/v1/export/users?page=1',
			headers: { accept: '*/*', 'x-api-key': 'another' },
			proxy: 'http://proxy.example',
			skipSslCertificateValidation: true,
			rejectUnauthorized: false,
			followRedirect: true,
		};
		const given = structuredClone(request);
		expect(send(request)).toStrictEqual({
			...SENT,
			method: 'POST',
			url: request.url,
			headers: { accept: '*/*', 'x-api-key': 'abc' },
		});
		expect(request).toStrictEqual(given);
	});

	test.each([
		['as uri', { uri: 'https://api.example.com/v1/a' }, 'https://api.example.com/v1/a'],
		[
			'relative to another address',
			{ url: 'a', baseURL: 'https://api.example.com/v1/' },
			'https://api.example.com/v1/a',
		],
		[
			'with another spelling',
			{ url: 'HTTPS://API.example.com:443/x/..\\v1/./a' },
			'https://api.example.com/v1/a',
		],
		['of the Base URL', { url: 'https://api.example.com/v1' }, 'https://api.example.com/v1'],
		[
			'with an encoded slash',
			{ url: 'https://api.example.com/v1/..%2fa' },
			'https://api.example.com/v1/..%2fa',
		],
	])('sends to an address %s exactly where it was checked', (_how, request, url) => {
		expect(send(request)).toStrictEqual({ ...SENT, headers: { 'x-api-key': 'abc' }, url });
	});

	test.each([
		['https://evil.example/v1/a', 'to https://evil.example/v1/a'],
		['http://api.example.com/v1/a', 'to http://api.example.com/v1/a'],
		['https://api.example.com:8443/v1', 'to https://api.example.com:8443/v1'],
		['https://api.example.com.evil.example/v1', 'to https://api.example.com.evil.example/v1'],
		['https://api.example.com@evil.example/v1?key=secret', 'to https://evil.example/v1'],
		['https://user:secret@api.example.com/v1', 'to https://api.example.com/v1'],
		['https:\\\\evil.example\\v1', 'to https://evil.example/v1'],
		['https://api.example.com/', 'to https://api.example.com/'],
		['https://api.example.com/v10', 'to https://api.example.com/v10'],
		['https://api.example.com/v1/../v2', 'to https://api.example.com/v2'],
		['https://api.example.com/v1/%2E%2e/v2', 'to https://api.example.com/v2'],
		['https://api.example.com//v1', 'to https://api.example.com//v1'],
		['https://api.example.com/%761', 'to https://api.example.com/%761'],
		['https://api.example.com/V1', 'to https://api.example.com/V1'],
		['//evil.example/v1', 'to this address'],
		['v1/a', 'to this address'],
		['', 'to this address'],
	])('sends nothing to %s', (url, there) => {
		const error = refusal(
			`The API Key of the credential is not sent ${there}`,
			"It goes only to the credential's Base URL, https://api.example.com/v1, and to addresses below it.",
		);
		expect(() => send({ url })).toThrow(error);
		expect(() => send({ uri: url })).toThrow(error);
	});

	test('sends nothing to a host that replaces the one of the request’s own base', () => {
		const baseURL = 'https://api.example.com/v1/';
		for (const url of ['//evil.example/v1', '\\\\evil.example/v1', 'https://evil.example/v1', '../v2']) {
			expect(() => send({ url, baseURL })).toThrow('is not sent to https://');
		}
	});

	test('sends nothing without a Base URL', () => {
		expect(() => withKey('x-api-key', { apiKey: 'abc' }, { url: 'https://api.example.com' })).toThrow(
			'The Base URL of the credential is empty',
		);
	});
});

describe('cleanBaseUrl', () => {
	test.each([
		['https://api.example.com', 'https://api.example.com'],
		['https://api.example.com///', 'https://api.example.com'],
		[' https://api.example.com/v1/ \n', 'https://api.example.com/v1'],
		['http://127.0.0.1:8790/data', 'http://127.0.0.1:8790/data'],
		['http://sandbox:8790', 'http://sandbox:8790'],
		['http://[fd00::1]/', 'http://[fd00::1]'],
	])('turns %p into %p', (given, expected) => {
		expect(cleanBaseUrl(given)).toBe(expected);
	});

	test.each([
		['', 'is empty'],
		[' \n', 'is empty'],
		[undefined, 'is empty'],
		[7, 'is empty'],
		['api.example.com', 'is not an address'],
		['ftp://api.example.com', 'does not start with https://'],
		['xhttps://api.example.com', 'does not start with https://'],
		['httpsx://api.example.com', 'does not start with https://'],
		[
			'http://api.example.com',
			'starts with http://, which would send the key unencrypted to api.example.com',
		],
		['http://8.8.8.8/v1', 'starts with http://, which would send the key unencrypted to 8.8.8.8'],
		['https://api.example.com?x=1', 'contains a query (?) or a fragment (#)'],
		['https://api.example.com#x', 'contains a query (?) or a fragment (#)'],
		['https://api.example.com?x=1#x', 'contains a query (?) or a fragment (#)'],
		['https://u:p@api.example.com', 'contains a user name or password'],
		['https://u@api.example.com', 'contains a user name or password'],
		['https://:p@api.example.com', 'contains a user name or password'],
	])('refuses %p and shows an example', (given, defect) => {
		expect(() => cleanBaseUrl(given)).toThrow(
			refusal(
				`The Base URL of the credential ${defect}`,
				'Enter the address of the service, e.g. https://api.example.com.',
			),
		);
	});
});
