import Fastify from 'fastify';
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
const otherSize = { conversations: 60, awaitingUpload: 3, errored: 2 };

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

/** Starts the service, with the object store of its links. @throws Error for invalid options or a port in use. */
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
	const faults = new Faults();

	const api = Fastify({
		forceCloseConnections: true,
		bodyLimit: 10 * 1024 * 1024,
		// Accepts any event ID that fits into a request line; Fastify rejects longer parameters before any hook.
		routerOptions: { maxParamLength: 100_000 },
		rewriteUrl: routableUrl,
	});
	guard(api, [options.host, ...options.allowedHosts.toLowerCase().split(',')].filter(Boolean));
	api.setErrorHandler(sendError);
	requests.watch(api);
	faults.watch(api);
	const at = { url: '', exportUrl: '', crmUrl: '' };
	const { awaitingUpload, errored } = options;
	const state = () => ({ ...at, keys, options, totals: { ...control.extent(), awaitingUpload, errored } });
	await api.register(exportRoutes(scopes), { prefix: '/data' });
	await api.register(crmRoutes(scopes, ingestion, journals), { prefix: '/crm' });
	await api.register(mediaRoutes(links, [organization, other]));
	await api.register(controlRoutes(control, faults, state), { prefix: '/control' });
	await api.register(webhookRoutes(webhooks), { prefix: '/control/webhooks' });
	const mails: Email[] = [];
	await api.register(pageRoutes(organization, mails));

	let live: NodeJS.Timeout | undefined;
	api.addHook('onClose', async () => {
		clearInterval(live);
		ingestion.close();
		await webhooks.close();
	});
	const { host, port } = options;
	const url = await api.listen({ host, port }).catch(async (error: unknown) => {
		await api.close();
		const taken = `Port ${port} on ${host} is already in use: choose another one.`;
		const other = `Cannot listen on ${host}:${port} (${messageOf(error)}).`;
		throw new Error(codeOf(error) === 'EADDRINUSE' ? taken : other, { cause: error });
	});
	links.origin = url;
	Object.assign(at, { url, exportUrl: `${url}/data`, crmUrl: `${url}/crm` });
	if (options.newConversationSeconds > 0)
		live = setInterval(() => {
			control.insertConversations({ date: hoursAgo(2), processedDate: hoursAgo(0), announce: true });
		}, options.newConversationSeconds * 1000);
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
