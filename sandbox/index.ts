import Fastify, { type FastifyInstance } from 'fastify';
import { Control } from './control/control';
import { controlRoutes } from './control/routes';
import { Organization } from './data/organization';
import { codeOf, messageOf } from './errors';
import { exportRoutes } from './export/routes';
import { Faults } from './faults/faults';
import { UsagePlans } from './faults/usagePlan';
import { KeyRing, type Keys, makeKeys } from './keys';
import { makeMediaHost } from './media/host';
import { LinkSigner } from './media/links';
import { completeOptions, type SandboxOptions } from './options';
import { RequestLog } from './requestLog';

export type { FaultKind, FaultRequest } from './faults/fault';
export type { RecordedRequest } from './requestLog';
export type { SandboxOptions } from './options';

/** A running sandbox: a local stand-in for the service that speaks D1 and D2. */
export interface Sandbox {
	readonly url: string;
	/** `{base_url}` of D1. */
	readonly exportUrl: string;
	/** `{crm_base_url}` of D2. */
	readonly crmUrl: string;
	/** Where presigned links point: another origin. */
	readonly mediaUrl: string;
	readonly keys: Keys;
	readonly options: SandboxOptions;
	readonly requests: RequestLog;
	readonly control: Control;
	readonly faults: Faults;
	readonly usagePlans: UsagePlans;
	close(): Promise<void>;
}

/** The other organization is there to be foreign; it needs no size of its own. */
const otherSize = { conversations: 60, awaitingUpload: 3, errored: 2, users: 6, teams: 2 };

/**
 * Starts the sandbox on two listeners (the service, and the media host).
 * @throws Error in one sentence for options that cannot work, or a port that is taken.
 */
export async function startSandbox(given: Partial<SandboxOptions> = {}): Promise<Sandbox> {
	const options = completeOptions(given);
	const organization = new Organization(options.seed, 'Sandbox Organization', options);
	const other = new Organization(options.seed + 1, 'Other Organization', { ...options, ...otherSize });
	const keyRing = new KeyRing(makeKeys(options.seed), organization, other);
	const requests = new RequestLog();
	const control = new Control(organization);
	const faults = new Faults(control);
	const usagePlans = new UsagePlans();
	if (options.ratePerSecond > 0)
		usagePlans.set({ ratePerSecond: options.ratePerSecond, burst: options.burst });
	const at = { url: '', mediaUrl: '' };
	const signer = new LinkSigner(options.seed, options.linkLifetimeSeconds, () => at.mediaUrl);
	const addresses = {
		get appUrl() {
			return `${at.url}/app`;
		},
		link: (path: string) => signer.link(path),
	};

	const api = Fastify({ forceCloseConnections: true, bodyLimit: 10 * 1024 * 1024 });
	const media = makeMediaHost({
		signer,
		organizations: [organization, other],
		audioSeconds: options.audioSeconds,
		watch: (server) => {
			requests.watch(server, 'media', options.log);
			faults.watch(server, 'media');
		},
	});
	requests.watch(api, 'api', options.log);
	usagePlans.watch(api);
	faults.watch(api, 'api');
	const state = () => ({
		...at,
		exportUrl: `${at.url}/data`,
		crmUrl: `${at.url}/crm`,
		keys: keyRing.keys,
		options,
		totals: {
			conversations: options.conversations,
			awaitingUpload: options.awaitingUpload,
			errored: options.errored,
		},
	});
	await api.register(exportRoutes({ keyRing, addresses }), { prefix: '/data' });
	await api.register(controlRoutes({ control, requests, faults, usagePlans, state }), { prefix: '/control' });

	const close = async () => {
		await Promise.all([api.close(), media.close()]);
	};
	try {
		at.mediaUrl = await listen(media, options.host, options.mediaPort);
		at.url = await listen(api, options.host, options.port);
	} catch (error) {
		await close();
		throw error;
	}
	return {
		...at,
		exportUrl: `${at.url}/data`,
		crmUrl: `${at.url}/crm`,
		keys: keyRing.keys,
		options,
		requests,
		control,
		faults,
		usagePlans,
		close,
	};
}

async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
	try {
		return await server.listen({ host, port });
	} catch (error) {
		const why =
			codeOf(error) === 'EADDRINUSE'
				? `Port ${port} on ${host} is already in use: choose another one.`
				: `Cannot listen on ${host}:${port} (${messageOf(error)}).`;
		throw new Error(why, { cause: error });
	}
}
