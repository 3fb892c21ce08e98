import { createHash } from 'node:crypto';

import Fastify from 'fastify';

import { completion, type ModelMessage } from './completion';
import { embeddings, type EmbeddingsRequest } from './embeddings';
import { startMailbox, type Mailbox } from './mailbox';

/** The language model's response, as the example's Answer Format requires. */
export const LANGUAGE_MODEL_ANSWER = {
	summary: 'The customer wants the roof replaced before winter.',
	nextSteps: ['Rep: send the written estimate', 'Customer: confirm the date'],
};

/** Local replacements for the outside services that the examples write to, with what each received. */
export interface Doubles {
	/** Common address of CRM, chat, language model with embeddings, and storage, without a trailing slash. */
	url: string;
	/** The CRM's notes by the ID in their path. */
	notes: Map<string, unknown>;
	/** Chat messages in order. */
	messages: Array<{ channel: string; text: string }>;
	/** The text of each request to the language model. */
	prompts: string[];
	/** What the language model says next, in order; when empty, {@link LANGUAGE_MODEL_ANSWER}. */
	script: ModelMessage[];
	/** Stored files by `<bucket>/<key>`. */
	files: Map<string, Buffer>;
	mailbox: Mailbox;
	/** Forgets what was received so far. */
	reset(): void;
	close(): Promise<void>;
}

/** Starts the doubles on free ports of the loopback address. */
export async function startDoubles(): Promise<Doubles> {
	const received = {
		notes: new Map<string, unknown>(),
		messages: [] as Doubles['messages'],
		prompts: [] as string[],
		script: [] as ModelMessage[],
		files: new Map<string, Buffer>(),
	};
	const server = Fastify({ forceCloseConnections: true, bodyLimit: 100 * 1024 * 1024 });
	// Keeps files byte for byte, whatever their content type, including JSON.
	await server.register(async (storage) => {
		storage.removeAllContentTypeParsers();
		storage.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
		storage.get(
			'/storage/:bucket',
			async (_request, reply) => await reply.type('application/xml').send('<LocationConstraint/>'),
		);
		storage.put<{ Params: { '*': string }; Body: Buffer }>(
			'/storage/*',
			async ({ params, body, headers }, reply) => {
				const digest = createHash('md5').update(body).digest('base64');
				if (headers['content-md5'] !== digest) return await reply.code(400).send('<Error>BadDigest</Error>');
				received.files.set(params['*'], body);
				return '';
			},
		);
	});
	server.put<{ Params: { id: string } }>('/crm/notes/:id', async ({ params, body }) => {
		received.notes.set(params.id, body);
		return { saved: true };
	});
	server.post<{ Body: Doubles['messages'][number] }>('/chat/messages', async ({ body }) => {
		received.messages.push(body);
		return { ok: true };
	});
	server.post<{ Body: { model: string; messages: unknown } }>('/v1/chat/completions', async ({ body }) => {
		received.prompts.push(JSON.stringify(body.messages));
		const scripted = received.script.shift();
		return completion(body.model, scripted ?? { content: JSON.stringify({ output: LANGUAGE_MODEL_ANSWER }) });
	});
	server.post<{ Body: EmbeddingsRequest }>('/v1/embeddings', async ({ body }) => embeddings(body));
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	const mailbox = await startMailbox();
	const reset = () => {
		for (const list of [received.messages, received.prompts, received.script, mailbox.mails]) list.length = 0;
		for (const map of [received.notes, received.files]) map.clear();
	};
	const close = async () => void (await Promise.all([server.close(), mailbox.close()]));
	return { url, ...received, mailbox, reset, close };
}
