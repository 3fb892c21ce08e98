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
	/** Refuses writes of these keys with status 500; by default none. */
	refuse(isRefused: (key: string) => boolean): void;
	/** Resolves once this many keys have been written. */
	reaches(keys: number): Promise<void>;
	/** Resolves once this many writes have been received, including repeats. */
	takes(count: number): Promise<void>;
	close(): Promise<void>;
}

/** Starts a sink on a free port. */
export async function startSink(): Promise<Sink> {
	const writes = new Map<string, number>();
	const sizes = new Map<string, number>();
	let isRefused: (key: string) => boolean = () => false;
	let count = 0;
	const waiting: Array<{ isDone: () => boolean; resolve: () => void }> = [];
	const until = async (isDone: () => boolean) =>
		await new Promise<void>((resolve) => (isDone() ? resolve() : waiting.push({ isDone, resolve })));
	const server = createServer((request, response) => {
		const key = decodeURIComponent((request.url ?? '/').slice(1));
		if (isRefused(key)) return void response.writeHead(500).end();
		let size = 0;
		request.on('data', (chunk: Buffer) => (size += chunk.length));
		request.on('end', () => {
			sizes.set(key, size);
			writes.set(key, (writes.get(key) ?? 0) + 1);
			count++;
			response.end('{}');
			for (const { isDone, resolve } of waiting) if (isDone()) resolve();
		});
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		writes,
		sizes,
		refuse: (which) => (isRefused = which),
		reaches: async (keys) => await until(() => writes.size >= keys),
		takes: async (wanted) => await until(() => count >= wanted),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
