import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
	method: string;
	/** As it came over the wire, still encoded. */
	url: string;
	headers: IncomingMessage['headers'];
	body: Record<string, unknown> | undefined;
	at: number;
}

/** What to answer: status, body, headers; or what to do to the connection. */
export type Scripted =
	| { status: number; body?: string; headers?: Record<string, string>; delayMs?: number }
	| 'reset';

type Script = (request: SeenRequest, index: number) => Scripted;

/** A service that answers as the test says and remembers what it was asked: for bodies that no real state yields. */
export class ScriptedService {
	readonly seen: SeenRequest[] = [];
	/** Requests under way at once, at most. */
	mostAtOnce = 0;
	private atOnce = 0;
	private script: Script = () => ({ status: 200, body: 'Processed' });
	private readonly server = createServer((request, response) => void this.handle(request, response));

	static async start(): Promise<ScriptedService> {
		const service = new ScriptedService();
		await new Promise<void>((resolve) => service.server.listen(0, '127.0.0.1', resolve));
		return service;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/crm`;
	}

	/** Forgets what was asked and answers anew; a list is answered in order, its last entry for ever. */
	answer(script: Script | Scripted[]): void {
		this.seen.length = 0;
		this.mostAtOnce = 0;
		this.script = Array.isArray(script)
			? (_request, index) => script[Math.min(index, script.length - 1)]
			: script;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const at = Date.now();
		this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const text = Buffer.concat(chunks).toString('utf8');
		const seen: SeenRequest = {
			method: request.method ?? '',
			url: request.url ?? '',
			headers: request.headers,
			body: text === '' ? undefined : JSON.parse(text),
			at,
		};
		const scripted = this.script(seen, this.seen.push(seen) - 1);
		if (scripted !== 'reset' && scripted.delayMs) await new Promise((r) => setTimeout(r, scripted.delayMs));
		this.atOnce--;
		if (scripted === 'reset') return void request.socket.resetAndDestroy();
		response.writeHead(scripted.status, { 'content-type': 'text/plain', ...scripted.headers });
		response.end(scripted.body ?? '');
	}
}
