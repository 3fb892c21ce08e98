import { startSandbox } from '../sandbox';
import { saveSandboxCredentials } from './credentials';
import { startTestN8n, type TestN8n } from './n8n/fresh';

/** A sandbox in this process, which is idle while n8n runs, and a real n8n with its credentials. */
export type Testbed = Awaited<ReturnType<typeof startTestbed>>;

/** Starts a sandbox and n8n, see {@link startTestN8n}. A failed start leaves nothing running. */
export async function startTestbed(
	service: Parameters<typeof startSandbox>[0] = {},
	n8nOptions: Parameters<typeof startTestN8n>[0] = {},
) {
	const sandbox = await startSandbox(service);
	let n8n: TestN8n | undefined;
	const saveCredentials = async () => await saveSandboxCredentials(n8n!.client, sandbox);
	const stop = async () => {
		try {
			await n8n?.stop();
		} finally {
			await sandbox.close();
		}
	};
	try {
		n8n = await startTestN8n(n8nOptions);
		await saveCredentials();
	} catch (error) {
		await stop();
		throw error;
	}
	/** Starts n8n again after it was killed. */
	const restart = async () => await n8n.restart().then(saveCredentials);
	return { sandbox, n8n, restart, stop };
}
