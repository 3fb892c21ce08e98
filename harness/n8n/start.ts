import { ensureHost } from '../install/host';
import type { Report } from '../problem';
import { N8nClient } from './client';
import { startN8nProcess, type N8nProcess, type N8nProcessOptions } from './process';
import { ownerPassword, Session } from './session';

export interface StartN8nOptions extends Pick<N8nProcessOptions, 'userFolder' | 'port' | 'env'> {
	/** Receives the progress of installing and starting n8n. */
	report: Report;
	/** Cancels the installation, the start and every later wait. */
	signal?: AbortSignal;
}

export type RunningN8n = Awaited<ReturnType<typeof signIn>>;

/** Starts n8n, after installing it if needed, and signs in its owner. */
export async function startN8n(options: StartN8nOptions): Promise<RunningN8n> {
	const { report, signal } = options;
	const host = await ensureHost(report, signal);
	report(`Starting n8n ${host.version}`);
	return await signIn(await startN8nProcess({ ...options, name: 'n8n', host, args: ['start'] }), signal);
}

/** Signs in to a main process of n8n. @throws {HarnessProblem} when n8n refuses; the process is stopped */
export async function signIn({ url, service, userFolder }: N8nProcess, signal?: AbortSignal) {
	try {
		const password = ownerPassword(userFolder);
		const session = await Session.signIn(url, password, signal);
		return {
			/** The editor's address, without a trailing slash. */
			url,
			password,
			client: new N8nClient(session),
			cookie: session.cookie,
			service,
			get log() {
				return service.log;
			},
			/** Stops n8n and everything that it has started. */
			stop: () => service.stop(),
			/** Kills n8n like a crash would. To restart it, use the same user folder. */
			kill: () => service.kill(),
		};
	} catch (error) {
		await service.stop();
		throw error;
	}
}
