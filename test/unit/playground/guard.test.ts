import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCommand } from '../../../playground/processes/command';
import { Service } from '../../../playground/processes/service';

const ROOT = join(__dirname, '..', '..', '..');

/** A program that says with an open connection that it lives, and starts one more of its kind, as n8n starts its runner. */
const LIVING = `
	const [port, more] = process.argv.slice(1).map(Number);
	require('net').connect(port, '127.0.0.1');
	process.on('SIGTERM', () => {});
	if (more > 0) require('child_process').spawn(process.execPath, ['-e', process.env.LIVING, port, more - 1]);
`;

type Living = { end: Promise<unknown> };

const expectAllEnded = async (...all: Living[]) =>
	await expect(Promise.all(all.map((one) => one.end))).resolves.toHaveLength(all.length);

describe('What the playground starts ends with the process that started it', () => {
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
		// A program that still lives, as it must not, ends now.
		for (const socket of sockets) socket.destroy();
		server.close();
		rmSync(folder, { recursive: true, force: true });
	});

	/** Resolves when a living program has connected, with the promise of its end. */
	const nextLiving = async () => {
		const [socket] = (await arrivals.next()).value as [Socket];
		sockets.push(socket);
		socket.on('error', () => {}).resume();
		return { end: once(socket, 'close') };
	};

	/** Runs code of the playground in a process of its own. */
	const startElsewhere = (code: string) =>
		spawn(process.execPath, ['--import', 'tsx', '-e', code], {
			cwd: ROOT,
			env: { ...process.env, LIVING },
			stdio: ['ignore', 'inherit', 'inherit'],
		});

	const service = () => `
		require('./playground/processes/service').Service.start({
			name: 'Living', command: process.execPath, args: ['-e', process.env.LIVING, '${port}', '1'],
			cwd: '/', env: process.env, logFile: '${join(folder, 'living.log')}',
		});
		setInterval(() => {}, 1000);
	`;

	test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('a service, after %s', async (signal) => {
		starter = startElsewhere(service());
		const [first, second] = [await nextLiving(), await nextLiving()];
		starter.kill(signal);
		await expectAllEnded(first, second);
	});

	test('a command, after SIGKILL', async () => {
		starter = startElsewhere(`
			require('./playground/processes/command')
				.runCommand(process.execPath, ['-e', process.env.LIVING, '${port}', '1'], { cwd: '/' });
		`);
		const [first, second] = [await nextLiving(), await nextLiving()];
		starter.kill('SIGKILL');
		await expectAllEnded(first, second);
	});

	const startHere = async () =>
		await Service.start({
			name: 'Living',
			command: process.execPath,
			args: ['-e', LIVING, String(port), '1'],
			cwd: folder,
			env: { ...process.env, LIVING },
			logFile: join(folder, 'living.log'),
		});

	test('stop() forces what does not listen, and kill() ends all at once', async () => {
		for (const end of [(one: Service) => one.stop(0.2), (one: Service) => one.kill()]) {
			const living = await startHere();
			const both = [await nextLiving(), await nextLiving()];
			await end(living);
			await expectAllEnded(...both);
			expect(await living.ended).toBe('signal SIGKILL');
		}
	});

	test('an exit code and a failed start are told', async () => {
		expect(await runCommand('/bin/sh', ['-c', 'echo out; echo err >&2; exit 3'], { cwd: '/' })).toEqual({
			code: 3,
			stdout: 'out\n',
			stderr: 'err\n',
		});
		await expect(runCommand('no-such-command', [], { cwd: '/' })).rejects.toMatchObject({ code: 'ENOENT' });
	});
});
