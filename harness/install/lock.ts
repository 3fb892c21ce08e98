import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import Database from 'libsql';

import { HarnessProblem, type Report } from '../problem';

/**
 * Runs work while holding a folder's lock. Waits while another process holds it.
 *
 * @param folder - see {@link takeLock}
 * @param work - runs while the lock is held
 * @param options.waitingFor - reported once if another process holds the lock
 * @throws the system's error or {@link HarnessProblem}, see {@link takeLock}
 */
export async function withLock<T>(
	folder: string,
	work: () => Promise<T>,
	{ report, waitingFor, signal }: { report: Report; waitingFor: string; signal?: AbortSignal },
): Promise<T> {
	let release = takeLock(folder);
	if (!release) report(waitingFor);
	while (!release) {
		await delay(500, undefined, { signal });
		release = takeLock(folder);
	}
	try {
		return await work();
	} finally {
		release();
	}
}

/**
 * Locks a folder without waiting. The operating system holds the lock, on an empty SQLite database, and
 * releases it when this process ends, however it ends: no lock is left behind, and no process ID has to be
 * trusted.
 *
 * @param folder - its lock is on the file `<folder>.lock.db`, which is kept
 * @returns a function that releases the lock; undefined when another process holds it
 * @throws the system's error (with `code`) when the file cannot be created
 * @throws {HarnessProblem} when the file exists but cannot be locked
 */
export function takeLock(folder: string): (() => void) | undefined {
	const file = `${folder}.lock.db`;
	mkdirSync(dirname(file), { recursive: true });
	accessSync(dirname(file), constants.W_OK);
	// SQLite would open a read-only file, but not lock it.
	if (existsSync(file)) accessSync(file, constants.W_OK);
	let database: Database.Database | undefined;
	try {
		database = new Database(file);
		database.exec('BEGIN EXCLUSIVE');
	} catch (error) {
		database?.close();
		if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return undefined;
		throw new HarnessProblem(
			`The lock file ${file} cannot be used: ${String(error)}. Check disk space and permissions, or set PLAYGROUND_CACHE to another folder.`,
		);
	}
	const held = database;
	return () => void held.close();
}
