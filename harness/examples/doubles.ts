import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import Fastify from 'fastify';
import type { Email } from 'postal-mime';

import { calendarRoutes, type Calendars } from './calendars';
import { completion, type ModelMessage, type ModelRequest } from './completion';
import { embeddings, type EmbeddingsRequest } from './embeddings';
import { googleSheetRoutes } from './googleSheet';
import { hubSpotRoutes, type HubSpot } from './hubspot';
import { startMailbox } from './mailbox';
import { guard } from '../../sandbox/guard';
import { salesforceRoutes, type SalesforceEvent } from './salesforce';

/** The secret in every credential of the doubles. Requests with it never leave this machine. */
export const TOKEN = 'local-double';

/** The language model's response, as the example's Answer Format requires. */
export const LANGUAGE_MODEL_ANSWER = {
	summary: 'The customer wants the roof replaced before winter.',
	nextSteps: ['Rep: send the written estimate', 'Customer: confirm the date'],
};

type SlackMessage = Record<'channel' | 'text', string>;

/** Local replacements for the outside services of the examples, with what each received or returns. */
export type Doubles = Awaited<ReturnType<typeof startDoubles>>;

/**
 * Starts the doubles on free ports of the loopback address.
 *
 * @param mails receives the mails, e.g. those on the sandbox's page
 */
export async function startDoubles(mails?: Email[]) {
	const received = {
		/** What the calendars return. */
		calendars: { google: [], outlook: [] } as Calendars,
		hubSpot: { owners: [], contacts: [], deals: [], meetings: [] } as HubSpot,
		/** Salesforce's events. */
		salesforce: [] as SalesforceEvent[],
		/** The rows of the Google sheet, the column names first. */
		sheet: [] as unknown[][],
		/** Slack messages in order. */
		messages: [] as SlackMessage[],
		/** The requests to the language model in order. */
		modelRequests: [] as ModelRequest[],
		/** What the language model says next, in order; when empty, {@link LANGUAGE_MODEL_ANSWER}. */
		script: [] as ModelMessage[],
		/** Stored files by `<bucket>/<key>`. */
		files: new Map<string, Buffer>(),
	};
	const server = Fastify({ forceCloseConnections: true, bodyLimit: 100 * 1024 * 1024 });
	guard(server, []);
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
	server.post<{ Body: SlackMessage }>('/slack.com/api/chat.postMessage', async ({ body }) => {
		received.messages.push({ channel: body.channel, text: body.text });
		return { ok: true, channel: body.channel, ts: String(received.messages.length) };
	});
	server.get('/slack.com/api/conversations.list', async () => ({
		ok: true,
		channels: [{ id: 'C1', name: 'sales' }],
	}));
	calendarRoutes(server, received.calendars);
	hubSpotRoutes(server, received.hubSpot);
	salesforceRoutes(server, received.salesforce);
	googleSheetRoutes(server, received.sheet);
	server.post<{ Body: ModelRequest }>('/v1/chat/completions', async ({ body }) => {
		received.modelRequests.push(body);
		const scripted = received.script.shift();
		return completion(body.model, scripted ?? { content: JSON.stringify({ output: LANGUAGE_MODEL_ANSWER }) });
	});
	server.post<{ Body: EmbeddingsRequest }>('/v1/embeddings', async ({ body }) => embeddings(body));
	/** Common address of all doubles but the mailbox, without a trailing slash. */
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	const mailbox = await startMailbox(mails);
	/** Forgets what was received so far. */
	const reset = () => {
		const { calendars, hubSpot, salesforce, sheet, messages, modelRequests, script, files } = received;
		const lists = [...Object.values(calendars), ...Object.values(hubSpot)] as unknown[][];
		for (const list of [...lists, salesforce, sheet, messages, modelRequests, script, mailbox.mails])
			list.length = 0;
		files.clear();
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
