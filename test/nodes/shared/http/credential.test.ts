import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { CredentialTestContext } from 'n8n-core';
import type { IDataObject, IHttpRequestOptions, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { crmAppointmentApiTest } from '../../../../nodes/ConversationIntelligenceAppointments/api';
import { conversationExportApiTest } from '../../../../nodes/shared/exportApi/client';
import { readAccess, withKey } from '../../../../nodes/shared/http/credential';
import { startSandbox, type Sandbox } from '../../../../sandbox';
import { ScriptedServer, type ScriptedResponse } from '../../../support/scriptedServer';

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
		['is not an address', ['the service', 'a b.example']],
		[
			'does not start with https://',
			['xhttps://a.example', 'api.example.com', 'api.example.com:8443/v1', 'localhost:8790'],
		],
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
			headers: {
				accept: '*/*',
				'X-API-Key': 'another',
				HoST: 'evil.example',
				'x-forwarded-host ': 'evil.example',
				Forwarded: 'host=evil.example',
				'X-Original-URL': '/other',
				'X-HTTP-Method-Override': 'DELETE',
				Connection: 'x-api-key',
			},
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
		['that is the base of its request', { baseURL: BASE }, BASE],
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
		['https://user@api.example.com/v1', BASE],
		['https://:secret@api.example.com/v1', BASE],
		[`https://evil.example${'/long'.repeat(41)}`, `https://evil.example${'/long'.repeat(40)}`],
		['https://api.example.com/v10', 'https://api.example.com/v10'],
		[`${BASE}/%2E%2e/v2`, 'https://api.example.com/v2'],
		['//evil.example/v1', 'this address'],
		['', 'this address'],
	])('sends nothing to %s', (url, address) => {
		const error = expect.objectContaining({
			details: expect.objectContaining({ code: 'api_key_kept' }),
			message: `The API Key of the credential is not sent to ${address}`,
			description: `It goes only to the credential's Base URL, ${BASE}, and to addresses below it.`,
		});
		expect(() => send({ url })).toThrow(error);
		expect(() => send({ uri: url })).toThrow(error);
	});

	test.each(['//evil.example/v1', '\\\\evil.example/v1', 'https://evil.example/v1', '../v2'])(
		'sends nothing to %s, which leaves the base of its request',
		(url) => expect(() => send({ url, baseURL: `${BASE}/` })).toThrow('is not sent to https://'),
	);
});

const TESTS = { export: conversationExportApiTest, crm: crmAppointmentApiTest };
const RAW_KEY = 'the-key-of-the-service';
const OK = { status: 'OK', message: 'Connection successful' };
const refused = (message: RegExp) => ({ status: 'Error', message: expect.stringMatching(message) });

/** Presses a credential's Test button. */
async function pressTest(api: keyof typeof TESTS, data?: IDataObject) {
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	return await TESTS[api].call(context, { id: '1', name: 'c', type: 'any', data: data as never });
}

/** Presses it at a server that gives this response. */
async function testAgainst(response: ScriptedResponse, api: keyof typeof TESTS, data: IDataObject = {}) {
	const server = await ScriptedServer.start(response);
	const result = await pressTest(api, { baseUrl: server.url, apiKey: ` ${RAW_KEY}\n`, ...data });
	await server.close();
	return { result, seen: server.seen };
}

