import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { takeLock, withLock } from '../../../../harness/install/lock';

const ROOT = join(__dirname, '..', '..', '..', '..');

describe('The lock of an installation', () => {
	let parent: string;
	let folder: string;
	let other: ChildProcess | undefined;

	beforeEach(() => {
		parent = mkdtempSync(join(tmpdir(), 'lock-'));
		folder = join(parent, 'cache', 'host');
	});
	afterEach(() => {
		other?.kill('SIGKILL');
		rmSync(parent, { recursive: true, force: true });
	});

	test('has one holder at a time and is free again when released', () => {
		const release = takeLock(folder);
		expect(release).toBeDefined();
		expect(takeLock(folder)).toBeUndefined();
		release!();
		const again = takeLock(folder);
		expect(again).toBeDefined();
		again!();
	});

	test('is free immediately after its holder is killed', async () => {
		const code = `
			const release = require('./harness/install/lock').takeLock(${JSON.stringify(folder)});
			process.stdout.write(release ? 'held' : 'refused');
			setInterval(() => release.name, 1000);
		`;
		const options = { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'] };
		const holder = spawn(process.execPath, ['--import', 'tsx', '-e', code], options);
		other = holder;
		expect(String(await once(holder.stdout, 'data'))).toBe('held');
		expect(takeLock(folder)).toBeUndefined();
		holder.kill('SIGKILL');
		await once(holder, 'exit');
		const release = takeLock(folder);
		expect(release).toBeDefined();
		release!();
	});

	test('makes a second caller wait, with one report', async () => {
		const reported: string[] = [];
		const options = { report: (line: string) => reported.push(line), waitingFor: 'waiting' };
		let running = 0;
		let finish = () => {};
		const first = withLock(
			folder,
			async () => {
				running++;
				await new Promise<void>((resolve) => (finish = resolve));
				running--;
			},
			options,
		);
		const second = withLock(folder, async () => running, options);
		expect(reported).toEqual(['waiting']);
		finish();
		await first;
		expect(await second).toBe(0);
		expect(reported).toEqual(['waiting']);
	});

	test('is released when the work fails, and the wait can be cancelled', async () => {
		const options = { report: () => {}, waitingFor: '' };
		await expect(withLock(folder, async () => Promise.reject(new Error('work')), options)).rejects.toThrow(
			'work',
		);
		const release = takeLock(folder)!;
		const controller = new AbortController();
		const waiting = withLock(folder, async () => {}, { ...options, signal: controller.signal });
		controller.abort();
		await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
		release();
	});

	test('fails with an error if it cannot be created', () => {
		writeFileSync(join(parent, 'cache'), 'a file instead of the folder');
		expect(() => takeLock(folder)).toThrow(/EEXIST|ENOTDIR/);
		rmSync(join(parent, 'cache'));
		takeLock(folder)!();
		rmSync(`${folder}.lock.db`);
		writeFileSync(`${folder}.lock.db`, 'not a database'.repeat(100));
		expect(() => takeLock(folder)).toThrow(/The lock file .* cannot be used: .*not a database/);
		expect(existsSync(folder)).toBe(false);
	});
});
