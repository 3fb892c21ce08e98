import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';

/** One delivery as it came over the wire. */
export interface Received {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	raw: Buffer;
	// The tests read the envelope as a receiver would: whatever JSON came.
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	json: any;
}

export interface Receiver {
	url: string;
	received: Received[];
	/** Most requests that were under way at the same time. */
	mostAtOnce: number;
	connections: number;
	/** Resolves once so many requests were answered or left hanging. */
	got(count: number): Promise<void>;
	close(): Promise<void>;
}

export type Answer = (
	response: ServerResponse,
	request: IncomingMessage,
	delivery: Received,
) => void | Promise<void>;

const readAll = async (request: IncomingMessage) => {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
};

/** An endpoint of a subscriber; answers 200 unless told otherwise. */
export async function startReceiver(answer: Answer = (response) => void response.end()): Promise<Receiver> {
	let atOnce = 0;
	const waiting: Array<{ count: number; resolve: () => void }> = [];
	const server = createServer((request, response) => {
		receiver.mostAtOnce = Math.max(receiver.mostAtOnce, ++atOnce);
		response.on('close', () => atOnce--);
		void (async () => {
			const raw = await readAll(request);
			const { method = '', url: path = '', headers } = request;
			const delivery = {
				method,
				path,
				headers,
				raw,
				json: raw.length > 0 ? JSON.parse(raw.toString()) : null,
			};
			receiver.received.push(delivery);
			await answer(response, request, delivery);
			for (const { count, resolve } of waiting) if (receiver.received.length >= count) resolve();
		})();
	});
	server.on('connection', () => receiver.connections++);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const receiver: Receiver = {
		url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook`,
		received: [],
		mostAtOnce: 0,
		connections: 0,
		got: (count) =>
			new Promise((resolve) => {
				waiting.push({ count, resolve });
				if (receiver.received.length >= count) resolve();
			}),
		close: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
	return receiver;
}
