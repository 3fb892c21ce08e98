import { startTestbed, type Testbed } from '../../harness/testbed';
import type { RecordingServer } from '../../harness/webhook/receiver';
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

/** For a test file or a describe block: new servers for each test, at addresses of their own. */
export function useServers<Servers extends RecordingServer[]>(...servers: Servers): Servers {
	beforeEach(async () => void (await Promise.all(servers.map(async (server) => await server.listen()))));
	afterEach(async () => void (await Promise.all(servers.map(async (server) => await server.close()))));
	return servers;
}
