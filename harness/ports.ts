import { createServer } from 'node:net';

import { HarnessProblem } from './problem';

const LOOPBACK = '127.0.0.1';

/** Briefly listens on a loopback port (0 = any) and returns the port. */
async function tryPort(port: number): Promise<number> {
	const server = createServer();
	return await new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, LOOPBACK, () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
		});
	});
}

/** Returns a free port on the loopback address. */
export async function freePort(): Promise<number> {
	return await tryPort(0);
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
		await tryPort(port);
	} catch {
		throw new HarnessProblem(
			`Port ${port} for ${wantedBy} is in use or not allowed. Stop the program that uses it, or choose another port with ${option}.`,
		);
	}
}
