import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import Fastify from 'fastify';

import { calendarRoutes, type Calendars } from './calendars';
import { completion, type ModelMessage, type ModelRequest } from './completion';
import { embeddings, type EmbeddingsRequest } from './embeddings';
import { googleSheetRoutes } from './googleSheet';
import { hubSpotRoutes, type HubSpot } from './hubspot';
import { startMailbox, type Mailbox } from './mailbox';
import { salesforceRoutes, type SalesforceEvent } from './salesforce';

/** The secret in every credential of the doubles. Requests with it never leave this machine. */
export const TOKEN = 'local-double';

/** The language model's response, as the example's Answer Format requires. */
export const LANGUAGE_MODEL_ANSWER = {
	summary: 'The customer wants the roof replaced before winter.',
	nextSteps: ['Rep: send the written estimate', 'Customer: confirm the date'],
};

/** Local replacements for the outside services of the examples, with what each received or returns. */
export interface Doubles {
	/** Common address of all doubles but the mailbox, without a trailing slash. */
	url: string;
	/** What n8n's environment needs so that nodes with a fixed host reach the doubles. */
	n8nEnvironment: Record<string, string>;
	/** What the calendars return. */
	calendars: Calendars;
	hubSpot: HubSpot;
	/** Salesforce's events. */
	salesforce: SalesforceEvent[];
	/** The rows of the Google sheet, the column names first. */
	sheet: unknown[][];
	/** Slack messages in order. */
	messages: Array<{ channel: string; text: string }>;
	/** The requests to the language model in order. */
	modelRequests: ModelRequest[];
	/** What the language model says next, in order; when empty, {@link LANGUAGE_MODEL_ANSWER}. */
	script: ModelMessage[];
	/** Stored files by `<bucket>/<key>`. */
	files: Map<string, Buffer>;
	mailbox: Mailbox;
	/** Forgets what was received so far. */
	reset(): void;
	close(): Promise<void>;
}

/**
 * Starts the doubles on free ports of the loopback address.
 *
 * @param mails receives the mails, e.g. those on the sandbox's page
 */
export async function startDoubles(mails?: Mailbox['mails']): Promise<Doubles> {
	const received = {
		calendars: { google: [], outlook: [] } as Calendars,
		hubSpot: { owners: [], contacts: [], deals: [], meetings: [] } as HubSpot,
		salesforce: [] as SalesforceEvent[],
		sheet: [] as unknown[][],
		messages: [] as Doubles['messages'],
		modelRequests: [] as ModelRequest[],
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
	server.post<{ Body: Doubles['messages'][number] }>('/slack.com/api/chat.postMessage', async ({ body }) => {
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
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	const mailbox = await startMailbox(mails);
	const reset = () => {
		const { calendars, hubSpot, salesforce, sheet, messages, modelRequests, script, files } = received;
		const lists = [...Object.values(calendars), ...Object.values(hubSpot)] as unknown[][];
		for (const list of [...lists, salesforce, sheet, messages, modelRequests, script, mailbox.mails])
			list.length = 0;
		files.clear();
	};
	const close = async () => void (await Promise.all([server.close(), mailbox.close()]));
	const n8nEnvironment = {
		NODE_OPTIONS: `--import=${pathToFileURL(join(__dirname, 'redirect.mjs'))}`,
		EXAMPLES_DOUBLES: url,
		EXAMPLES_TOKEN: TOKEN,
	};
	return { url, n8nEnvironment, ...received, mailbox, reset, close };
}
