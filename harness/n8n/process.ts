import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Host } from '../install/ensureHost';
import { freePort } from '../ports';
import { Service } from '../processes/service';
import { n8nEnvironment } from './environment';

export interface N8nProcessOptions {
	/** Used in messages and as the name of the log file, e.g. `worker`. */
	name: string;
	host: Host;
	/** n8n's command and options, e.g. `['worker', '--concurrency=5']`. */
	args: string[];
	/** Where n8n keeps its data and packages; created if it does not exist. */
	userFolder: string;
	/** Any free port by default. */
	port?: number;
	/** More environment variables. */
	env?: Record<string, string>;
	/** Cancels the start. */
	signal?: AbortSignal;
}

/** A running process of n8n. */
export interface N8nProcess {
	/** The process's address, without a trailing slash. */
	url: string;
	service: Service;
}

/** n8n is ready within 8 seconds on two cores; a busy machine takes far longer. */
const READY_WITHIN_SECONDS = 180;

/**
 * Starts a process of an installed n8n and waits until it is ready. Its output goes to `<name>.log` in the
 * user folder.
 *
 * @throws {HarnessProblem} that quotes the log when the process does not become ready; stops it
 */
export async function startN8nProcess(options: N8nProcessOptions): Promise<N8nProcess> {
	const { name, host, args, userFolder, signal } = options;
	const port = options.port || (await freePort());
	const brokerPort = await freePort();
	mkdirSync(userFolder, { recursive: true });
	const service = await Service.start({
		name,
		command: host.node,
		args: [host.n8n, ...args],
		cwd: userFolder,
		env: n8nEnvironment({ ...options, port, brokerPort }),
		logFile: join(userFolder, `${name}.log`),
	});
	const url = `http://127.0.0.1:${port}`;
	const isReady = async () => (await fetch(`${url}/healthz/readiness`)).ok;
	await service.waitUntil(isReady, READY_WITHIN_SECONDS, signal);
	return { url, service };
}
