import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { z } from 'zod';

/** One POST as it arrived. */
export interface Delivered {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	/** Names as they were sent, in lower case, repeats included. */
	headerNames: string[];
	/** The raw bytes of the body. */
	raw: Buffer;
}

/** How the endpoint answers; nothing at all when it never ends the response. */
export type Responder = (response: ServerResponse, delivered: Delivered) => void;

export interface Receiver {
	url: string;
	delivered: Delivered[];
	/** Answers with this from now on. */
	answer(responder: Responder): void;
	/** Resolves as soon as so many POSTs have arrived since the start of the test. */
	arrived(count: number): Promise<Delivered[]>;
}

export const status =
	(code: number, headers: Record<string, string> = {}): Responder =>
	(response) =>
		response.writeHead(code, headers).end();

/** A local endpoint for the tests of one file; empty and answering 200 at the start of each test. */
export function useReceiver(): Receiver {
	let responder: Responder;
	let waiting: Array<() => void> = [];
	const receiver: Receiver = {
		url: '',
		delivered: [],
		answer: (chosen) => (responder = chosen),
		arrived: async (count) => {
			while (receiver.delivered.length < count) {
				await new Promise<void>((resolve) => waiting.push(resolve));
			}
			return receiver.delivered;
		},
	};
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(Buffer.from(chunk));
		const { method = '', url: path = '', headers, rawHeaders } = request;
		const headerNames = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
		const delivered = { method, path, headers, headerNames, raw: Buffer.concat(chunks) };
		receiver.delivered.push(delivered);
		responder(response, delivered);
		waiting.splice(0).forEach((resolve) => resolve());
	});
	beforeAll(async () => {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = server.address();
		receiver.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
	});
	beforeEach(() => {
		responder = status(200);
		receiver.delivered = [];
		waiting = [];
	});
	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});
	return receiver;
}

const envelopeShape = z.object({
	webhook_event_id: z.string(),
	event_type: z.string(),
	sent_at: z.string(),
	data: z.record(z.unknown()),
});

/** The envelope of a delivery. */
export const envelopeOf = ({ raw }: Delivered) => envelopeShape.parse(JSON.parse(raw.toString('utf8')));

/** The conversation that a delivery is about. */
export const conversationOf = (delivered: Delivered) => envelopeOf(delivered).data.conversation_id;
