import fc from 'fast-check';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { CodedError } from '../../../../nodes/shared/errors/codedError';
import { readAccess, withKey } from '../../../../nodes/shared/http';

const KEY = fc
	.string({ unit: fc.constantFrom(...'abcXYZ019-_.~+/='), minLength: 1, maxLength: 60 })
	.filter((key) => !/^bearer\b/i.test(key));
const BLANK = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 4 });

/** A refusal of a field of the credential, whose message ends like this. */
const refusal = (field: string, defect: string) =>
	expect.objectContaining({
		constructor: CodedError,
		message: `The ${field} of the credential ${defect}`,
		description: expect.stringMatching(/^[A-Z].+\.$/),
		details: { code: 'credential_unusable', retryable: false, field },
	});

describe('The API key', () => {
	const cleanApiKey = (apiKey: unknown) => readAccess({ apiKey, baseUrl: 'https://a.example' } as never).key;

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
				expect(() => cleanApiKey(`${prefix}${key}`)).toThrow(refusal('API Key', 'starts with "Bearer"'));
			}),
		);
	});

	const UNFIT = 'contains spaces, line breaks or characters that no header can carry';
	test.each([
		...['', '   ', undefined, null, 7].map((value) => [value, 'is empty']),
		...['a b', 'a\nb', 'kéy', 'a\u200bb'].map((value) => [value, UNFIT]),
	])('refuses %p, because it %s', (value, defect) => {
		expect(() => cleanApiKey(value)).toThrow(refusal('API Key', String(defect)));
	});
});

describe('withKey', () => {
	const BASE = 'https://api.example.com/v1';
	const credential = { apiKey: ' abc ', baseUrl: `${BASE}/` };
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
			url: `${BASE}/export/users?page=1`,
			headers: { accept: '*/*', 'x-api-key': 'another' },
			proxy: 'http://proxy.example',
			skipSslCertificateValidation: true,
			rejectUnauthorized: false,
			followRedirect: true,
		};
		const given = structuredClone(request);
		const headers = { accept: '*/*', 'x-api-key': 'abc' };
		expect(send(request)).toStrictEqual({ ...SENT, method: 'POST', url: request.url, headers });
		expect(request).toStrictEqual(given);
	});

	test.each([
		['as uri', { uri: `${BASE}/a` }, `${BASE}/a`],
		['relative to another address', { url: 'a', baseURL: `${BASE}/` }, `${BASE}/a`],
		['with another spelling', { url: 'HTTPS://API.example.com:443/x/..\\v1/./a' }, `${BASE}/a`],
		['of the Base URL', { url: BASE }, BASE],
		['with an encoded slash', { url: `${BASE}/..%2fa` }, `${BASE}/..%2fa`],
	])('sends to an address %s exactly where it was checked', (_how, request, url) => {
		expect(send(request)).toStrictEqual({ ...SENT, headers: { 'x-api-key': 'abc' }, url });
	});

	test.each([
		['https://evil.example/v1/a', 'https://evil.example/v1/a'],
		['http://api.example.com/v1/a', 'http://api.example.com/v1/a'],
		['https://api.example.com:8443/v1', 'https://api.example.com:8443/v1'],
		['https://api.example.com.evil.example/v1', 'https://api.example.com.evil.example/v1'],
		['https://api.example.com@evil.example/v1?key=secret', 'https://evil.example/v1'],
		['https://user:secret@api.example.com/v1', BASE],
		['https:\\\\evil.example\\v1', 'https://evil.example/v1'],
		['https://api.example.com/v10', 'https://api.example.com/v10'],
		[`${BASE}/%2E%2e/v2`, 'https://api.example.com/v2'],
		['https://api.example.com/%761', 'https://api.example.com/%761'],
		['//evil.example/v1', 'this address'],
		['', 'this address'],
	])('sends nothing to %s', (url, address) => {
		const error = expect.objectContaining({
			details: expect.objectContaining({ code: 'api_key_kept' }),
			message: `The API Key of the credential is not sent to ${address}`,
		});
		expect(() => send({ url })).toThrow(error);
		expect(() => send({ uri: url })).toThrow(error);
	});

	test.each(['//evil.example/v1', '\\\\evil.example/v1', 'https://evil.example/v1', '../v2'])(
		'sends nothing to %s, which leaves the base of its request',
		(url) => expect(() => send({ url, baseURL: `${BASE}/` })).toThrow('is not sent to https://'),
	);

	test('sends nothing without a Base URL', () => {
		const request = { url: 'https://api.example.com' };
		expect(() => withKey('x-api-key', { apiKey: 'abc' }, request)).toThrow(refusal('Base URL', 'is empty'));
	});
});

describe('The Base URL', () => {
	const cleanBaseUrl = (baseUrl: unknown) => readAccess({ apiKey: 'k', baseUrl } as never).baseUrl;

	test.each([
		['https://api.example.com///', 'https://api.example.com'],
		[' https://api.example.com/v1/ \n', 'https://api.example.com/v1'],
		['http://127.0.0.1:8790/data', 'http://127.0.0.1:8790/data'],
		['http://[fd00::1]/', 'http://[fd00::1]'],
	])('turns %p into %p', (given, expected) => {
		expect(cleanBaseUrl(given)).toBe(expected);
	});

	const QUERY = 'contains a query (?) or a fragment (#)';
	const USER = 'contains a user name or password';
	const unencrypted = (host: string) =>
		`starts with http://, which would send the key unencrypted to ${host}`;
	test.each([
		[' \n', 'is empty'],
		[7, 'is empty'],
		['api.example.com', 'is not an address'],
		['xhttps://api.example.com', 'does not start with https://'],
		['httpsx://api.example.com', 'does not start with https://'],
		['http://api.example.com', unencrypted('api.example.com')],
		['http://8.8.8.8/v1', unencrypted('8.8.8.8')],
		['https://api.example.com?x=1', QUERY],
		['https://api.example.com#x', QUERY],
		['https://u@api.example.com', USER],
		['https://:p@api.example.com', USER],
	])('refuses %p, because it %s', (given, defect) => {
		expect(() => cleanBaseUrl(given)).toThrow(refusal('Base URL', defect));
	});
});
