import fc from 'fast-check';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { readAccess, withKey } from '../../../../nodes/shared/http';

const BASE = 'https://api.example.com/v1';
const KEY = fc
	.string({ unit: fc.constantFrom(...'abcXYZ019-_.~+/='), minLength: 1, maxLength: 60 })
	.filter((key) => !/^bearer\b/i.test(key));
const BLANK = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 4 });

const keyOf = (apiKey: unknown) => readAccess({ apiKey, baseUrl: BASE } as never).key;
const baseUrlOf = (baseUrl: unknown) => readAccess({ apiKey: 'k', baseUrl } as never).baseUrl;

/** A refusal of a field of the credential, whose message ends like this. */
const refusal = (field: string, defect: string) =>
	expect.objectContaining({
		message: `The ${field} of the credential ${defect}`,
		description: expect.stringMatching(/^[A-Z].+\.$/),
		details: { code: 'credential_unusable', retryable: false, field },
	});

describe('The API key', () => {
	// D1-AUTH-01
	test('is any raw key, without the spaces around it', () => {
		fc.assert(
			fc.property(KEY, BLANK, BLANK, (key, before, after) => {
				expect(keyOf(`${before}${key}${after}`)).toBe(key);
			}),
		);
	});

	// D1-AUTH-01
	test('is refused with a pasted Bearer prefix in any capitalization, without the key in the message', () => {
		fc.assert(
			fc.property(KEY, fc.constantFrom('Bearer ', 'bearer ', 'BEARER\t', '  Bearer  '), (key, prefix) => {
				expect(() => keyOf(`${prefix}${key}`)).toThrow(refusal('API Key', 'starts with "Bearer"'));
			}),
		);
	});

	test.each<[string, unknown[]]>([
		['is empty', ['', '   ', undefined, null, 7]],
		[
			'contains spaces, line breaks or characters that no header can carry',
			['a b', 'a\nb', 'kéy', 'a\u200bb'],
		],
	])('is refused if it %s: %j', (defect, keys) => {
		for (const key of keys) expect(() => keyOf(key)).toThrow(refusal('API Key', defect));
	});
});

describe('The Base URL', () => {
	test.each([
		['https://api.example.com///', 'https://api.example.com'],
		[' https://api.example.com/v1/ \n', 'https://api.example.com/v1'],
		['http://127.0.0.1:8790/data', 'http://127.0.0.1:8790/data'],
		['http://[fd00::1]/', 'http://[fd00::1]'],
	])('%j is read as %j', (given, expected) => {
		expect(baseUrlOf(given)).toBe(expected);
	});

	const UNENCRYPTED = 'starts with http://, which would send the key unencrypted to';
	test.each<[string, unknown[]]>([
		['is empty', [' \n', 7, undefined]],
		['is not an address', ['api.example.com']],
		['does not start with https://', ['xhttps://api.example.com', 'httpsx://api.example.com']],
		[`${UNENCRYPTED} api.example.com`, ['http://api.example.com']],
		[`${UNENCRYPTED} 8.8.8.8`, ['http://8.8.8.8/v1']],
		['contains a query (?) or a fragment (#)', ['https://api.example.com?x=1', 'https://api.example.com#x']],
		['contains a user name or password', ['https://u@api.example.com', 'https://:p@api.example.com']],
	])('is refused if it %s: %j', (defect, addresses) => {
		for (const address of addresses) expect(() => baseUrlOf(address)).toThrow(refusal('Base URL', defect));
	});
});

describe('withKey', () => {
	const send = (request: object) =>
		withKey('x-api-key', { apiKey: ' abc ', baseUrl: `${BASE}/` }, request as IHttpRequestOptions);
	const SAFE = {
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
		expect(send(request)).toStrictEqual({ ...SAFE, method: 'POST', url: request.url, headers });
		expect(request).toStrictEqual(given);
	});

	test.each([
		['as uri', { uri: `${BASE}/a` }, `${BASE}/a`],
		['relative to another address', { url: 'a', baseURL: `${BASE}/` }, `${BASE}/a`],
		['with another spelling', { url: 'HTTPS://API.example.com:443/x/..\\v1/./a' }, `${BASE}/a`],
		['of the Base URL', { url: BASE }, BASE],
		['with an encoded slash', { url: `${BASE}/..%2fa` }, `${BASE}/..%2fa`],
	])('sends to an address %s exactly where it was checked', (_how, request, url) => {
		expect(send(request)).toStrictEqual({ ...SAFE, headers: { 'x-api-key': 'abc' }, url });
	});

	test.each([
		['https://evil.example/v1/a', 'https://evil.example/v1/a'],
		['http://api.example.com/v1/a', 'http://api.example.com/v1/a'],
		['https://api.example.com:8443/v1', 'https://api.example.com:8443/v1'],
		['https://api.example.com.evil.example/v1', 'https://api.example.com.evil.example/v1'],
		['https://api.example.com@evil.example/v1?key=secret', 'https://evil.example/v1'],
		['https://user:secret@api.example.com/v1', BASE],
		['https://api.example.com/v10', 'https://api.example.com/v10'],
		[`${BASE}/%2E%2e/v2`, 'https://api.example.com/v2'],
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
});
