import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunction, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { ConversationIntelligenceAppointments } from '../../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { startSandbox, type Sandbox } from '../../../../sandbox';
import { createEngine, type Engine } from '../../../support/engine';
import { ScriptedServer, type ScriptedResponse } from '../../../support/scriptedServer';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox({ conversations: 10 });
	engine = await createEngine([ConversationIntelligence, ConversationIntelligenceAppointments]);
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.requests.reset());

/** Presses a credential's Test button. */
async function pressTest(type: string, data: Record<string, string>) {
	const node =
		type === 'crmAppointmentApi' ? 'conversationIntelligenceAppointments' : 'conversationIntelligence';
	const test = engine.nodeType(node).methods?.credentialTest?.[`${type}Test`] as ICredentialTestFunction;
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	return await test.call(context, { id: '1', name: 'c', type, data });
}

/** Presses it at a server that gives this response. */
async function testAgainst(response: ScriptedResponse, type: string, data: Record<string, string> = {}) {
	const server = await ScriptedServer.start(response);
	const result = await pressTest(type, { baseUrl: server.url, apiKey: 'the-key', ...data });
	await server.close();
	return { ...result, seen: server.seen };
}

describe('the test of the Conversation Export API credential', () => {
	const TYPE = 'conversationExportApi';

	test('accepts a good key and address with one request that reads nothing', async () => {
		const data = { baseUrl: `${sandbox.exportUrl}/`, apiKey: ` ${sandbox.keys.organization} ` };
		expect(await pressTest(TYPE, data)).toEqual({ status: 'OK', message: 'Connection successful' });
		expect(sandbox.requests.list()).toMatchObject([{ status: 200, path: '/data/export/conversations' }]);
	});

	// D1-AUTH-04
	test('says that the key is unknown, without showing it', async () => {
		const data = { baseUrl: sandbox.exportUrl, apiKey: 'no-such-key' };
		expect(await pressTest(TYPE, data)).toEqual({
			status: 'Error',
			message:
				'The service does not recognize the API Key (status 401). Paste the raw key again, without "Bearer" and without spaces.',
		});
	});

	// D1-AUTH-01
	test.each([
		[
			{ apiKey: 'Bearer the-key' },
			'The API Key of the credential starts with "Bearer". Remove the prefix and save the credential again: the service takes the raw key.',
		],
		[
			{ baseUrl: '' },
			'The Base URL of the credential is empty. Enter the address of the service, e.g. https://api.example.com.',
		],
	])('refuses %j before any request', async (data, message) => {
		const { seen, ...result } = await testAgainst({ status: 200 }, TYPE, data);
		expect(result).toEqual({ status: 'Error', message });
		expect(seen).toEqual([]);
	});

	test.each(['/export/conversations', '/export'])(
		'says which part of a pasted endpoint to leave out: %s',
		async (pasted) => {
			const data = { baseUrl: `${sandbox.exportUrl}${pasted}/`, apiKey: sandbox.keys.organization };
			expect(await pressTest(TYPE, data)).toEqual({
				status: 'Error',
				message: `No Conversation Export API answers at the Base URL (status 404). Leave out ${pasted}.`,
			});
		},
	);

	test('suggests http:// for an https address whose port does not speak HTTPS', async () => {
		const baseUrl = sandbox.exportUrl.replace('http:', 'https:');
		expect(await pressTest(TYPE, { baseUrl, apiKey: 'the-key' })).toEqual({
			status: 'Error',
			message: 'The Base URL cannot be reached (EPROTO). Try http:// instead of https://.',
		});
	});

	test('does not suggest http:// for a host that speaks HTTPS and refuses the handshake', async () => {
		// Without a certificate, every handshake ends in an alert.
		const server = createServer().listen(0);
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const result = await pressTest(TYPE, { baseUrl: `https://127.0.0.1:${port}`, apiKey: 'the-key' });
		server.close();
		expect(result).toEqual({
			status: 'Error',
			message: 'The Base URL cannot be reached (EPROTO). Check the address.',
		});
	});

	test('shows the error code of an address where nothing answers', async () => {
		expect(await pressTest(TYPE, { baseUrl: 'http://127.0.0.1:1', apiKey: 'the-key' })).toEqual({
			status: 'Error',
			message: 'The Base URL cannot be reached (ECONNREFUSED). Check the address.',
		});
	});

	test.each<[string, ScriptedResponse, RegExp]>([
		['a web page', { status: 200, body: '<html>Welcome</html>' }, /^No Conversation Export API .* 200\)/],
		['a service that is down', { status: 503 }, /^The service cannot answer right now \(status 503\)/],
	])('does not blame the key for %s', async (_what, response, message) => {
		const { status, message: shown } = await testAgainst(response, TYPE);
		expect({ status, shown }).toEqual({ status: 'Error', shown: expect.stringMatching(message) });
	});

	test('does not send the key to the target of a redirect', async () => {
		const other = await ScriptedServer.start({ status: 200, body: '{"totalConversations":0}' });
		const { status } = await testAgainst({ status: 307, headers: { location: other.url } }, TYPE);
		await other.close();
		expect(status).toBe('Error');
		expect(other.seen).toEqual([]);
	});
});

describe('the test of the CRM Appointment API credential', () => {
	const TYPE = 'crmAppointmentApi';

	// D2-BODY-06
	test("accepts the match endpoint's response to an empty body, which changes nothing", async () => {
		const data = { baseUrl: `${sandbox.crmUrl}/`, apiKey: ` ${sandbox.keys.organization} ` };
		expect(await pressTest(TYPE, data)).toEqual({ status: 'OK', message: 'Connection successful' });
		const { seen } = await testAgainst({ status: 400 }, TYPE);
		expect(seen).toMatchObject([
			{ method: 'POST', url: '/custom/appointment/match', body: {}, headers: { 'x-api-key': 'the-key' } },
		]);
		expect(seen[0].headers.authorization).toBeUndefined();
	});

	test.each<[string, ScriptedResponse, RegExp]>([
		['an unknown key', { status: 403, body: 'Forbidden' }, /does not recognize the API Key \(status 403\)/],
		['a key without an organization', { status: 422 }, /not mapped to an active organization/],
		['another address', { status: 404, body: '{"message":"No matching route"}' }, /Check the address\.$/],
		['another 400', { status: 400, body: 'Bad Request' }, /^No CRM Appointment API answers/],
		['a web page', { status: 200, body: '<html></html>' }, /^No CRM Appointment API answers/],
		['a busy service', { status: 429 }, /Try the test again later/],
	])('says what is wrong with %s', async (_what, response, message) => {
		const { status, message: shown } = await testAgainst(response, TYPE);
		expect({ status, shown }).toEqual({ status: 'Error', shown: expect.stringMatching(message) });
	});

	test('says which part of a pasted endpoint to leave out', async () => {
		const baseUrl = `${sandbox.crmUrl}/custom/appointment`;
		const { message } = await pressTest(TYPE, { baseUrl, apiKey: sandbox.keys.organization });
		expect(message).toMatch(/ Leave out \/custom\/appointment\.$/);
	});
});
