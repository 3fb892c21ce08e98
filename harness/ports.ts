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

/** Checks that a port is free, before anything slow starts. */
export async function requireFreePort(port: number, wantedBy: string, option: string): Promise<void> {
	try {
		await freePort(port);
	} catch {
		throw new HarnessProblem(
			`Port ${port} for ${wantedBy} is in use or not allowed. Stop the program that uses it, or choose another port with ${option}.`,
		);
	}
}
