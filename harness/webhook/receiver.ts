import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery as received. */
export interface Delivered {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	/** All header names in lower case, including repeats. */
	headerNames: string[];
	/** The body's bytes. */
	raw: Buffer;
	/** The parsed body; null without a body. */
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	json: any;
}

/** Responds to a delivery, or leaves it hanging by not ending the response. */
export type Responder = (response: ServerResponse, delivered: Delivered) => unknown;

/** Responds with a status and no body. */
export const status =
	(code: number, headers: Record<string, string> = {}): Responder =>
	(response) =>
		response.writeHead(code, headers).end();

/** Starts a webhook endpoint on a free port. By default, it responds with 200. */
export async function startReceiver(responder?: Responder): Promise<Receiver> {
	const receiver = new Receiver(responder);
	await receiver.listen();
	return receiver;
}

/** A webhook endpoint that records deliveries; see {@link startReceiver}. */
export class Receiver {
	/** Without a trailing slash. Accepts any path. */
	url = '';
	received: Delivered[] = [];
	/** The highest number of concurrent requests so far. */
	maxInFlight = 0;
	private atOnce = 0;
	private waiting: Array<{ count: number; resolve: (received: Delivered[]) => void }> = [];
	private readonly server = createServer((request, response) => void this.take(request, response));

	constructor(private responder: Responder = status(200)) {}

	async listen(): Promise<void> {
		await once(this.server.listen(0, '127.0.0.1'), 'listening');
		this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	/** Sets the response to later deliveries. */
	respond(responder: Responder): void {
		this.responder = responder;
	}

	/** Forgets all deliveries and responds with 200 again. */
	reset(): void {
		this.respond(status(200));
		this.received = [];
		this.waiting = [];
	}

	/** Resolves with all deliveries once `count` of them have been responded to or left hanging. */
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
		this.maxInFlight = Math.max(this.maxInFlight, ++this.atOnce);
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
