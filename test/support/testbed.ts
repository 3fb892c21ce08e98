import { saveSandboxCredentials } from '../../harness/credentials';
import { startSandbox, type Sandbox } from '../../sandbox';
import { startTestN8n, type TestN8n } from './n8n';

/** A sandbox and a real n8n with its credentials. */
export interface Testbed {
	sandbox: Sandbox;
	n8n: TestN8n;
	/** Stops both. */
	stop(): Promise<void>;
}

/**
 * Starts a sandbox and n8n for an end-to-end test file, see {@link startTestN8n}. A failed start leaves
 * nothing running.
 *
 * @param service options of the sandbox
 * @param n8nOptions options of n8n, such as its environment and port
 */
export async function startTestbed(
	service: Parameters<typeof startSandbox>[0] = {},
	n8nOptions: Parameters<typeof startTestN8n>[0] = {},
): Promise<Testbed> {
	const sandbox = await startSandbox(service);
	let n8n: TestN8n | undefined;
	const stop = async () => {
		try {
			await n8n?.stop();
		} finally {
			await sandbox.close();
		}
	};
	try {
		n8n = await startTestN8n(n8nOptions);
		await saveSandboxCredentials(n8n.client, sandbox);
		return { sandbox, n8n, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
