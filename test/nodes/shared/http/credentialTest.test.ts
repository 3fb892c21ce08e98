import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setInterval } from 'node:timers/promises';
import { Container } from '@n8n/di';
import { SsrfProtectionConfig } from '@n8n/config';
import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunctions, IDataObject, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { crmAppointmentApiTest } from '../../../../nodes/ConversationIntelligenceAppointments/api';
import { conversationExportApiTest } from '../../../../nodes/shared/exportApi/client';
import { startSandbox, type Sandbox } from '../../../../sandbox';
import { ScriptedServer, type ScriptedResponse } from '../../../support/scriptedServer';

const TESTS = { export: conversationExportApiTest, crm: crmAppointmentApiTest };
const KEY = 'the-key+of/the=service';

/** Presses a credential's Test button: what it says. */
async function pressTest(api: keyof typeof TESTS, data?: IDataObject) {
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	const result = await TESTS[api].call(context, { id: '1', name: 'c', type: 'any', data: data as never });
	return `${result.status}: ${result.message}`;
}

/** Presses it at a server that gives this response. */
async function testAgainst(response: ScriptedResponse, api: keyof typeof TESTS) {
	const server = await ScriptedServer.start(response);
	const said = await pressTest(api, { baseUrl: server.url, apiKey: ` ${KEY}\n` });
	await server.close();
	return { said, seen: server.seen };
}

describe('The test of a credential', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 10 });
	});
	afterAll(async () => await sandbox.close());

	// D2-BODY-06
	test.each([
		['export', 'exportUrl', '/', 'Connection successful'],
		['crm', 'crmUrl', '', 'Connection successful'],
		['export', 'crmUrl', '', 'Error: The service '],
		['crm', 'exportUrl', '', 'Error: The service '],
		['export', 'exportUrl', '/export/users', 'Check the Base URL'],
	] as const)(
		'of %s at the %s with "%s" says "%s"; it shows no unknown key',
		async (api, url, path, words) => {
			const baseUrl = `${sandbox[url]}${path}`;
			expect(await pressTest(api, { baseUrl, apiKey: sandbox.keys.organization })).toContain(words);
			const said = await pressTest(api, { baseUrl, apiKey: KEY });
			expect(said).toMatch(/^Error: /);
			expect(said).not.toContain(KEY);
		},
	);

	// D1-AUTH-04
	test('reads a second of the year 2000 with the key of the export', async () => {
		const { said, seen } = await testAgainst(
			{ status: 401, body: `no ${KEY.replace('+', '\\u002B')}` },
			'export',
		);
		expect(said).toMatch(/ does not recognize the API key\. Status 401: "no \*\*\*"\./);
		const range = { fromDate: '2000-01-01T00:00:00Z', toDate: '2000-01-01T00:00:01Z' };
		const headers = { authorization: KEY, 'content-type': 'application/json' };
		const sent = { method: 'POST', url: '/export/conversations', body: { ...range, page: 1, limit: 1 } };
		expect(seen[0]).toMatchObject({ ...sent, headers });
	});

	// D2-STATE-07, D2-AUTH-01..03, D2-ERR-18
	test('sends an empty match request, which changes nothing, with the key of appointments', async () => {
		const body = 'Missing some required parameters in the body';
		const { said, seen } = await testAgainst({ status: 400, body }, 'crm');
		expect(said).toBe('OK: Connection successful');
		const headers = { 'x-api-key': KEY };
		expect(seen).toMatchObject([{ method: 'POST', url: '/custom/appointment/match', body: {}, headers }]);
		expect(seen[0].headers.authorization).toBeUndefined();
	});

	test.each<[keyof typeof TESTS, number, string, RegExp]>([
		['export', 200, '<html>"totalConversations</html>', /is not that of this API\. Status 200: a web page/],
		['export', 201, '{"totalConversations":0}', /response is not that of this API/],
		['crm', 200, 'Missing some required parameters in the body', /response is not that of this API/],
		['crm', 400, 'Bad Request', /response is not that of this API/],
	])('of %s says of the response %i "%s" what it means', async (api, status, body, message) => {
		expect((await testAgainst({ status, body }, api)).said).toMatch(message);
	});

	test('follows no redirect with the key', async () => {
		const other = await ScriptedServer.start({ status: 200, body: '{"totalConversations":0}' });
		const { said } = await testAgainst({ status: 307, headers: { location: other.url } }, 'export');
		await other.close();
		expect(said).toMatch(/^Error: The service redirected the request to another address/);
		expect(other.seen).toEqual([]);
	});

	test('names a field that is unusable, and an address where nothing answers or that does not speak HTTPS', async () => {
		// Without a certificate, every handshake ends in an alert.
		const server = createServer().listen(0);
		await once(server, 'listening');
		const withAlert = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const withTls = sandbox.exportUrl.replace('http:', 'https:');
		const at = async (baseUrl: string, apiKey = KEY) => await pressTest('export', { baseUrl, apiKey });
		expect(await pressTest('export')).toMatch(/^Error: The Base URL of the credential is empty\. Enter/);
		const withScheme = await at('https://a.example', 'Bearer x');
		expect(withScheme).toMatch(/^Error: The API Key of .* "Bearer"\. Remove the prefix/);
		expect(await at('http://127.0.0.1:1')).toMatch(/No response came \(ECONNREFUSED\)/);
		expect(await at(withTls)).toMatch(
			/\(EPROTO\)\..* In a private network only, it may start with http:\/\//,
		);
		expect(await at(withAlert)).toMatch(/\(EPROTO\)(?!.*http:\/\/)/);
		server.close();
	});

	// n8n reads the bodies of other statuses than 2xx itself: only the time limit ends them.
	test.each([200, 401])(
		'ends a response with status %i that never does, with its connection',
		async (status) => {
			let closed: Promise<unknown> | undefined;
			const { said } = await testAgainst(async (request, response) => {
				closed = new Promise((resolve) => request.socket.on('close', resolve));
				response.writeHead(status);
				for await (const isOpen of setInterval(20, true)) {
					if (!isOpen || request.socket.destroyed) return;
					response.write(Buffer.alloc(status === 200 ? 10_000 : 1));
				}
			}, 'export');
			await closed;
			expect(said).toMatch(status === 200 ? /not that of this API/ : /did not respond within 15 seconds/);
		},
		// It takes 15 seconds, and more on a busy machine.
		60_000,
	);

	test("says what n8n's SSRF protection says", async () => {
		jest.replaceProperty(Container.get(SsrfProtectionConfig), 'enabled', true);
		const said = await pressTest('export', { baseUrl: 'http://127.0.0.1:1', apiKey: KEY });
		expect(said).toMatch(
			/^Error: The request was blocked because it resolves to a restricted IP .* 127\.0\.0\.1/,
		);
	});

	test('says that this n8n cannot test it, if n8n gives it no way to send a request', async () => {
		const context = { helpers: {} } as ICredentialTestFunctions;
		const data = { baseUrl: 'https://a.example', apiKey: KEY };
		const said = await conversationExportApiTest.call(context, { id: '1', name: 'c', type: 'any', data });
		expect(said.message).toMatch(/^This version of n8n cannot test the credential\. Save it and run a node/);
	});
});
