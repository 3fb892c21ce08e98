import fc from 'fast-check';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { readAccess, withKey } from '../../../../nodes/shared/http/credential';

const BASE = 'https://api.example.com/v1';

describe('readAccess', () => {
	const read = (more: object) => readAccess({ apiKey: 'k', baseUrl: BASE, ...more });
	const KEY = fc
		.string({ unit: fc.constantFrom(...'abcXYZ019-_.~+/='), minLength: 1, maxLength: 60 })
		.filter((key) => !/^bearer\b/i.test(key));
	const BLANK = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 4 });

	const expectRefusal = (more: object, field: string, defect: string) =>
		expect(() => read(more)).toThrow(
			expect.objectContaining({
				message: `The ${field} of the credential ${defect}`,
				description: expect.stringMatching(/^[A-Z].+\.$/),
				details: { code: 'credential_unusable', retryable: false, field },
			}),
		);

	// D1-AUTH-01
	test('reads any raw key, without the spaces around it, and none with a pasted Bearer prefix', () => {
		fc.assert(
			fc.property(KEY, BLANK, BLANK, (key, before, after) => {
				expect(read({ apiKey: `${before}${key}${after}` })).toEqual({ key, baseUrl: BASE });
				for (const prefix of ['Bearer ', 'bearer ', 'BEARER\t', '  Bearer  ']) {
					expectRefusal({ apiKey: `${before}${prefix}${key}` }, 'API Key', 'starts with "Bearer"');
				}
			}),
		);
	});

	test.each([
		['https://api.example.com///', 'https://api.example.com'],
		[' https://api.example.com/v1/ \n', BASE],
		['http://127.0.0.1:8790/data', 'http://127.0.0.1:8790/data'],
		['http://[fd00::1]/', 'http://[fd00::1]'],
	])('reads the Base URL %j as %j', (given, baseUrl) =>
		expect(read({ baseUrl: given }).baseUrl).toBe(baseUrl),
	);

	const UNENCRYPTED = 'starts with http://, which would send the key unencrypted to';
	test.each<[field: string, defect: string, unknown[]]>([
		['API Key', 'is empty', ['', '   ', undefined, null, 7]],
		[
			'API Key',
			'contains spaces, line breaks or characters that no header can carry',
			['a b', 'a\nb', 'kéy', 'a\u200bb'],
		],
		['Base URL', 'is empty', [' \n', 7, undefined]],
		['Base URL', 'is not an address', ['the service', 'a b.example']],
		[
			'Base URL',
			'does not start with https://',
			['xhttps://a.example', 'a.example', 'a.example:8443/v1', 'a:8790'],
		],
		['Base URL', `${UNENCRYPTED} 8.8.8.8`, ['http://8.8.8.8/v1']],
		['Base URL', `${UNENCRYPTED} api.example.com`, ['http://api.example.com']],
		['Base URL', 'contains a query (?) or a fragment (#)', [`${BASE}?x=1`, `${BASE}#x`]],
		[
			'Base URL',
			'contains a user name or password',
			['https://u@api.example.com', 'https://:p@api.example.com'],
		],
	])('refuses as %s what %s: %j', (field, defect, values) => {
		const name = field === 'API Key' ? 'apiKey' : 'baseUrl';
		for (const value of values) expectRefusal({ [name]: value }, field, defect);
	});
});

