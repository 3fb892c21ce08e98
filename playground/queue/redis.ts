import { connect } from 'node:net';
import { join } from 'node:path';

import { freePort } from '../ports';
import { Service } from '../processes/service';

/** A running Redis that keeps nothing on disk. */
export interface Redis {
	service: Service;
	/** What n8n must be told to use it. */
	n8nEnvironment: Record<string, string>;
}

/**
 * Starts a Redis of its own.
 *
 * @param program - `redis-server`
 * @param folder - an existing folder, for its log
 * @param signal - breaks the start off
 * @throws {PlaygroundProblem} when it does not start; it is stopped then
 */
export async function startRedis(program: string, folder: string, signal?: AbortSignal): Promise<Redis> {
	const port = await freePort();
	const service = await Service.start({
		name: 'Redis',
		command: program,
		args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
		cwd: folder,
		env: process.env,
		logFile: join(folder, 'redis.log'),
	});
	await service.waitUntil(() => answers(port), 30, signal);
	return {
		service,
		n8nEnvironment: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(port) },
	};
}

async function answers(port: number): Promise<boolean> {
	return await new Promise((resolve, reject) => {
		const socket = connect(port, '127.0.0.1')
			.once('connect', () => resolve(true))
			.once('error', reject);
		socket.once('connect', () => socket.destroy());
	});
}
