import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CredentialTestContext } from 'n8n-core';
import type { IDataObject, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { crmAppointmentApiTest } from '../../../../nodes/ConversationIntelligenceAppointments/api';
import { conversationExportApiTest } from '../../../../nodes/shared/exportApi/client';
import { startSandbox, type Sandbox } from '../../../../sandbox';
import { ScriptedServer, type ScriptedResponse } from '../../../support/scriptedServer';

const TESTS = { export: conversationExportApiTest, crm: crmAppointmentApiTest };
const KEY = 'the-key-of-the-service';
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
	const result = await pressTest(api, { baseUrl: server.url, apiKey: ` ${KEY}\n`, ...data });
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
			const { status, message } = await pressTest(api, { baseUrl, apiKey: KEY });
			expect(status).toBe('Error');
			expect(message).not.toContain(KEY);
		}
	});

	// D1-AUTH-04
	test('reads a second of the year 2000 with the key of the export', async () => {
		const { result, seen } = await testAgainst({ status: 401, body: `no ${KEY}` }, 'export');
		expect(result).toEqual(
			refused(/^The service does not recognize the API key\. Status 401: "no \*\*\*"\./),
		);
		const range = { fromDate: '2000-01-01T00:00:00Z', toDate: '2000-01-01T00:00:01Z' };
		expect(seen).toMatchObject([
			{ method: 'POST', url: '/export/conversations', body: { ...range, page: 1, limit: 1 } },
		]);
		expect(seen[0].headers).toMatchObject({ authorization: KEY, 'content-type': 'application/json' });
	});

	// D2-STATE-07, D2-AUTH-01..03, D2-ERR-18
	test('sends an empty match request, which changes nothing, with the key of appointments', async () => {
		const body = 'Missing some required parameters in the body';
		const { result, seen } = await testAgainst({ status: 400, body }, 'crm');
		expect(result).toEqual(OK);
		expect(seen).toMatchObject([{ method: 'POST', url: '/custom/appointment/match', body: {} }]);
		expect(seen[0].headers).toMatchObject({ 'x-api-key': KEY });
		expect(seen[0].headers.authorization).toBeUndefined();
	});

	test.each<[IDataObject | undefined, RegExp]>([
		[{ baseUrl: 'https://a.example', apiKey: 'Bearer x' }, /^The API Key of .* "Bearer"\. Remove the prefix/],
		[undefined, /^The Base URL of the credential is empty\. Enter/],
	])('refuses %j by its field before any request', async (data, message) => {
		expect(await pressTest('export', data)).toEqual(refused(message));
	});

	test.each<[keyof typeof TESTS, number, string, RegExp]>([
		[
			'export',
			200,
			'<html>"totalConversations</html>',
			/response is not that of this API\. Status 200: a web/,
		],
		['export', 201, '{"totalConversations":0}', /response is not that of this API/],
		['crm', 200, 'Missing some required parameters in the body', /response is not that of this API/],
		['crm', 400, 'Bad Request', /response is not that of this API/],
		['crm', 403, 'Forbidden', /^The service refuses the API key/],
		['crm', 422, '', /Check that the API key belongs to an active organization/],
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

	test('follows no redirect with the key', async () => {
		const other = await ScriptedServer.start({ status: 200, body: '{"totalConversations":0}' });
		const { result } = await testAgainst({ status: 307, headers: { location: other.url } }, 'export');
		await other.close();
		expect(result).toEqual(refused(/^The service redirected the request elsewhere/));
		expect(other.seen).toEqual([]);
	});

	test('names an address where nothing answers, and one that does not speak HTTPS', async () => {
		const pressAt = async (baseUrl: string) => await pressTest('export', { baseUrl, apiKey: KEY });
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
