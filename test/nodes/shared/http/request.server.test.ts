import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setInterval } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { CredentialTestContext } from 'n8n-core';
import type { IDataObject, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { crmAppointmentApiTest } from '../../../../nodes/ConversationIntelligenceAppointments/api';
import { ConversationIntelligenceAppointments } from '../../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { conversationExportApiTest } from '../../../../nodes/shared/exportApi/client';
import { POLICY } from '../../../../nodes/shared/http/policy';
import { startSandbox, type Sandbox } from '../../../../sandbox';
import { scriptedEngine } from '../../../support/engine/fixtures';
import { ScriptedServer, type ScriptedResponse } from '../../../support/scriptedServer';
import { DELETE, runAppointments } from '../../ConversationIntelligenceAppointments/mapping';

const TESTS = { export: conversationExportApiTest, crm: crmAppointmentApiTest };
const KEY = 'the-key-of-the-service';

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
		['export', 'crmUrl', '', 'that of the CRM Appointment API. Enter the Base URL of the Conversation Exp'],
		['crm', 'exportUrl', '', 'that of the Conversation Export API. Enter the Base URL of the CRM App'],
		['crm', 'exportUrl', '/export/users/', 'is that of the Conversation Export API. '],
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
		const { said, seen } = await testAgainst({ status: 401, body: `no ${KEY}` }, 'export');
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
		expect(said).toMatch(/^Error: The service redirected the request elsewhere/);
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
		expect(await at(withTls)).toMatch(/\(EPROTO\)\. Use http:\/\/ instead of https:\/\//);
		expect(await at(withAlert)).toMatch(/\(EPROTO\)(?!.*http:\/\/)/);
		server.close();
	});
});

// n8n's own helper, in whose time limit each byte counts, and which has no limit of size.
describe('A response', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligenceAppointments]);
	const usePolicy = (policy: object) => {
		for (const [name, value] of Object.entries(policy)) {
			jest.replaceProperty(POLICY as unknown as Record<string, unknown>, name, value);
		}
	};
	beforeEach(() => usePolicy({ maxRetries: { failed: 0, refused: 0, timedOut: 0 }, maxResponseMb: 1 }));

	const detailsOf = async (
		response: (response: ServerResponse, socket: ServerResponse['socket']) => void,
	) => {
		server.respond([(request, sent) => response(sent, request.socket)]);
		const { items, error } = await runAppointments(engine, DELETE, [{ id: 'a' }]);
		return error ? error.context?.details : items[0].json;
	};

	test.each<[string, (response: ServerResponse) => void]>([
		['drips its body', (response) => void response.write('.')],
		['drips its headers', (response) => void response.socket?.write('HTTP/1.1 100 Continue\r\n\r\n')],
		['stops in its body', (response) => void (response.headersSent || response.write('.'))],
	])(
		'that %s ends at a time limit, with its connection',
		async (_what, write) => {
			usePolicy({ stalledAfterMs: 1000, drippingAfterMs: 1000 });
			let closed: Promise<unknown> | undefined;
			const details = await detailsOf(async (response, socket) => {
				closed = once(socket!, 'close');
				for await (const isOpen of setInterval(200, true)) {
					if (!isOpen || socket!.destroyed) return;
					write(response);
				}
			});
			expect(details).toMatchObject({ code: 'service_silent', retryable: true });
			await closed;
		},
		15_000,
	);

	test('that keeps coming is read for longer than it may stall', async () => {
		usePolicy({ stalledAfterMs: 1000 });
		const details = await detailsOf(async (response) => {
			let bytes = 0;
			for await (const isOpen of setInterval(200, true)) {
				if (!isOpen || ++bytes > 18) break;
				response.write(' ');
			}
			response.end();
		});
		expect(details).toMatchObject({ deleted: true });
	});

	test.each([
		[2 ** 20, 'as it is', undefined],
		[2 ** 20 + 1, 'as it is', 'response_unreadable'],
		[2 ** 20, 'compressed', undefined],
		[200 * 2 ** 20, 'compressed', 'response_unreadable'],
	])('of %i bytes, %s, is read up to a limit', async (bytes, form, code) => {
		const body = Buffer.alloc(bytes, ' ');
		const details = await detailsOf((response) => {
			const isGzip = form === 'compressed';
			response.writeHead(200, isGzip ? { 'content-encoding': 'gzip' } : {});
			response.end(isGzip ? gzipSync(body) : body);
		});
		expect(details).toMatchObject(code === undefined ? { deleted: true } : { code, status: 200 });
	});
});
