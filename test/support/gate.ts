import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Simulates long work: `GET /<key>` returns the key, immediately or when the test opens the gate. */
export interface Gate {
	url: string;
	/** Holds matching keys until the gate is opened. */
	hold(isHeld: (key: string) => boolean): void;
	open(): void;
	/** Resolves once the gate holds `count` keys. */
	holds(count: number): Promise<void>;
	close(): Promise<void>;
}

/** Starts an open gate on a free port. */
export async function startGate(): Promise<Gate> {
	let isHeld: (key: string) => boolean = () => false;
	const held = new Map<string, ServerResponse>();
	const waiting: Array<{ count: number; resolve: () => void }> = [];
	const respond = (key: string, response: ServerResponse) =>
		response.setHeader('content-type', 'application/json').end(JSON.stringify({ dedupeKey: key }));
	const server = createServer((request, response) => {
		const key = decodeURIComponent((request.url ?? '/').slice(1));
		if (!isHeld(key)) return void respond(key, response);
		held.set(key, response);
		for (const { count, resolve } of waiting) if (held.size >= count) resolve();
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		hold: (which) => (isHeld = which),
		open: () => {
			isHeld = () => false;
			for (const [key, response] of held) respond(key, response);
			held.clear();
		},
		holds: async (count) =>
			await new Promise((resolve) => (held.size >= count ? resolve() : waiting.push({ count, resolve }))),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
