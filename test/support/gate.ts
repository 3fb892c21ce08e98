import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Long work that a test ends: `GET /<key>` is answered with the key, at once unless the gate holds it. */
export interface Gate {
	url: string;
	/** Holds from now on, until the gate is opened, the keys for which this is true. */
	hold(isHeld: (key: string) => boolean): void;
	open(): void;
	/** Resolves once so many keys wait at the gate. */
	holds(count: number): Promise<void>;
	close(): Promise<void>;
}

/** Starts an open gate on a free port. */
export async function startGate(): Promise<Gate> {
	let isHeld: (key: string) => boolean = () => false;
	const held = new Map<string, ServerResponse>();
	const waiting: Array<{ count: number; resolve: () => void }> = [];
	const answer = (key: string, response: ServerResponse) =>
		response.setHeader('content-type', 'application/json').end(JSON.stringify({ dedupeKey: key }));
	const server = createServer((request, response) => {
		const key = decodeURIComponent((request.url ?? '/').slice(1));
		if (!isHeld(key)) return void answer(key, response);
		held.set(key, response);
		for (const { count, resolve } of waiting) if (held.size >= count) resolve();
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		hold: (which) => (isHeld = which),
		open: () => {
			isHeld = () => false;
			for (const [key, response] of held) answer(key, response);
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
