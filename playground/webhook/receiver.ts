import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One delivery as it came over the wire. */
export interface Delivered {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	/** Names as they were sent, in lower case, repeats included. */
	headerNames: string[];
	/** The raw bytes of the body. */
	raw: Buffer;
	/** The body as a receiver would read it, whatever JSON came; null without a body. */
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	json: any;
}

/** How the endpoint answers; nothing at all when it never ends the response. */
export type Responder = (response: ServerResponse, delivered: Delivered) => unknown;

/** Answers with a status and no body. */
export const status =
	(code: number, headers: Record<string, string> = {}): Responder =>
	(response) =>
		response.writeHead(code, headers).end();

/** Starts the endpoint of a subscriber on a free port; it answers 200 unless told otherwise. */
export async function startReceiver(responder?: Responder): Promise<Receiver> {
	const receiver = new Receiver(responder);
	await receiver.listen();
	return receiver;
}

/** The endpoint of a subscriber, which keeps what was delivered; see {@link startReceiver}. */
export class Receiver {
	/** Without a trailing slash; any path below it is taken. */
	url = '';
	received: Delivered[] = [];
	/** Most requests that were under way at the same time. */
	mostAtOnce = 0;
	connections = 0;
	private atOnce = 0;
	private waiting: Array<{ count: number; resolve: (received: Delivered[]) => void }> = [];
	private readonly server = createServer((request, response) => void this.take(request, response));

	constructor(private responder: Responder = status(200)) {}

	async listen(): Promise<void> {
		this.server.on('connection', () => this.connections++);
		await once(this.server.listen(0, '127.0.0.1'), 'listening');
		this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	/** Answers with this from now on. */
	answer(responder: Responder): void {
		this.responder = responder;
	}

	/** Forgets what came and answers 200 again. */
	reset(): void {
		this.answer(status(200));
		this.received = [];
		this.waiting = [];
	}

	/** Resolves with all of them once so many deliveries were answered or left hanging. */
	async got(count: number): Promise<Delivered[]> {
		if (this.received.length >= count) return this.received;
		return await new Promise((resolve) => this.waiting.push({ count, resolve }));
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}

	private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
		this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
		response.on('close', () => this.atOnce--);
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const raw = Buffer.concat(chunks);
		const { method = '', url: path = '', headers, rawHeaders } = request;
		const headerNames = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
		const json: unknown = raw.length > 0 ? JSON.parse(raw.toString()) : null;
		const delivered = { method, path, headers, headerNames, raw, json };
		this.received.push(delivered);
		await this.responder(response, delivered);
		const isDone = ({ count }: { count: number }) => this.received.length >= count;
		for (const { resolve } of this.waiting.filter(isDone)) resolve(this.received);
		this.waiting = this.waiting.filter((one) => !isDone(one));
	}
}
