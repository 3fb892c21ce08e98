import Fastify, { type FastifyInstance } from 'fastify';
import type { Email } from 'postal-mime';
import { Control } from './control/control';
import { controlRoutes } from './control/routes';
import { AppointmentBook } from './crm/book';
import { type Announce, Ingestion } from './crm/ingestion';
import { Journals } from './crm/journal';
import { crmRoutes } from './crm/routes';
import { Organization } from './data/organization';
import { staffs } from './data/people';
import { exportRoutes } from './export/routes';
import { Faults } from './faults/faults';
import { makeKeys, scopesOf } from './keys';
import { guard } from './guard';
import { Links, mediaRoutes } from './media';
import { completeOptions, type SandboxOptions } from './options';
import { pageRoutes } from './page/routes';
import { routableUrl, sendError } from './http';
import { codeOf, messageOf } from './problem';
import { RequestLog } from './requestLog';
import { Webhooks } from './webhooks';
import { webhookRoutes } from './webhooks/routes';

export type { FaultRequest } from './faults/fault';
export type { SandboxOptions } from './options';

/** A running sandbox: a local service that implements D1 and D2. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** The other organization exists to test isolation; no option sets its size. */
const otherSize = { conversations: 60, awaitingUpload: 3, errored: 2, users: 6, teams: 2 };

/**
 * Starts the service, with the object store of its links.
 * @throws Error for invalid options or a port in use.
 */
export async function startSandbox(given: Partial<SandboxOptions> = {}) {
	const options = completeOptions(given);
	const links = new Links(options.seed);
	const organization = new Organization(options.seed, options, staffs.own, links);
	const otherOptions = { ...options, ...otherSize };
	const other = new Organization(options.seed + 1, otherOptions, staffs.other, links);
	const book = new AppointmentBook(organization);
	const keys = makeKeys(options.seed);
	const scopes = scopesOf(keys, book, new AppointmentBook(other));

	const webhooks = new Webhooks(organization, options);
	// Only the first organization has subscriptions.
	const announce: Announce = (owner, conversationId) => {
		if (owner === organization) void webhooks.announce(conversationId);
	};
	const ingestion = new Ingestion(announce, options.processingSeconds);
	const journals = new Journals();
	const requests = new RequestLog();
	const control = new Control(book, scopes, ingestion, journals, announce);
	const faults = new Faults(control);
	const { awaitingUpload, errored } = options;

	const api = Fastify({
		forceCloseConnections: true,
		bodyLimit: 10 * 1024 * 1024,
		// Accepts any event ID that fits into a request line; Fastify rejects longer parameters before any hook.
		routerOptions: { maxParamLength: 100_000 },
		rewriteUrl: routableUrl,
	});
	const names = [options.host, ...options.allowedHosts.toLowerCase().split(',')].filter(Boolean);
	guard(api, names);
	api.setErrorHandler(sendError);
	requests.watch(api, options.log);
	faults.watch(api);
	const at = { url: '', exportUrl: '', crmUrl: '' };
	const totals = () => ({ ...control.extent(), awaitingUpload, errored });
	const state = () => ({ ...at, keys, options, totals: totals() });
	await api.register(exportRoutes(scopes), { prefix: '/data' });
	await api.register(crmRoutes(scopes, ingestion, journals), { prefix: '/crm' });
	await api.register(mediaRoutes(links, [organization, other]));
	await api.register(controlRoutes({ control, requests, faults, state }), { prefix: '/control' });
	await api.register(webhookRoutes(webhooks), { prefix: '/control/webhooks' });
	const mails: Email[] = [];
	await api.register(pageRoutes(organization, mails));

	let live: NodeJS.Timeout | undefined;
	api.addHook('onClose', async () => {
		clearInterval(live);
		ingestion.close();
		await webhooks.close();
	});
	const url = await listen(api, options.host, options.port);
	links.origin = url;
	Object.assign(at, { url, exportUrl: `${url}/data`, crmUrl: `${url}/crm` });
	if (options.newConversationSeconds > 0)
		live = setInterval(() => processAnother(control), options.newConversationSeconds * 1000);
	return {
		/** `url` of the page and of links, `exportUrl` (D1's base URL) and `crmUrl` (D2's). */
		...at,
		keys,
		options,
		requests,
		control,
		faults,
		/** Subscriptions, deliveries and dead letters of the organization. */
		webhooks,
		/** What the page shows as received mail; `npm start` adds to it. */
		mails,
		close: () => api.close(),
	};
}

/** Adds and announces a conversation recorded two hours ago. */
function processAnother(control: Control): void {
	const [now, hour] = [Date.now(), 3_600_000];
	const [date, processedDate] = [now - 2 * hour, now].map((time) => new Date(time).toISOString());
	control.insertConversations({ date, processedDate, announce: true });
}

async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
	try {
		return await server.listen({ host, port });
	} catch (error) {
		await server.close();
		const isTaken = codeOf(error) === 'EADDRINUSE';
		const taken = `Port ${port} on ${host} is already in use: choose another one.`;
		const other = `Cannot listen on ${host}:${port} (${messageOf(error)}).`;
		throw new Error(isTaken ? taken : other, { cause: error });
	}
}
