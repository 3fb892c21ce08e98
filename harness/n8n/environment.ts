import { dirname, delimiter } from 'node:path';

import type { Host } from '../install/ensureHost';

export interface EnvironmentOptions {
	host: Host;
	/** Contains n8n's `.n8n` folder: database, encryption key, packages and binary data. */
	userFolder: string;
	port: number;
	/** The port on which n8n's task runners connect. */
	brokerPort: number;
	/** Variables to add or replace. */
	env?: Record<string, string>;
}

/** The variables that n8n inherits; others, especially `N8N_…`, must not leak into tests. */
const INHERITED = ['HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'NODE_EXTRA_CA_CERTS'];

/** The environment of an n8n that listens on the loopback address only and sends no telemetry. */
export function n8nEnvironment(options: EnvironmentOptions): NodeJS.ProcessEnv {
	const { host, userFolder, port, brokerPort, env } = options;
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
