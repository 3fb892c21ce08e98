import type { INodeParameters } from 'n8n-workflow';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { startSandbox, type Sandbox } from '../../sandbox';
import { CREDENTIALS, nodeWorkflow } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS, startTestN8n, type TestN8n } from '../support/n8n';
import { ScriptedServer, type ScriptedResponse } from '../support/scriptedServer';

/** What the editor's Test button shows. */
interface TestResult {
	status: 'OK' | 'Error';
	message: string;
}

describe('Credentials in a real n8n', () => {
	let sandbox: Sandbox;
	let n8n: TestN8n;

	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 10 });
		n8n = await startTestN8n();
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.close();
	}, 60_000);

	const pressTest = async (type: string, data: Record<string, string>) => {
		const id = await n8n.client.saveCredential(type, data);
		return await n8n.client.session.rest<TestResult>('POST', '/credentials/test', {
			credentials: { id, name: `${type} of the playground`, type, data },
		});
	};

	test('the Test button accepts the export key and distinguishes a wrong key from a wrong address', async () => {
		const { exportUrl, url, keys } = sandbox;
		const good = await pressTest('conversationExportApi', { baseUrl: exportUrl, apiKey: keys.organization });
		const badKey = await pressTest('conversationExportApi', { baseUrl: exportUrl, apiKey: 'no-such-key' });
		const badUrl = await pressTest('conversationExportApi', { baseUrl: url, apiKey: keys.organization });

		expect(good).toEqual({ status: 'OK', message: 'Connection successful' });
		expect(badKey).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/recognize the API key/),
		});
		expect(badUrl).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/^The service has nothing at this address/),
		});
	});

	test('the Test button accepts the appointment key without creating or changing anything', async () => {
		const { crmUrl, url, keys } = sandbox;
		const good = await pressTest('crmAppointmentApi', { baseUrl: crmUrl, apiKey: keys.organization });
		const badKey = await pressTest('crmAppointmentApi', { baseUrl: crmUrl, apiKey: 'no-such-key' });
		const badUrl = await pressTest('crmAppointmentApi', { baseUrl: url, apiKey: keys.organization });

		expect(good).toEqual({ status: 'OK', message: 'Connection successful' });
		expect(badKey.status).toBe('Error');
		expect(badKey.message).toMatch(/API Key/);
		expect(badUrl.status).toBe('Error');
		expect(badUrl.message).toMatch(/Base URL/);
		const paths = sandbox.requests.list().map(({ method, path }) => `${method} ${path}`);
		expect(paths).not.toContain('POST /crm/custom/appointment');
	});

	describe('used by HTTP Request', () => {
		const KEY = 'the-key-of-the-service';
		let service: ScriptedServer;
		let other: ScriptedServer;

		beforeAll(async () => {
			service = await ScriptedServer.start();
			other = await ScriptedServer.start();
		});
		beforeEach(() => {
			other.respond([{ status: 200, body: '{}' }]);
			const answer = {
				status: 200,
				body: '{"answer":42}',
				headers: { 'content-type': 'application/json' },
			};
			const redirect = { status: 302, headers: { location: `${other.url}/v1/stolen` } };
			service.respond(({ url }): ScriptedResponse => (url.includes('redirect') ? redirect : answer));
		});
		afterAll(async () => await Promise.all([service.close(), other.close()]));

		/** Requests an address with the credential of a node. */
		const request = async (node: keyof typeof CREDENTIALS, url: string, more: INodeParameters = {}) => {
			const type = CREDENTIALS[node];
			await n8n.client.saveCredential(type, { baseUrl: `${service.url}/v1`, apiKey: KEY });
			const parameters = {
				url,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: type,
				...more,
			};
			const http = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 };
			return await n8n.client.run(await n8n.client.importWorkflow(nodeWorkflow(node, parameters, http)));
		};
		const carriers = ({ seen }: ScriptedServer) =>
			seen.map(({ headers }) => headers.authorization ?? headers['x-api-key'] ?? 'no key');

		test.each(['conversationIntelligence', 'conversationIntelligenceAppointments'] as const)(
			'the key of %s goes to the Base URL alone, whatever the address, a redirect or a proxy',
			async (node) => {
				expect(itemsOf(await request(node, `${service.url}/v1/any`))[0].json).toEqual({ answer: 42 });
				expect(carriers(service)).toEqual([KEY]);

				const proxied = await request(node, `${service.url}/v1/any`, { options: { proxy: other.url } });
				expect(itemsOf(proxied)[0].json).toEqual({ answer: 42 });
				expect(carriers(service)).toEqual([KEY, KEY]);

				expect(errorOf(await request(node, `${service.url}/v1/redirect`))).toMatchObject({ httpCode: '302' });
				const elsewhere = [
					`${other.url}/v1/any`,
					`${other.url.replace('//', `//${service.url.slice(7)}@`)}/v1`,
					`${service.url}/v2/any`,
					`${service.url}/v1/%2e%2e/v2`,
				];
				for (const url of elsewhere) {
					const { message, description } = errorOf(await request(node, url))!;
					expect(`${message} ${description}`).toMatch(
						/The API Key of the credential is not sent to http:.* It goes only to the credential's Base URL/,
					);
				}
				expect(carriers(service)).toEqual([KEY, KEY, KEY]);
				expect(other.seen).toEqual([]);
			},
			60_000,
		);
	});
});
