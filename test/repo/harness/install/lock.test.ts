import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { takeLock, withLock } from '../../../../harness/install/lock';

const ROOT = join(__dirname, '..', '..', '..', '..');

let folder: string;
beforeEach(() => {
	folder = join(mkdtempSync(join(tmpdir(), 'lock-')), 'host');
});
afterEach(() => rmSync(dirname(folder), { recursive: true, force: true }));

test('the lock of an installation is free immediately after its holder is killed', async () => {
	const code = `
		const release = require('./harness/install/lock').takeLock(${JSON.stringify(folder)});
		process.stdout.write(release ? 'held' : 'refused');
		setInterval(() => release.name, 1000);
	`;
	const holder = spawn(process.execPath, ['--import', 'tsx', '-e', code], { cwd: ROOT });
	try {
		expect(String(await once(holder.stdout, 'data'))).toBe('held');
		expect(takeLock(folder)).toBeUndefined();
	} finally {
		holder.kill('SIGKILL');
		await once(holder, 'exit');
	}
	takeLock(folder)!();
});

test('a second caller waits, with one report, until the first has ended or failed', async () => {
	const reported: string[] = [];
	const options = { report: (line: string) => reported.push(line), waitingFor: 'waiting' };
	let fail: (error: Error) => void = () => {};
	const working = new Promise<never>((_resolve, reject) => (fail = reject));
	const first = withLock(folder, async () => await working, options);
	const second = withLock(folder, async () => 'done', options);
	expect(reported).toEqual(['waiting']);
	fail(new Error('work'));
	await expect(first).rejects.toThrow('work');
	expect(await second).toBe('done');
	expect(reported).toEqual(['waiting']);
});
