import { join } from 'node:path';
import { freePort } from '../ports';
import { Service } from '../processes/service';
import { REDIS } from '../tools';

/** Starts a new Redis without persistence, which must be installed. */
export async function startRedis(folder: string) {
	const port = await freePort();
	const service = await Service.start({
		name: 'Redis',
		command: REDIS.find()!,
		args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
		cwd: folder,
		env: process.env,
		logFile: join(folder, 'redis.log'),
	});
	await service.waitUntil(async () => service.log.includes('Ready to accept connections'), 30);
	return {
		service,
		n8nEnvironment: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(port) },
	};
}
