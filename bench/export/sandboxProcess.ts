import { join } from 'node:path';
import { freePort } from '../../playground/ports';
import { Service } from '../../playground/processes/service';
import type { Sandbox } from '../../sandbox';

type State = Pick<Sandbox, 'url' | 'exportUrl' | 'crmUrl' | 'keys'>;

export interface SandboxProcess extends State {
	/** Delays every answer of the export API; 0 takes the delay away. */
	setLatency(milliseconds: number): Promise<void>;
	resetRequests(): Promise<void>;
	/** Requests to the export API since the last reset. */
	countRequests(): Promise<number>;
	stop(): Promise<void>;
}

/** Runs the sandbox in a process of its own, so that it does not take the time of what is measured. */
export async function startSandboxProcess(folder: string, conversations: number): Promise<SandboxProcess> {
	const port = await freePort();
	const service = await Service.start({
		name: 'The sandbox',
		command: process.execPath,
		args: [
			...['--import', 'tsx', join(__dirname, '..', '..', 'sandbox', 'cli.ts')],
			...['--port', String(port), '--mediaPort', '0', '--conversations', String(conversations)],
		],
		cwd: join(__dirname, '..', '..'),
		env: process.env,
		logFile: join(folder, 'sandbox.log'),
	});
	const control = async (method: string, path: string, body?: object) => {
		const response = await fetch(`http://127.0.0.1:${port}/control${path}`, {
			method,
			...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
		});
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
		return JSON.parse(await response.text());
	};
	await service.waitUntil(async () => Boolean(await control('GET', '/state')), 60);
	const state: State = await control('GET', '/state');
	return {
		...state,
		async setLatency(milliseconds) {
			await control('DELETE', '/faults');
			if (milliseconds > 0)
				await control('POST', '/faults', { kind: 'latency', path: '/data/', milliseconds });
		},
		resetRequests: async () => void (await control('DELETE', '/requests')),
		countRequests: async () => ((await control('GET', '/requests?path=/data/')) as { count: number }).count,
		stop: async () => await service.stop(),
	};
}
