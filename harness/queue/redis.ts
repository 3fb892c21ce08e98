import { connect } from 'node:net';
import { join } from 'node:path';

import { freePort } from '../ports';
import { Service } from '../processes/service';
import { REDIS } from '../tools';

/** A running Redis without persistence. */
export interface Redis {
	service: Service;
	/** Environment variables that make n8n use it. */
	n8nEnvironment: Record<string, string>;
}

/**
 * Starts a new Redis, which must be installed.
 *
 * @param folder - an existing folder for the log
 * @throws {HarnessProblem} when Redis does not start; the process is stopped
 */
export async function startRedis(folder: string): Promise<Redis> {
	const port = await freePort();
	const service = await Service.start({
		name: 'Redis',
		command: REDIS.find()!,
		args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
		cwd: folder,
		env: process.env,
		logFile: join(folder, 'redis.log'),
	});
	await service.waitUntil(() => responses(port), 30);
	return {
		service,
		n8nEnvironment: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(port) },
	};
}

async function responses(port: number): Promise<boolean> {
	return await new Promise((resolve, reject) => {
		const socket = connect(port, '127.0.0.1')
			.once('connect', () => resolve(true))
			.once('error', reject);
		socket.once('connect', () => socket.destroy());
	});
}
