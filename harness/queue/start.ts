import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureHost } from '../install/host';
import { progress, tarballFor } from '../n8n/fresh';
import { installPackage } from '../n8n/package';
import { startN8nProcess } from '../n8n/process';
import { signIn } from '../n8n/start';
import type { Service } from '../processes/service';
import { ensureTools, POSTGRES, REDIS } from '../tools';
import { startPostgres, startRedis } from './databases';

/** n8n's queue mode on one machine: main, worker and webhook processes, with Redis and PostgreSQL. */
export type QueueMode = Awaited<ReturnType<typeof startQueueMode>>;

/**
 * Starts n8n in queue mode with this package, with new databases, ports and folders.
 * @param options how many processes of each kind, and more environment variables for each
 */
export async function startQueueMode(options: {
	webhookProcesses: 1 | 2;
	workers?: number;
	env?: Record<string, string>;
}) {
	const { webhookProcesses, workers = 1 } = options;
	await ensureTools([REDIS, POSTGRES], { report: progress });
	const host = await ensureHost(progress);
	const folder = mkdtempSync(join(tmpdir(), 'n8n-queue-'));
	const services: Service[] = [];
	/** Stops the services, the last one first, even if one fails. */
	const stop = async (): Promise<void> => {
		try {
			await services.pop()?.stop();
		} finally {
			if (services.length > 0) await stop();
			else rmSync(folder, { recursive: true, force: true });
		}
	};
	try {
		progress('Starting PostgreSQL and Redis');
		const postgres = await startPostgres(folder);
		services.push(postgres.service);
		const redis = await startRedis(folder);
		services.push(redis.service);

		const tarball = await tarballFor(folder);
		const env = {
			// Each process has a folder of its own (docs/install.md), so that n8n cannot keep the key there.
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
			EXECUTIONS_MODE: 'queue',
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			...postgres.n8nEnvironment,
			...redis.n8nEnvironment,
			...options.env,
		};
		const start = async (name: string, ...args: string[]) => {
			const userFolder = join(folder, name);
			installPackage(userFolder, tarball);
			const started = await startN8nProcess({ name, args, host, userFolder, env });
			services.push(started.service);
			return started;
		};
		const startWorker = (name = 'worker') => start(name, 'worker', '--concurrency=5');

		progress(`Starting n8n ${host.version} in queue mode`);
		// The main process creates the tables that the others use.
		const startMain = async () => await signIn(await start('main', 'start'));
		const main = await startMain();
		const names = ['webhook-1', 'webhook-2'].slice(0, webhookProcesses);
		const more = Array.from({ length: workers - 1 }, (_, n) => `worker-${n + 2}`);
		const webhooks = names.map((name) => start(name, 'webhook'));
		const starts = [startWorker(), ...webhooks, ...more.map(startWorker)];
		// Waits for all even if one fails, so that `stop` knows every process.
		await Promise.allSettled(starts);
		const [worker, ...others] = await Promise.all(starts);
		progress('Queue mode is running');
		const queue = {
			/** Serves the editor and the API. */
			main,
			/** Runs the executions; with several workers, the first one. */
			worker,
			/** Receive production webhooks at `<url>/webhook/<path>`. */
			webhooks: others.slice(0, names.length),
			restartMain: async (): Promise<void> => void (queue.main = await startMain()),
			/** Starts a worker again after `worker.service.kill()`. */
			restartWorker: async (): Promise<void> => void (queue.worker = await startWorker()),
			/** Stops everything and removes all data. */
			stop,
		};
		return queue;
	} catch (error) {
		await stop();
		throw error;
	}
}
