import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A target for a workflow's idempotent writes: `PUT /<key>`. */
export interface Sink {
	url: string;
	/** The number of writes by key. */
	readonly writes: ReadonlyMap<string, number>;
	/** Size of the last body by key, in bytes. */
	readonly sizes: ReadonlyMap<string, number>;
	/** Resolves once this many keys have been written. */
	reaches(keys: number): Promise<void>;
	close(): Promise<void>;
}

/** Starts a sink on a free port. */
export async function startSink(): Promise<Sink> {
	const writes = new Map<string, number>();
	const sizes = new Map<string, number>();
	const waiting: Array<{ keys: number; resolve: () => void }> = [];
	const server = createServer((request, response) => {
		const key = decodeURIComponent((request.url ?? '/').slice(1));
		let size = 0;
		request.on('data', (chunk: Buffer) => (size += chunk.length));
		request.on('end', () => {
			sizes.set(key, size);
			writes.set(key, (writes.get(key) ?? 0) + 1);
			response.end('{}');
			for (const { keys, resolve } of waiting) if (writes.size >= keys) resolve();
		});
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		writes,
		sizes,
		reaches: async (keys) =>
			await new Promise((resolve) => (writes.size >= keys ? resolve() : waiting.push({ keys, resolve }))),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
