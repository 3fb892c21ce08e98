import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { hostFolder, installHost } from '../../../harness/install/host';
import { takeLock, withLock } from '../../../harness/install/lock';
import { ownerPassword } from '../../../harness/n8n/session';
import { HarnessProblem, inWords } from '../../../harness/problem';
import { runCommand } from '../../../harness/processes/command';
import { Service } from '../../../harness/processes/service';
import { describeMissing, POSTGRES, REDIS } from '../../../harness/tools';

const ROOT = join(__dirname, '../../..');

let folder: string;
/** Another process of this repository. */
let other: ChildProcess | undefined;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'harness-'))));
afterEach(() => {
	other?.kill('SIGKILL');
	rmSync(folder, { recursive: true, force: true });
});
const runInOther = (code: string) =>
	(other = spawn(process.execPath, ['--import', 'tsx', '-e', code], { cwd: ROOT }));

describe('A process of the harness', () => {
	/** A program that keeps a connection open while it runs and starts another, as n8n starts its task runner. */
	const LIVING = `
		const [port, more] = process.argv.slice(1).map(Number);
		require('net').connect(port, '127.0.0.1');
		process.on('SIGTERM', () => {});
		if (more > 0) require('child_process').spawn(process.execPath, ['-e', process.env.LIVING, port, more - 1]);
	`;
	let server: Server;
	let ends: Array<Promise<unknown>>;

	beforeEach(async () => {
		ends = [];
		server = createServer((socket) => {
			ends.push(once(socket.unref().resume(), 'close').catch(() => []));
		});
		await once(server.listen(0, '127.0.0.1'), 'listening');
	});
	afterEach(() => void server.close());

	/** Waits until the program and the one that it starts have connected. */
	const bothLive = async () => {
		while (ends.length < 2) await once(server, 'connection');
	};
	const options = () => ({
		name: 'Living',
		command: process.execPath,
		args: ['-e', LIVING, String((server.address() as AddressInfo).port), '1'],
		cwd: folder,
		env: { ...process.env, LIVING },
		logFile: join(folder, 'living.log'),
	});

	test('ends when the process that started it is killed', async () => {
		const starter = runInOther(`
			require('./harness/processes/service').Service.start(${JSON.stringify(options())});
			setInterval(() => {}, 1000);
		`);
		await bothLive();
		starter.kill('SIGKILL');
		expect(await Promise.all(ends)).toHaveLength(2);
	});

	test.each<[how: string, end: (one: Service) => Promise<void>]>([
		['stop() if it ignores signals', async (one) => await one.stop(0.2)],
		['kill()', async (one) => await one.kill()],
	])('is killed by %s', async (_how, end) => {
		const living = await Service.start(options());
		await bothLive();
		await end(living);
		expect(await Promise.all(ends)).toHaveLength(2);
		expect(await living.ended).toBe('signal SIGKILL');
	});
});

