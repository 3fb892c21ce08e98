import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One scripted answer; `cut` breaks the connection instead. */
export type ScriptedAnswer =
	| { status: number; body?: string; headers?: Record<string, string> }
	| { cut: true }
	| ((request: IncomingMessage, response: ServerResponse) => void);

/**
 * A server that answers request after request from a script, the last entry for good.
 * For answers that no document shows: web pages, broken JSON, cut connections.
 */
export async function startScriptedServer(...script: ScriptedAnswer[]) {
	const seen: Array<{ method: string; url: string; headers: IncomingMessage['headers']; at: number }> = [];
	const server = createServer((request, response) => {
		const answer = script[Math.min(seen.length, script.length - 1)];
		seen.push({ method: request.method!, url: request.url!, headers: request.headers, at: Date.now() });
		if (typeof answer === 'function') return answer(request, response);
		if ('cut' in answer) return void request.socket.destroy();
		response.writeHead(answer.status, answer.headers).end(answer.body);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		seen,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
