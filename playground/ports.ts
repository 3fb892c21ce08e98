import { createServer } from 'node:net';

import { PlaygroundProblem } from './problem';

const LOOPBACK = '127.0.0.1';

/** Listens on a port of the loopback address (0 = any), closes again and returns the port that it got. */
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

/** Returns a port of the loopback address that nothing listens on. */
export async function freePort(): Promise<number> {
	return await tryPort(0);
}

/**
 * Checks that a port is free before anything slow begins.
 *
 * @param port - the port to listen on; 0 means any and always passes
 * @param wantedBy - who wants it, for the message, e.g. `n8n`
 * @param option - the option that chooses another one, e.g. `--port`
 * @throws {PlaygroundProblem} when something listens there or the port may not be used
 */
export async function requireFreePort(port: number, wantedBy: string, option: string): Promise<void> {
	try {
		await tryPort(port);
	} catch {
		throw new PlaygroundProblem(
			`Port ${port}, which ${wantedBy} wants, is in use or not allowed. Stop what listens there, or choose another with ${option}.`,
		);
	}
}