describe('withKey', () => {
	const send = (request: object, baseUrl = `${BASE}/`) =>
		withKey('Authorization', { apiKey: ' abc ', baseUrl }, request as IHttpRequestOptions);
	const SAFE = {
		...{ disableFollowRedirect: true, followRedirect: false, followAllRedirects: false },
		...{ proxy: undefined, skipSslCertificateValidation: false, rejectUnauthorized: true },
	};
	const UNSAFE = {
		...{ disableFollowRedirect: false, followRedirect: true, followAllRedirects: true },
		...{ proxy: 'http://proxy.example', skipSslCertificateValidation: true, rejectUnauthorized: false },
	};

	test('adds the cleaned key, and overrules what would lead it elsewhere', () => {
		const headers = {
			...{ accept: '*/*', authorization: 'another', ' AUTHORIZATION ': 'a third', HoST: 'evil.example' },
			...{ 'x-forwarded-host ': 'evil.example', Forwarded: 'host=evil.example', 'X-Original-URL': '/other' },
			...{ 'X-HTTP-Method-Override': 'DELETE', Connection: 'authorization' },
		};
		const request = { method: 'POST', url: `${BASE}/export/users?page=1`, headers, ...UNSAFE };
		const given = structuredClone(request);
		const sent = { accept: '*/*', Authorization: 'abc' };
		expect(send(request)).toStrictEqual({ ...SAFE, method: 'POST', url: request.url, headers: sent });
		expect(request).toStrictEqual(given);
	});

	test.each([
		['as uri', { uri: `${BASE}/a` }, `${BASE}/a`],
		['relative to another address', { url: 'a', baseURL: `${BASE}/` }, `${BASE}/a`],
		['with another spelling', { url: 'HTTPS://API.example.com:443/x/..\\v1/./a' }, `${BASE}/a`],
		['of the Base URL', { url: BASE }, BASE],
		['that is the base of its request', { baseURL: BASE }, BASE],
	])('sends to an address %s exactly where it was checked', (_how, request, url) => {
		expect(send(request)).toStrictEqual({ ...SAFE, headers: { Authorization: 'abc' }, url });
	});

	const expectKept = (request: object, there: string) =>
		expect(() => send(request)).toThrow(
			expect.objectContaining({
				details: expect.objectContaining({ code: 'api_key_kept' }),
				message: `The API Key of the credential is not sent to ${there}`,
				description: `It goes only to the credential's Base URL, ${BASE}, and to addresses below it.`,
			}),
		);

	test.each([
		['https://evil.example/v1/a', 'https://evil.example/v1/a'],
		['http://api.example.com/v1/a', 'http://api.example.com/v1/a'],
		['https://api.example.com:8443/v1', 'https://api.example.com:8443/v1'],
		['https://api.example.com.evil.example/v1', 'https://api.example.com.evil.example/v1'],
		['https://api.example.com@evil.example/v1?key=secret', 'https://evil.example/v1'],
		['https://user@api.example.com/v1', BASE],
		['https://:secret@api.example.com/v1', BASE],
		[`https://evil.example${'/long'.repeat(41)}`, `https://evil.example${'/long'.repeat(40)}`],
		['', 'this address'],
	])('sends nothing to %s', (url, there) => {
		expectKept({ url }, there);
		expectKept({ uri: url }, there);
		if (url !== '') expectKept({ url, baseURL: `${BASE}/` }, there);
	});

	test.each([
		['//evil.example/v1', 'https://evil.example/v1'],
		['\\\\evil.example/v1', 'https://evil.example/v1'],
		['../v2', 'https://api.example.com/v2'],
	])('sends nothing to %s, nor where it leads from the base of its request', (url, there) => {
		expectKept({ url }, 'this address');
		expectKept({ url, baseURL: `${BASE}/` }, there);
	});

	const SEGMENT = fc.string({ unit: fc.constantFrom(...'aB1-_~%/.\\?#@:'), maxLength: 8 });
	const PATH = fc.array(SEGMENT, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`);

	test('sends to nothing but the origin of the Base URL and whole segments of its path', () => {
		fc.assert(
			fc.property(
				fc.constantFrom('', '/v1', '/a/b'),
				fc.constantFrom('', '/v1', '/v10', '/a/b', '/%2E%2e/v1'),
				PATH,
				(base, start, path) => {
					const address = `https://api.example.com${start}${path}`;
					fc.pre(URL.canParse(address));
					const { pathname, href } = new URL(address);
					const isBelow = base.split('/').every((segment, index) => pathname.split('/')[index] === segment);
					const sent = () => send({ url: address }, `https://api.example.com${base}`).url;
					if (isBelow) expect(sent()).toBe(href);
					else expect(sent).toThrow(`is not sent to https://api.example.com${pathname}`);
				},
			),
		);
	});
});
