import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface SeenRequest {
	method: string;
	/** As received, still encoded. */
	url: string;
	headers: IncomingMessage['headers'];
	/** The parsed JSON body, if any. */
	body: Record<string, unknown> | undefined;
	/** When the request started to arrive, in epoch milliseconds. */
	at: number;
}

/** A response (immediate or delayed), an action on the connection, or a function that writes the response. */
export type ScriptedResponse =
	| { status: number; body?: string; headers?: Record<string, string>; delayMs?: number }
	| 'cut'
	| 'reset'
	| ((request: IncomingMessage, response: ServerResponse) => void);

/** Returns the response to the request with this index, from 0. The request stays open until then. */
export type Script = (request: SeenRequest, index: number) => ScriptedResponse | Promise<ScriptedResponse>;

/**
 * A server that responds according to a script and records requests, for undocumented responses: web pages,
 * broken JSON, lost connections.
 */
export class ScriptedServer {
	/** Without a trailing slash. Responds to any path. */
	url = '';
	readonly seen: SeenRequest[] = [];
	/** The highest number of concurrent requests so far. */
	maxInFlight = 0;
	private atOnce = 0;
	private script: Script = () => ({ status: 200 });
	private waiting: Array<{ count: number; resolve: () => void }> = [];
	private readonly parts = new Map<string, ScriptedServer>();
	private readonly server = createServer((request, response) => void this.handle(request, response));

	/**
	 * Starts on a free port.
	 *
	 * @param responses in order, repeating the last one; 200 by default
	 */
	static async start(...responses: ScriptedResponse[]): Promise<ScriptedServer> {
		const scripted = new ScriptedServer();
		if (responses.length > 0) scripted.respond(responses);
		await scripted.listen();
		return scripted;
	}

	/** Starts on a free port, see {@link start}. */
	async listen(): Promise<void> {
		await once(this.server.listen(0, '127.0.0.1'), 'listening');
		this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	/** Another script, with its own records, for the requests of this server whose URL starts with a path. */
	part(path: string): ScriptedServer {
		const part = new ScriptedServer();
		this.parts.set(path, part);
		return part;
	}

	/** Forgets all requests and sets the script. A list is used in order, repeating its last entry. */
	respond(script: Script | ScriptedResponse[]): void {
		this.seen.length = 0;
		this.maxInFlight = 0;
		this.script = Array.isArray(script)
			? (_request, index) => script[Math.min(index, script.length - 1)]
			: script;
	}

	/** Resolves once `count` requests have arrived since the last {@link respond}. */
	async sees(count: number): Promise<void> {
		if (this.seen.length >= count) return;
		await new Promise<void>((resolve) => this.waiting.push({ count, resolve }));
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		for (const [path, part] of this.parts) {
			if (request.url?.startsWith(path)) return await part.handle(request, response);
		}
		const at = Date.now();
		this.maxInFlight = Math.max(this.maxInFlight, ++this.atOnce);
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const text = Buffer.concat(chunks).toString('utf8');
		const { method = '', url = '', headers } = request;
		const seen = { method, url, headers, body: text === '' ? undefined : JSON.parse(text), at };
		const index = this.seen.push(seen) - 1;
		for (const { count, resolve } of this.waiting) if (this.seen.length >= count) resolve();
		const scripted = await this.script(seen, index);
		if (typeof scripted === 'object' && scripted.delayMs) await delay(scripted.delayMs);
		this.atOnce--;
		if (scripted === 'cut') return void request.socket.destroy();
		if (scripted === 'reset') return void request.socket.resetAndDestroy();
		if (typeof scripted === 'function') return scripted(request, response);
		response.writeHead(scripted.status, { 'content-type': 'text/plain', ...scripted.headers });
		response.end(scripted.body ?? '');
	}
}
