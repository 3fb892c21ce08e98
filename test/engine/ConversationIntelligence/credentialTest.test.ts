import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunction, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { createEngine } from '../../support/engine';
import { ScriptedServer } from '../../support/scriptedServer';

describe('Conversation Export API: the credential test', () => {
	let sandbox: Sandbox;
	let run: (data: Record<string, string>) => Promise<{ status: string; message: string }>;

	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 10 });
		const engine = await createEngine();
		const methods = engine.nodeType('conversationIntelligence').methods?.credentialTest ?? {};
		const test = methods.conversationExportApiTest as ICredentialTestFunction;
		const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
		run = async (data) =>
			await test.call(context, { id: '1', name: 'c', type: 'conversationExportApi', data });
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.requests.reset());

	test('accepts a good key and address with one request that reads nothing', async () => {
		const result = await run({ baseUrl: `${sandbox.exportUrl}/`, apiKey: ` ${sandbox.keys.organization} ` });

		expect(result).toEqual({ status: 'OK', message: 'Connection successful' });
		expect(sandbox.requests.list()).toHaveLength(1);
		expect(sandbox.requests.list()[0]).toMatchObject({ status: 200 });
	});

	test('[D1-AUTH-04] names a wrong key, without showing it', async () => {
		const result = await run({ baseUrl: sandbox.exportUrl, apiKey: 'wrong-key' });

		expect(result.status).toBe('Error');
		expect(result.message).toMatch(/does not recognize the API Key \(status 401\)/);
		expect(result.message).not.toContain('wrong-key');
	});

	test('[D1-AUTH-01] names a Bearer prefix before any request', async () => {
		const result = await run({ baseUrl: sandbox.exportUrl, apiKey: `Bearer ${sandbox.keys.organization}` });

		expect(result.message).toMatch(/starts with "Bearer"/);
		expect(sandbox.requests.list()).toHaveLength(0);
	});

	test('names an address that leads elsewhere', async () => {
		const server = await ScriptedServer.start({ status: 200, body: '<html>Welcome</html>' });
		const page = await run({ baseUrl: server.url, apiKey: 'k' });
		await server.close();
		const wrongPath = await run({ baseUrl: `${sandbox.url}/nowhere`, apiKey: 'k' });
		const gone = await run({ baseUrl: server.url, apiKey: 'k' });
		const none = await run({ baseUrl: '', apiKey: 'k' });

		expect(page.message).toMatch(/Base URL does not lead to the Data Export API \(status 200\)/);
		expect(wrongPath.message).toMatch(/Base URL does not lead to the Data Export API \(status 404\)/);
		expect(gone.message).toMatch(/Base URL cannot be reached \(ECONNREFUSED\)/);
		expect(none.message).toMatch(/Base URL of the credential is empty/);
	});

	test('a service that is down is not blamed on the key', async () => {
		const server = await ScriptedServer.start({ status: 503 });
		const result = await run({ baseUrl: server.url, apiKey: 'k' });
		await server.close();

		expect(result.message).toMatch(/cannot answer right now \(status 503\)/);
	});
});
