import { startSandbox, type Sandbox } from '../../sandbox';
import { N8N_START_LIMIT_MS, startTestN8n, type TestN8n } from '../support/n8n';

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
			message: expect.stringMatching(/recognize the API Key/),
		});
		expect(badUrl).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/^No Conversation Export API answers at the Base URL/),
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
});
