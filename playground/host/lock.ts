import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Report } from '../problem';

/**
 * Does something while no other process of this machine does it for the same folder. A second process waits; the
 * lock of a process that no longer runs is taken over.
 *
 * @param folder - what is locked; the lock is the file `<folder>.lock` beside it
 * @param work - done while the lock is held
 * @param options.waitingFor - told once when another process holds the lock
 */
export async function withLock<T>(
	folder: string,
	work: () => Promise<T>,
	{ report, waitingFor, signal }: { report: Report; waitingFor: string; signal?: AbortSignal },
): Promise<T> {
	const file = `${folder}.lock`;
	mkdirSync(dirname(file), { recursive: true });
	for (let told = false; !takeLock(file); await delay(500, undefined, { signal })) {
		if (!told) report(waitingFor);
		told = true;
	}
	try {
		return await work();
	} finally {
		rmSync(file, { force: true });
	}
}

/**
 * Makes a lock file that holds this process's id; false when it exists. One that a dead process left is removed,
 * so that the next try succeeds.
 */
export function takeLock(file: string): boolean {
	try {
		writeFileSync(file, String(process.pid), { flag: 'wx' });
		return true;
	} catch {
		if (!runs(ownerOf(file))) rmSync(file, { force: true });
		return false;
	}
}

function ownerOf(file: string): number {
	try {
		// An empty file is one that is being written right now.
		return Number(readFileSync(file, 'utf8')) || process.pid;
	} catch {
		return process.pid;
	}
}

/** Whether a process with this id runs. */
export function runs(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}