describe('Installing n8n', () => {
	/** A fake npm that records its commands, and fails with the content of a file if there is one. */
	const NPM = `#!/bin/sh
echo "$1" >> "$FAKE/calls"
[ "$1" = install ] && mkdir -p node_modules/n8n && echo {} > node_modules/n8n/package.json
[ -f "$FAKE/$1" ] || exit 0
cat "$FAKE/$1" >&2
exit 1
`;
	const env = { ...process.env };
	beforeEach(() => {
		for (const tool of ['npm', 'python3', 'make', 'g++'])
			writeFileSync(join(folder, tool), NPM, { mode: 0o755 });
		Object.assign(process.env, { FAKE: folder, PATH: [folder, env.PATH].join(delimiter) });
	});
	afterEach(() => void (process.env = { ...env }));

	const install = async () => await installHost(join(folder, 'cache/host-1'), () => {});
	test.each([
		['install', 'npm error code ENOTFOUND', ['install', 'install', 'rebuild']],
		['rebuild', 'gyp ERR! stack Error: not found: make', ['install', 'rebuild', 'install', 'rebuild']],
	])(
		'quotes npm if its %s fails, and leaves only a complete folder the next time',
		async (command, message, expected) => {
			writeFileSync(join(folder, command), message);
			await expect(install()).rejects.toThrow(`failed:\n${message}`);
			expect(existsSync(join(folder, 'cache/host-1'))).toBe(false);
			rmSync(join(folder, command));
			await install();
			expect(readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')).toEqual(expected);
			expect(readdirSync(join(folder, 'cache'))).toEqual(['host-1']);
			expect(existsSync(join(folder, 'cache/host-1/node_modules/n8n/package.json'))).toBe(true);
		},
	);

	test.each([
		[{ PLAYGROUND_CACHE: '/x' }, '/x'],
		[{ XDG_CACHE_HOME: '/y' }, '/y/n8n-nodes-conversation-intelligence'],
		[{ PLAYGROUND_CACHE: '' }, join(homedir(), '.cache', 'n8n-nodes-conversation-intelligence')],
	])('with the variables %j, n8n is installed in %s', (variables, parent) => {
		expect(dirname(hostFolder(variables))).toBe(parent);
	});

	test('has a lock that is free immediately after its holder is killed', async () => {
		const lock = join(folder, 'host');
		const holder = runInOther(`
			const release = require('./harness/install/lock').takeLock(${JSON.stringify(lock)});
			process.stdout.write(release ? 'held' : 'refused');
			setInterval(() => release.name, 1000);
		`);
		expect(String(await once(holder.stdout!, 'data'))).toBe('held');
		expect(takeLock(lock)).toBeUndefined();
		holder.kill('SIGKILL');
		await once(holder, 'exit');
		takeLock(lock)!();
	});

	test('makes a second caller wait, with one report, until the first has ended or failed', async () => {
		const reported: string[] = [];
		const options = { report: (line: string) => reported.push(line), waitingFor: 'waiting' };
		let fail: (error: Error) => void = () => {};
		const working = new Promise<never>((_resolve, reject) => (fail = reject));
		const first = withLock(join(folder, 'host'), async () => await working, options);
		const second = withLock(join(folder, 'host'), async () => 'done', options);
		expect(reported).toEqual(['waiting']);
		fail(new Error('work'));
		await expect(first).rejects.toThrow('work');
		expect(await second).toBe('done');
		expect(reported).toEqual(['waiting']);
	});
});

test('each n8n has a password of its own, which is kept for the next start and read by its user alone', () => {
	const folders = ['one', 'two'].map((name) => join(folder, name));
	for (const one of folders) mkdirSync(one);
	const [first, second] = folders.map(ownerPassword);
	expect(first).not.toBe(second);
	expect(ownerPassword(folders[0])).toBe(first);
	expect(statSync(join(folders[0], 'owner-password')).mode & 0o777).toBe(0o600);
	for (const password of [first, second]) expect(password).toMatch(/^(?=.*[0-9])(?=.*[A-Z])[\w-]{20,}$/);
});

test('the console shows the message of a known problem, and the stack of an unexpected error', () => {
	expect(inWords(new HarnessProblem('Do this.'))).toBe('Do this.');
	expect(inWords(new TypeError('x is not a function'))).toMatch(/TypeError: x is not a function\n\s+at /);
	const full = Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC', syscall: 'write' });
	expect(inWords(full)).toMatch(/^The disk is full\..*\n\(ENOSPC: write\)$/);
});

test('the console names a missing program, and system tools with their purpose and how to install them', async () => {
	const run = runCommand('npm', [], { cwd: '/', env: { PATH: '/nowhere' } });
	expect(inWords(await run.catch((error: unknown) => error))).toMatch(
		/"npm" was not found\. It comes with Node/,
	);
	expect(describeMissing([REDIS, POSTGRES])).toBe(
		'Missing: Redis (for queue mode), PostgreSQL (for queue mode). Install it (on Debian or Ubuntu: sudo apt-get install redis-server postgresql) and run the command again.',
	);
});

test.each([
	['20.18.1', 'linux', 'none'],
	['22.0.0', 'linux', 'none'],
	['20.18.0', 'linux', 'Node 20.18.0 is too old. Install Node 20.18.1 or newer'],
	['24.0.0', 'win32', 'inside the Windows Subsystem for Linux'],
])('on Node %s and %s, the programs object: %s', (version, platform, objection) => {
	const code = `import { objection } from './scripts/check.mjs'; console.log(objection('${version}', '${platform}') ?? 'none');`;
	const options = { cwd: ROOT, encoding: 'utf8' as const };
	expect(execFileSync(process.execPath, ['--input-type=module', '-e', code], options)).toContain(objection);
});
