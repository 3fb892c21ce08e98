import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response of the service. */
export interface Response {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

/** A different answer, or an action on the connection. */
export type Struck = Response | ((response: ServerResponse) => void);

/** Decides what happens to a request. It reaches the service only through `passOn`. */
export type Strike = (passOn: () => Promise<Response>) => Struck | Promise<Struck>;

export interface ProxyOptions {
	/** Origins of the service: its API, and the media host that links point to. */
	service: { url: string; mediaUrl: string };
	/** Start of the paths that the fault applies to. */
	path: string;
	strike?: Strike;
	/** Whether the fault applies to the first request only. */
	once: boolean;
	/** Replaces the media host in links, for faults that a response cannot produce. */
	linkOrigin?: string;
}

/** A proxy between n8n and the service that applies one fault to the requests of one path. */
export class FaultProxy {
	/** Requests to the path of the fault. */
	requests = 0;
	url = '';
	private readonly server = createServer((request, response) => void this.handle(request, response));

	private constructor(private readonly options: ProxyOptions) {}

	static async start(options: ProxyOptions): Promise<FaultProxy> {
		const proxy = new FaultProxy(options);
		await once(proxy.server.listen(0, '127.0.0.1'), 'listening');
		proxy.url = `http://127.0.0.1:${(proxy.server.address() as AddressInfo).port}`;
		return proxy;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { path, strike } = this.options;
		const isTarget = request.url!.startsWith(path);
		const isStruck = isTarget && strike && (!this.options.once || this.requests === 0);
		if (isTarget) this.requests++;
		const passOn = async () => await this.passOn(request, Buffer.concat(chunks));
		const outcome = isStruck ? await strike(passOn) : await passOn();
		if (typeof outcome === 'function') return outcome(response);
		response.writeHead(outcome.status, outcome.headers).end(outcome.body);
	}

	/** Byte for byte, so that a presigned link stays valid. */
	private async passOn(request: IncomingMessage, body: Buffer): Promise<Response> {
		const { url, mediaUrl } = this.options.service;
		const isApi = /^\/(data|crm)\//.test(request.url!);
		const { hostname, port } = new URL(isApi ? url : mediaUrl);
		const headers = { ...request.headers, host: `${hostname}:${port}` };
		const passed = send({ hostname, port, path: request.url, method: request.method, headers });
		passed.end(body);
		const [response] = (await once(passed, 'response')) as [IncomingMessage];
		const chunks: Buffer[] = [];
		for await (const chunk of response) chunks.push(chunk as Buffer);
		const type = response.headers['content-type'] ?? 'text/plain';
		const text = Buffer.concat(chunks);
		const linked = type.includes('json')
			? Buffer.from(text.toString().replaceAll(mediaUrl, this.options.linkOrigin ?? this.url))
			: text;
		return {
			status: response.statusCode!,
			headers: { 'content-type': type, 'content-length': String(linked.length) },
			body: linked,
		};
	}
}
