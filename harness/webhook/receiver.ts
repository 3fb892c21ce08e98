import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A server on a free port of the loopback address that records what it receives. */
export abstract class RecordingServer {
	/** Without a trailing slash. Responds to any path. */
	url = '';
	private readonly events = new EventEmitter();
	private readonly server = createServer((request, response) => void this.handle(request, response));

	async listen(): Promise<void> {
		await once(this.server.listen(0, '127.0.0.1'), 'listening');
		this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	protected abstract handle(request: IncomingMessage, response: ServerResponse): Promise<void>;

	/** Resolves once a condition on what was received holds. */
	protected async waitUntil(isReached: () => boolean): Promise<void> {
		while (!isReached()) await once(this.events, 'recorded');
	}

	/** Call it when something was received. */
	protected recorded(): void {
		this.events.emit('recorded');
	}
}

export interface Delivered {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	raw: Buffer;
	/** The parsed body; null without a body. */
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	json: any;
}

/** Responds to a delivery, or leaves it hanging by not ending the response. */
export type Responder = (response: ServerResponse, delivered: Delivered) => unknown;

export const status =
	(code: number, headers: Record<string, string> = {}): Responder =>
	(response) =>
		response.writeHead(code, headers).end();

export async function startReceiver(responder?: Responder): Promise<Receiver> {
	const receiver = new Receiver(responder);
	await receiver.listen();
	return receiver;
}

/** A webhook endpoint that records deliveries; see {@link startReceiver}. */
export class Receiver extends RecordingServer {
	received: Delivered[] = [];

	constructor(private responder: Responder = status(200)) {
		super();
	}

	/** Sets the response to later deliveries. */
	respond(responder: Responder): void {
		this.responder = responder;
	}

	/** Forgets all deliveries and responds with 200 again. */
	reset(): void {
		this.respond(status(200));
		this.received = [];
	}

	/** Resolves with all deliveries once `count` of them have been responded to or left hanging. */
	async got(count: number): Promise<Delivered[]> {
		await this.waitUntil(() => this.received.length >= count);
		return this.received;
	}

	protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const raw = await buffer(request);
		const { method = '', url: path = '', headers } = request;
		const json: unknown = raw.length > 0 ? JSON.parse(raw.toString()) : null;
		const delivered = { method, path, headers, raw, json };
		this.received.push(delivered);
		await this.responder(response, delivered);
		this.recorded();
	}
}
