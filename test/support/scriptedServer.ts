import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { RecordingServer } from '../../harness/webhook/receiver';

export interface SeenRequest {
	method: string;
	/** As received, still encoded. */
	url: string;
	headers: IncomingMessage['headers'];
	/** The parsed JSON body, if any. */
	body: Record<string, unknown> | undefined;
	/** The body as it was sent. */
	text: string;
}

/** A response (immediate or delayed), an action on the connection, or a function that writes the response. */
export type ScriptedResponse =
	| { status: number; body?: string; headers?: Record<string, string>; delayMs?: number }
	| 'reset'
	| ((request: IncomingMessage, response: ServerResponse) => void);

/** Returns the response to the request with this index, from 0. The request stays open until then. */
export type Script = (request: SeenRequest, index: number) => ScriptedResponse | Promise<ScriptedResponse>;

/** Responds according to a script, for undocumented responses: web pages, broken JSON, lost connections. */
export class ScriptedServer extends RecordingServer {
	readonly seen: SeenRequest[] = [];
	/** The highest number of concurrent requests so far. */
	maxInFlight = 0;
	private inFlight = 0;
	private script: Script = () => ({ status: 200 });
	private readonly parts = new Map<string, ScriptedServer>();

	/** @param responses in order, repeating the last one; 200 by default */
	static async start(...responses: ScriptedResponse[]): Promise<ScriptedServer> {
		const scripted = new ScriptedServer();
		if (responses.length > 0) scripted.respond(responses);
		await scripted.listen();
		return scripted;
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
	async waitForRequests(count: number): Promise<void> {
		await this.waitUntil(() => this.seen.length >= count);
	}

	protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		for (const [path, part] of this.parts) {
			if (request.url?.startsWith(path)) return await part.handle(request, response);
		}
		this.maxInFlight = Math.max(this.maxInFlight, ++this.inFlight);
		const text = (await buffer(request)).toString('utf8');
		const { method = '', url = '', headers } = request;
		const seen = { method, url, headers, body: text === '' ? undefined : JSON.parse(text), text };
		const index = this.seen.push(seen) - 1;
		this.recorded();
		const scripted = await this.script(seen, index);
		if (typeof scripted === 'object' && scripted.delayMs) await delay(scripted.delayMs);
		this.inFlight--;
		if (scripted === 'reset') return void request.socket.resetAndDestroy();
		if (typeof scripted === 'function') return scripted(request, response);
		response.writeHead(scripted.status, { 'content-type': 'text/plain', ...scripted.headers });
		response.end(scripted.body ?? '');
	}
}

const respond = (key: string, response: ServerResponse) =>
	response.setHeader('content-type', 'application/json').end(JSON.stringify({ dedupeKey: key }));

/** Does a workflow's work and idempotent writes: `GET` or `PUT /<key>` returns the key, at once unless it is held. */
export class KeyedServer extends RecordingServer {
	readonly writes = new Map<string, number>();
	/** Size of the last body by key, in bytes. */
	readonly sizes = new Map<string, number>();
	private isHeld: (key: string) => boolean = () => false;
	private readonly held = new Map<string, ServerResponse>();

	static async start(): Promise<KeyedServer> {
		const server = new KeyedServer();
		await server.listen();
		return server;
	}

	override async listen(): Promise<void> {
		this.open();
		for (const known of [this.writes, this.sizes]) known.clear();
		await super.listen();
	}

	/** Holds matching keys until {@link open}. */
	hold(isHeld: (key: string) => boolean): void {
		this.isHeld = isHeld;
	}

	open(): void {
		this.isHeld = () => false;
		for (const [key, response] of this.held) respond(key, response);
		this.held.clear();
	}

	/** Resolves once this many keys have been written. */
	async waitForKeys(count: number): Promise<void> {
		await this.waitUntil(() => this.writes.size >= count);
	}

	/** Resolves once this many keys are held. */
	async waitForHeld(count: number): Promise<void> {
		await this.waitUntil(() => this.held.size >= count);
	}

	protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const key = decodeURIComponent((request.url ?? '/').slice(1));
		this.sizes.set(key, (await buffer(request)).length);
		this.writes.set(key, (this.writes.get(key) ?? 0) + 1);
		if (this.isHeld(key)) this.held.set(key, response);
		else respond(key, response);
		this.recorded();
	}
}
