import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../harness/ports';
import { Service } from '../harness/processes/service';
import type { Sandbox } from '../sandbox';
import type { SandboxOptions } from '../sandbox/options';

type State = Pick<Sandbox, 'url' | 'exportUrl' | 'crmUrl' | 'keys'>;

export interface SandboxProcess extends State {
	pid: number;
	/** Delays every response of the export API; 0 removes the delay. */
	setLatency(milliseconds: number): Promise<void>;
	resetRequests(): Promise<void>;
	/** Requests to the export API since the last reset. */
	countRequests(): Promise<number>;
	stop(): Promise<void>;
}

/**
 * Runs the sandbox in its own process, so that it does not slow down what is measured.
 *
 * @param options of the sandbox
 */
export async function startSandboxProcess(options: Partial<SandboxOptions>): Promise<SandboxProcess> {
	const root = join(__dirname, '..');
	const folder = mkdtempSync(join(tmpdir(), 'bench-sandbox-'));
	const removeFolder = () => rmSync(folder, { recursive: true, force: true });
	const port = await freePort();
	const given = Object.entries({ ...options, port }).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const args = ['--import', 'tsx', join(root, 'sandbox', 'cli.ts'), ...given];
	const service = await Service.start({
		name: 'The sandbox',
		command: process.execPath,
		args,
		cwd: root,
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
	// A million conversations take a while to generate.
	await service
		.waitUntil(async () => Boolean(await control('GET', '/state')), 120)
		.catch((error: unknown) => {
			removeFolder();
			throw error;
		});
	const state: State = await control('GET', '/state');
	return {
		...state,
		pid: service.pid,
		async setLatency(milliseconds) {
			await control('DELETE', '/faults');
			if (milliseconds > 0)
				await control('POST', '/faults', { kind: 'latency', path: '/data/', milliseconds });
		},
		resetRequests: async () => void (await control('DELETE', '/requests')),
		countRequests: async () => ((await control('GET', '/requests?path=/data/')) as { count: number }).count,
		async stop() {
			await service.stop();
			removeFolder();
		},
	};
}
