import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { ensureHost } from '../host/ensureHost';
import { freePort } from '../ports';
import { silent, type Report } from '../problem';
import { memoryOf, type Memory } from '../processes/memory';
import { Service } from '../processes/service';
import { N8nClient } from './client';
import { n8nEnvironment, type ExpressionEngine } from './environment';
import { Session } from './session';

export interface StartN8nOptions {
	/** Where n8n keeps all it has, packages included; made when it does not exist. */
	userFolder: string;
	/** Any free port by default. */
	port?: number;
	expressionEngine?: ExpressionEngine;
	/** More environment variables. */
	env?: Record<string, string>;
	/** Told about the installation of n8n and its start. */
	report?: Report;
	/** Breaks off the installation, the start and every later wait. */
	signal?: AbortSignal;
}

/** A running n8n with its owner signed in. */
export interface RunningN8n {
	/** The editor's address, without a trailing slash. */
	url: string;
	pid: number;
	/** Makes credentials, imports and runs workflows, reads executions. */
	client: N8nClient;
	apiKey: string;
	cookie: string;
	logFile: string;
	/** Everything n8n has printed so far. */
	readonly log: string;
	/** Resolves when n8n has ended, with a text that says how. */
	ended: Promise<string>;
	/** The memory of n8n and its task runner (Linux). */
	memory(): Memory;
	/** Ends n8n and everything it started. */
	stop(): Promise<void>;
	/** Ends n8n at once, as a crash would; start it again with the same user folder. */
	kill(): Promise<void>;
}

/** n8n is ready in 8 seconds on two cores; a busy machine may take a multiple of it. */
const READY_WITHIN_SECONDS = 180;

/**
 * Starts n8n (installing it first, once) and waits until it answers and its owner is signed in.
 *
 * @throws {PlaygroundProblem} when it cannot be installed or does not start, with the end of its log
 */
export async function startN8n(options: StartN8nOptions): Promise<RunningN8n> {
	const { userFolder, report = silent, signal } = options;
	const host = await ensureHost({ report, signal });
	const port = options.port || (await freePort());
	const brokerPort = await freePort();
	report(`Starting n8n ${host.version}`);
	mkdirSync(userFolder, { recursive: true });
	const service = await Service.start({
		name: 'n8n',
		command: host.node,
		args: [host.n8n, 'start'],
		cwd: userFolder,
		env: n8nEnvironment({ ...options, host, port, brokerPort }),
		logFile: join(userFolder, 'n8n.log'),
	});
	try {
		const url = `http://127.0.0.1:${port}`;
		await service.waitUntil(
			async () => (await fetch(`${url}/healthz/readiness`)).ok,
			READY_WITHIN_SECONDS,
			signal,
		);
		const session = await Session.signIn(url, signal);
		return {
			url,
			pid: service.pid,
			client: new N8nClient(session),
			apiKey: session.apiKey,
			cookie: session.cookie,
			logFile: service.logFile,
			get log() {
				return service.log;
			},
			ended: service.ended,
			memory: () => memoryOf(service.pid),
			stop: () => service.stop(),
			kill: () => service.kill(),
		};
	} catch (error) {
		await service.stop();
		throw error;
	}
}