describe('The test of a credential', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 10 });
	});
	afterAll(async () => await sandbox.close());

	// D2-BODY-06
	test('accepts a good key and address, and refuses an unknown key without showing it', async () => {
		const { exportUrl, crmUrl, keys } = sandbox;
		for (const [api, baseUrl] of [['export', `${exportUrl}/`] as const, ['crm', crmUrl] as const]) {
			expect(await pressTest(api, { baseUrl, apiKey: keys.organization })).toEqual(OK);
			const { status, message } = await pressTest(api, { baseUrl, apiKey: RAW_KEY });
			expect(status).toBe('Error');
			expect(message).not.toContain(RAW_KEY);
		}
	});

	// D1-AUTH-04
	test('reads a second of the year 2000 with the key of the export', async () => {
		const { result, seen } = await testAgainst({ status: 401, body: `no ${RAW_KEY}` }, 'export');
		expect(result).toEqual(refused(/ does not recognize the API key\. Status 401: "no \*\*\*"\./));
		const range = { fromDate: '2000-01-01T00:00:00Z', toDate: '2000-01-01T00:00:01Z' };
		expect(seen[0]).toMatchObject({
			method: 'POST',
			url: '/export/conversations',
			body: { ...range, page: 1, limit: 1 },
		});
		expect(seen[0].headers).toMatchObject({ authorization: RAW_KEY, 'content-type': 'application/json' });
	});

	// D2-STATE-07, D2-AUTH-01..03, D2-ERR-18
	test('sends an empty match request, which changes nothing, with the key of appointments', async () => {
		const body = 'Missing some required parameters in the body';
		const { result, seen } = await testAgainst({ status: 400, body }, 'crm');
		expect(result).toEqual(OK);
		expect(seen).toMatchObject([{ method: 'POST', url: '/custom/appointment/match', body: {} }]);
		expect(seen[0].headers).toMatchObject({ 'x-api-key': RAW_KEY });
		expect(seen[0].headers.authorization).toBeUndefined();
	});

	test.each<[IDataObject | undefined, RegExp]>([
		[{ baseUrl: 'https://a.example', apiKey: 'Bearer x' }, /^The API Key of .* "Bearer"\. Remove the prefix/],
		[undefined, /^The Base URL of the credential is empty\. Enter/],
	])('refuses %j by its field before any request', async (data, message) => {
		expect(await pressTest('export', data)).toEqual(refused(message));
	});

	test.each<[keyof typeof TESTS, number, string, RegExp]>([
		['export', 200, '<html>"totalConversations</html>', /is not that of this API\. Status 200: a web page/],
		['export', 201, '{"totalConversations":0}', /response is not that of this API/],
		['crm', 200, 'Missing some required parameters in the body', /response is not that of this API/],
		['crm', 400, 'Bad Request', /response is not that of this API/],
		['crm', 403, 'Forbidden', /^The service refuses the API key/],
		['crm', 422, '', / belongs to an active organization/],
	])('of %s says of the response %i "%s" what it means', async (api, status, body, message) => {
		expect((await testAgainst({ status, body }, api)).result).toEqual(refused(message));
	});

	test.each([
		['export' as const, '/export/conversations'],
		['crm' as const, '/custom/appointment'],
	])('of %s says that the pasted endpoint %s must be left out', async (api, pasted) => {
		const baseUrl = `${api === 'crm' ? sandbox.crmUrl : sandbox.exportUrl}${pasted}/`;
		const result = await pressTest(api, { baseUrl, apiKey: sandbox.keys.organization });
		expect(result).toEqual(refused(new RegExp(`^The Base URL must not contain ${pasted}\\. `)));
	});

	test.each([
		[
			'export',
			'crmUrl',
			'',
			'The Base URL is that of the CRM Appointment API. Enter the Base URL of the Conv',
		],
		['export', 'crmUrl', '/custom/appointment', 'The Base URL is that of the CRM Appointment API. Enter'],
		[
			'crm',
			'exportUrl',
			'',
			'The Base URL is that of the Conversation Export API. Enter the Base URL of the CRM',
		],
		['crm', 'exportUrl', '/export/users/', 'The Base URL is that of the Conversation Export API. Enter'],
	] as const)('of %s names the other API at its %s%s', async (api, url, pasted, message) => {
		const baseUrl = `${sandbox[url]}${pasted}`;
		const result = await pressTest(api, { baseUrl, apiKey: sandbox.keys.organization });
		expect(result.message.replace(/ Status [^.]+\./, '')).toContain(message);
	});

	test('follows no redirect with the key', async () => {
		const other = await ScriptedServer.start({ status: 200, body: '{"totalConversations":0}' });
		const { result } = await testAgainst({ status: 307, headers: { location: other.url } }, 'export');
		await other.close();
		expect(result).toEqual(refused(/^The service redirected the request elsewhere/));
		expect(other.seen).toEqual([]);
	});

	test('names an address where nothing answers, and one that does not speak HTTPS', async () => {
		const pressAt = async (baseUrl: string) => await pressTest('export', { baseUrl, apiKey: RAW_KEY });
		expect(await pressAt('http://127.0.0.1:1')).toEqual(refused(/No response came \(ECONNREFUSED\)/));
		const withTls = sandbox.exportUrl.replace('http:', 'https:');
		expect(await pressAt(withTls)).toEqual(refused(/\(EPROTO\)\. Use http:\/\/ instead of https:\/\//));
		// Without a certificate, every handshake ends in an alert.
		const server = createServer().listen(0);
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const { message } = await pressAt(`https://127.0.0.1:${port}`);
		server.close();
		expect(message).toMatch(/\(EPROTO\)/);
		expect(message).not.toContain('http://');
	});
});
