import { startTestbed, type Testbed } from '../../harness/testbed';
import type { Sandbox } from '../../sandbox';
import { N8N_START_LIMIT_MS, type TestN8n } from './n8n';

/** For a test file: a testbed from before its first test until after its last, see {@link startTestbed}. */
export function useTestbed(...options: Parameters<typeof startTestbed>): Omit<Testbed, 'stop'> {
	const sandbox = {} as Sandbox;
	const n8n = {} as TestN8n;
	let testbed: Testbed | undefined;
	beforeAll(async () => {
		testbed = await startTestbed(...options);
		Object.assign(sandbox, testbed.sandbox);
		Object.setPrototypeOf(n8n, testbed.n8n);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await testbed?.stop(), 60_000);
	return { sandbox, n8n, restart: async () => await testbed!.restart() };
}
