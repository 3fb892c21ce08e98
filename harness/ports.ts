import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { HarnessProblem } from './problem';

/** Returns a free port on the loopback address: this one, or any. @throws the system's error when it is in use */
export async function freePort(wanted = 0): Promise<number> {
	const server = createServer();
	await once(server.listen(wanted, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/**
 * Checks that a port is free, before anything slow starts.
 *
 * @param port - 0 means any and always passes
 * @param wantedBy - who needs the port, e.g. `n8n`
 * @param option - the option that sets another port, e.g. `--port`
 * @throws {HarnessProblem} when the port is in use or not allowed
 */
export async function requireFreePort(port: number, wantedBy: string, option: string): Promise<void> {
	try {
		await freePort(port);
	} catch {
		throw new HarnessProblem(
			`Port ${port} for ${wantedBy} is in use or not allowed. Stop the program that uses it, or choose another port with ${option}.`,
		);
	}
}
