import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../../../../harness/processes/service';

const ROOT = join(__dirname, '..', '..', '..', '..');

/** A program that keeps a connection open while it runs and starts another, as n8n starts its task runner. */
const LIVING = `
	const [port, more] = process.argv.slice(1).map(Number);
	require('net').connect(port, '127.0.0.1');
	process.on('SIGTERM', () => {});
	if (more > 0) require('child_process').spawn(process.execPath, ['-e', process.env.LIVING, port, more - 1]);
`;

type Living = { end: Promise<unknown> };

const expectAllEnded = async (...all: Living[]) =>
	await expect(Promise.all(all.map((one) => one.end))).resolves.toHaveLength(all.length);

describe('A process of the harness', () => {
	let folder: string;
	let server: Server;
	let port: number;
	let arrivals: AsyncIterator<unknown[]>;
	let sockets: Socket[];
	let starter: ChildProcess | undefined;

	beforeEach(async () => {
		folder = mkdtempSync(join(tmpdir(), 'guard-'));
		server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		({ port } = server.address() as AddressInfo);
		sockets = [];
		arrivals = on(server, 'connection');
	});
	afterEach(async () => {
		starter?.kill('SIGKILL');
		// Closes programs that are still running.
		for (const socket of sockets) socket.destroy();
		server.close();
		rmSync(folder, { recursive: true, force: true });
	});

	/** Waits until a program has connected and returns a promise of its end. */
	const nextLiving = async () => {
		const [socket] = (await arrivals.next()).value as [Socket];
		sockets.push(socket);
		socket.on('error', () => {}).resume();
		return { end: once(socket, 'close') };
	};

	const options = () => ({
		name: 'Living',
		command: process.execPath,
		args: ['-e', LIVING, String(port), '1'],
		cwd: folder,
		env: { ...process.env, LIVING },
		logFile: join(folder, 'living.log'),
	});

	test('ends when the process that started it is killed', async () => {
		const code = `
			require('./harness/processes/service').Service.start(${JSON.stringify(options())});
			setInterval(() => {}, 1000);
		`;
		starter = spawn(process.execPath, ['--import', 'tsx', '-e', code], { cwd: ROOT });
		const both = [await nextLiving(), await nextLiving()];
		starter.kill('SIGKILL');
		await expectAllEnded(...both);
	});

	test('is killed by stop() if it ignores signals, and by kill()', async () => {
		for (const end of [(one: Service) => one.stop(0.2), (one: Service) => one.kill()]) {
			const living = await Service.start(options());
			const both = [await nextLiving(), await nextLiving()];
			await end(living);
			await expectAllEnded(...both);
			expect(await living.ended).toBe('signal SIGKILL');
		}
	});
});
