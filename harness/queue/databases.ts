import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../ports';
import { HarnessProblem } from '../problem';
import { runCommand } from '../processes/command';
import { Service } from '../processes/service';
import { POSTGRES, REDIS } from '../tools';

const USER = 'postgres';
const DATABASE = 'n8n';

/** A running PostgreSQL with an empty database for n8n. */
export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

/** Starts a new PostgreSQL with its data in a folder. It must be installed. */
export async function startPostgres(folder: string, signal?: AbortSignal) {
	const programs = dirname(POSTGRES.find()!);
	const port = await freePort();
	const data = join(folder, 'postgres');
	mkdirSync(data);
	const runAs = process.getuid?.() === 0 ? ownedByPostgres(folder, data) : {};
	const init = ['-D', data, '-A', 'trust', '-U', USER, '--no-sync'];
	const created = await runCommand(join(programs, 'initdb'), init, { cwd: data, signal, ...runAs });
	if (created.code !== 0)
		throw new HarnessProblem(`PostgreSQL could not create a database: ${created.stderr}`);

	const service = await Service.start({
		name: 'PostgreSQL',
		command: join(programs, 'postgres'),
		args: ['-D', data, '-p', String(port), '-k', data, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'],
		cwd: data,
		env: process.env,
		logFile: join(folder, 'postgres.log'),
		// Does not wait for clients to disconnect.
		stopSignal: 'SIGINT',
		...runAs,
	});
	const create = ['-h', '127.0.0.1', '-p', String(port), '-U', USER, DATABASE];
	const createDatabase = async () =>
		await runCommand(join(programs, 'createdb'), create, { cwd: '/', signal });
	await service.waitUntil(async () => (await createDatabase()).code === 0, 30, signal);
	return {
		service,
		n8nEnvironment: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: DATABASE,
			DB_POSTGRESDB_USER: USER,
		},
	};
}

/** PostgreSQL refuses to run as root, so root runs it as the user that its package creates, who must reach its data. */
function ownedByPostgres(folder: string, data: string) {
	const id = (option: string) => Number(execFileSync('id', [option, USER], { encoding: 'utf8' }));
	const [uid, gid] = [id('-u'), id('-g')];
	chmodSync(folder, 0o755);
	chownSync(data, uid, gid);
	return { uid, gid };
}

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
