import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackage, packPackage } from '../../playground/n8n/package';
import { startN8n, type RunningN8n } from '../../playground/n8n/start';
import { startSandbox, type Sandbox } from '../../sandbox';

/** What the editor's Test button shows. */
interface TestResult {
	status: 'OK' | 'Error';
	message: string;
}

describe('Credentials in a real n8n', () => {
	const userFolder = mkdtempSync(join(tmpdir(), 'credentials-e2e-'));
	let sandbox: Sandbox;
	let n8n: RunningN8n;

	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 10 });
		installPackage(userFolder, await packPackage(userFolder, console.log));
		n8n = await startN8n({ userFolder, report: console.log });
	}, 900_000);
	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.close();
		rmSync(userFolder, { recursive: true, force: true });
	});

	const pressTest = async (type: string, data: Record<string, string>) => {
		const id = await n8n.client.saveCredential(type, data);
		return await n8n.client.session.rest<TestResult>('POST', '/credentials/test', {
			credentials: { id, name: `${type} of the playground`, type, data },
		});
	};

	test('the Test button accepts the export key and tells a wrong key from a wrong address', async () => {
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
			message: expect.stringMatching(/^The Base URL does not lead/),
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
