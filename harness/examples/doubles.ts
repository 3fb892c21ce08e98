import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Fastify, { type HTTPMethods, type RouteHandlerMethod } from 'fastify';
import type { Email } from 'postal-mime';
import { guard } from '../../sandbox/guard';
import { completion, embeddings, type ModelMessage, type ModelRequest } from './completion';
import { startMailbox } from './mailbox';
import { answersOf, emptyServices, type Json } from './services';

/** The secret in every credential of the doubles. Requests with it never leave this machine. */
export const TOKEN = 'local-double';

/** The language model's response, as the example's Answer Format requires. */
export const LANGUAGE_MODEL_ANSWER = {
	summary: 'The customer wants the roof replaced before winter.',
	nextSteps: ['Rep: send the written estimate', 'Customer: confirm the date'],
};

/** Local replacements for the outside services of the examples, with what each received or returns. */
export type Doubles = Awaited<ReturnType<typeof startDoubles>>;

/** Starts the doubles on free ports of the loopback address. */
export async function startDoubles(mails?: Email[]) {
	const services = emptyServices();
	const received = {
		...services,
		messages: [] as Array<Record<'channel' | 'text', string>>,
		modelRequests: [] as ModelRequest[],
		/** What the language model says next, in order; when empty, {@link LANGUAGE_MODEL_ANSWER}. */
		script: [] as ModelMessage[],
		/** Stored files by `<bucket>/<key>`. */
		files: new Map<string, Buffer>(),
		/** How many of the next requests are answered with status 503. */
		busy: { requests: 0 },
	};
	const server = Fastify({ forceCloseConnections: true, bodyLimit: 100 * 1024 * 1024 });
	guard(server, []);
	// Keeps files byte for byte, whatever their content type, including JSON.
	await server.register(async (storage) => {
		storage.removeAllContentTypeParsers();
		storage.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
		const location = '<LocationConstraint/>';
		storage.get('/storage/:bucket', (_request, reply) => reply.type('application/xml').send(location));
		type Stored = { Params: { '*': string }; Body: Buffer };
		storage.put<Stored>('/storage/*', async ({ params, body, headers }, reply) => {
			const digest = createHash('md5').update(body).digest('base64');
			if (headers['content-md5'] !== digest) return await reply.code(400).send('<Error>BadDigest</Error>');
			received.files.set(params['*'], body);
			return '';
		});
	});
	const answers: ReturnType<typeof answersOf> = {
		...answersOf(services),
		'POST /slack.com/api/chat.postMessage': ({ body: { channel, text } }) => {
			received.messages.push({ channel, text });
			return { ok: true, channel, ts: String(received.messages.length) };
		},
		'POST /v1/chat/completions': ({ body }) => {
			received.modelRequests.push(body);
			const usual = { content: JSON.stringify({ output: LANGUAGE_MODEL_ANSWER }) };
			return completion(body.model, received.script.shift() ?? usual);
		},
		'POST /v1/embeddings': ({ body }) => embeddings(body),
	};
	for (const [route, answer] of Object.entries(answers)) {
		const [method, url] = route.split(' ');
		const handler: RouteHandlerMethod = async ({ params, query, body }, reply) =>
			received.busy.requests-- > 0
				? await reply.code(503).send({ error: 'busy' })
				: await answer({ params, query, body, reply });
		server.route({ method: method as HTTPMethods, url, handler });
	}
	/** Common address of all doubles but the mailbox, without a trailing slash. */
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	const mailbox = await startMailbox(mails);
	/** Forgets what was received so far. */
	const reset = () => {
		const { calendars, hubSpot, salesforce, sheet, messages, modelRequests, script, files } = received;
		const lists: Json[][] = [...Object.values(calendars), ...Object.values(hubSpot), salesforce, sheet];
		for (const list of [...lists, messages, modelRequests, script, mailbox.mails]) list.length = 0;
		files.clear();
		received.busy.requests = 0;
	};
	const close = async () => void (await Promise.all([server.close(), mailbox.close()]));
	/** What n8n's environment needs so that nodes with a fixed host reach the doubles. */
	const n8nEnvironment = {
		NODE_OPTIONS: `--import=${pathToFileURL(join(__dirname, 'redirect.mjs'))}`,
		EXAMPLES_DOUBLES: url,
		EXAMPLES_TOKEN: TOKEN,
	};
	return { url, n8nEnvironment, ...received, mailbox, reset, close };
}
