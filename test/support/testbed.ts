import { saveSandboxCredentials } from '../../playground/credentials';
import { startSandbox, type Sandbox } from '../../sandbox';
import { startTestN8n, type TestN8n } from './n8n';

/** A local service and a real n8n that has its keys. */
export interface Testbed {
	sandbox: Sandbox;
	n8n: TestN8n;
	/** Ends both. */
	stop(): Promise<void>;
}

/**
 * Starts what most end-to-end tests need; one for a whole test file, see {@link startTestN8n}. A start that fails leaves
 * nothing behind.
 *
 * @param service how the local service is filled and behaves
 * @param n8nOptions environment and port of n8n
 */
export async function startTestbed(
	service: Parameters<typeof startSandbox>[0] = {},
	n8nOptions: Parameters<typeof startTestN8n>[0] = {},
): Promise<Testbed> {
	const sandbox = await startSandbox(service);
	try {
		const n8n = await startTestN8n(n8nOptions);
		const stop = async () => {
			try {
				await n8n.stop();
			} finally {
				await sandbox.close();
			}
		};
		await saveSandboxCredentials(n8n.client, sandbox).catch(async (error: unknown) => {
			await n8n.stop();
			throw error;
		});
		return { sandbox, n8n, stop };
	} catch (error) {
		await sandbox.close();
		throw error;
	}
}
