import { ensureHost } from '../host/ensureHost';
import { silent, type Report } from '../problem';
import { memoryOf, type Memory } from '../processes/memory';
import { N8nClient } from './client';
import { startN8nProcess, type N8nProcess, type N8nProcessOptions } from './process';
import { Session } from './session';

export interface StartN8nOptions
	extends Pick<N8nProcessOptions, 'userFolder' | 'port' | 'expressionEngine' | 'env'> {
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

/**
 * Starts n8n (installing it first, once) and waits until it answers and its owner is signed in.
 *
 * @throws {PlaygroundProblem} when it cannot be installed or does not start, with the end of its log
 */
export async function startN8n(options: StartN8nOptions): Promise<RunningN8n> {
	const { report = silent, signal } = options;
	const host = await ensureHost({ report, signal });
	report(`Starting n8n ${host.version}`);
	return await signIn(await startN8nProcess({ ...options, name: 'n8n', host, args: ['start'] }), signal);
}

/**
 * Signs in to a process of n8n that serves the editor.
 *
 * @throws {PlaygroundProblem} when it refuses; it is stopped then
 */
export async function signIn({ url, service }: N8nProcess, signal?: AbortSignal): Promise<RunningN8n> {
	try {
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
