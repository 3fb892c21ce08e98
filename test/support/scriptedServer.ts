import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface SeenRequest {
	method: string;
	/** As it came over the wire, still encoded. */
	url: string;
	headers: IncomingMessage['headers'];
	/** Its JSON, or undefined without a body. */
	body: Record<string, unknown> | undefined;
	/** When it began to arrive, in milliseconds since 1970. */
	at: number;
}

/**
 * What to answer: status, body and headers, at once or after some milliseconds; or what to do to the connection, end it
 * or reset it; or a function that writes the answer itself.
 */
export type ScriptedAnswer =
	| { status: number; body?: string; headers?: Record<string, string>; delayMs?: number }
	| 'cut'
	| 'reset'
	| ((request: IncomingMessage, response: ServerResponse) => void);

/** Decides the answer to the request of this index, counted from 0; the request is left open until it has. */
export type Script = (request: SeenRequest, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>;

/**
 * A server that answers as the test says and remembers what it was asked. For answers that no document shows and no
 * real state yields: web pages, broken JSON, lost connections.
 */
export class ScriptedServer {
	/** Without a trailing slash; any path below it is answered. */
	url = '';
	readonly seen: SeenRequest[] = [];
	/** Requests under way at once, at most. */
	mostAtOnce = 0;
	private atOnce = 0;
	private script: Script = () => ({ status: 200 });
	private waiting: Array<{ count: number; resolve: () => void }> = [];
	private readonly server = createServer((request, response) => void this.handle(request, response));

	/**
	 * Starts on a free port.
	 *
	 * @param answers given in order, the last one for ever; without any, 200
	 */
	static async start(...answers: ScriptedAnswer[]): Promise<ScriptedServer> {
		const scripted = new ScriptedServer();
		if (answers.length > 0) scripted.answer(answers);
		await once(scripted.server.listen(0, '127.0.0.1'), 'listening');
		scripted.url = `http://127.0.0.1:${(scripted.server.address() as AddressInfo).port}`;
		return scripted;
	}

	/** Forgets what was asked and answers anew; a list is answered in order, its last entry for ever. */
	answer(script: Script | ScriptedAnswer[]): void {
		this.seen.length = 0;
		this.mostAtOnce = 0;
		this.script = Array.isArray(script)
			? (_request, index) => script[Math.min(index, script.length - 1)]
			: script;
	}

	/** Resolves once so many requests were seen since the last {@link answer}. */
	async sees(count: number): Promise<void> {
		if (this.seen.length >= count) return;
		await new Promise<void>((resolve) => this.waiting.push({ count, resolve }));
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
		const { method = '', url = '', headers } = request;
		const seen = { method, url, headers, body: text === '' ? undefined : JSON.parse(text), at };
		const index = this.seen.push(seen) - 1;
		for (const { count, resolve } of this.waiting) if (this.seen.length >= count) resolve();
		const answer = await this.script(seen, index);
		if (typeof answer === 'object' && answer.delayMs) await delay(answer.delayMs);
		this.atOnce--;
		if (answer === 'cut') return void request.socket.destroy();
		if (answer === 'reset') return void request.socket.resetAndDestroy();
		if (typeof answer === 'function') return answer(request, response);
		response.writeHead(answer.status, { 'content-type': 'text/plain', ...answer.headers });
		response.end(answer.body ?? '');
	}
}
