import { mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Host } from '../install/host';
import { freePort } from '../ports';
import { Service } from '../processes/service';

export interface N8nProcessOptions {
	/** In messages and as the name of the log file, e.g. `worker`. */
	name: string;
	host: Host;
	/** n8n's command and options, e.g. `['worker', '--concurrency=5']`. */
	args: string[];
	/** Where n8n keeps its data and packages; created if it does not exist. */
	userFolder: string;
	port?: number;
	env?: Record<string, string>;
	signal?: AbortSignal;
}

export type N8nProcess = Awaited<ReturnType<typeof startN8nProcess>>;

/** n8n is ready within 8 seconds on two cores; a busy machine takes far longer. */
const READY_WITHIN_SECONDS = 400;

/** Starts a process of an installed n8n and waits until it is ready. Its output goes to `<name>.log` in the user folder. */
export async function startN8nProcess(options: N8nProcessOptions) {
	const { name, host, args, userFolder, signal } = options;
	const port = options.port || (await freePort());
	mkdirSync(userFolder, { recursive: true });
	const service = await Service.start({
		name,
		command: host.node,
		args: [host.n8n, ...args],
		cwd: userFolder,
		env: environment(options, port, await freePort()),
		logFile: join(userFolder, `${name}.log`),
	});
	/** Without a trailing slash. */
	const url = `http://127.0.0.1:${port}`;
	const isReady = async () => (await fetch(`${url}/healthz/readiness`)).ok;
	await service.waitUntil(isReady, READY_WITHIN_SECONDS, signal);
	return { url, service, userFolder };
}

/** The variables that n8n inherits; others, especially `N8N_…`, must not leak into tests. */
const INHERITED = ['HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'NODE_EXTRA_CA_CERTS'];

/** The environment of an n8n that listens on the loopback address only and sends no telemetry. */
function environment({ host, userFolder, env }: N8nProcessOptions, port: number, brokerPort: number) {
	return {
		...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
		// n8n starts its task runner with the first `node` on the path.
		PATH: [dirname(host.node), process.env.PATH].join(delimiter),
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		// In queue mode, a worker serves its health check on this port.
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_SECURE_COOKIE: 'false',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'false',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIDE_USAGE_PAGE: 'true',
		N8N_LOG_LEVEL: 'info',
		...env,
	};
}
