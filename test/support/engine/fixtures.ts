import { startSandbox, type Sandbox } from '../../../sandbox';
import { ScriptedServer } from '../scriptedServer';
import { createEngine, type Engine } from './';
import type { NodeClass } from './host';

/** For a describe block: a server that responds by a script, and an engine with this key for both of its APIs. */
export function scriptedEngine(nodes: NodeClass[], apiKey = 'key-1') {
	const server = new ScriptedServer();
	const engine = {} as Engine;
	beforeAll(async () => {
		await server.listen();
		const credentials = {
			conversationExportApi: { baseUrl: server.url, apiKey },
			crmAppointmentApi: { baseUrl: `${server.url}/crm`, apiKey },
		};
		Object.assign(engine, await createEngine(nodes, credentials));
	});
	afterAll(async () => await server.close());
	return { server, engine };
}

/** For a describe block: the local service, and an engine with its organization's key for both APIs. */
export function sandboxEngine(nodes: NodeClass[], options: Parameters<typeof startSandbox>[0]) {
	const sandbox = {} as Sandbox;
	const engine = {} as Engine;
	beforeAll(async () => {
		const { exportUrl, crmUrl, keys } = Object.assign(sandbox, await startSandbox(options));
		const credentials = {
			conversationExportApi: { baseUrl: exportUrl, apiKey: keys.organization },
			crmAppointmentApi: { baseUrl: crmUrl, apiKey: keys.organization },
		};
		Object.assign(engine, await createEngine(nodes, credentials));
	});
	afterAll(async () => await sandbox.close());
	return { sandbox, engine };
}
