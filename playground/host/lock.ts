import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import Database from 'libsql';

import { PlaygroundProblem, type Report } from '../problem';

/**
 * Does something while no other process of this machine does it for the same folder. A second process waits.
 *
 * @param folder - what is locked, see {@link takeLock}
 * @param work - done while the lock is held
 * @param options.waitingFor - told once when another process holds the lock
 * @throws the system's error or {@link PlaygroundProblem}, see {@link takeLock}
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
 * Locks a folder, without waiting. The operating system keeps the lock (SQLite's, on an empty database beside the
 * folder) and gives it up when this process ends, however it ends: no lock is ever left behind, and no process id has
 * to be trusted.
 *
 * @param folder - what is locked; the lock is on the file `<folder>.lock.db`, which stays
 * @returns the function that gives the lock up; undefined when another holds it
 * @throws the system's error (with `code`) when there can be no file
 * @throws {PlaygroundProblem} when the file can be made but not locked
 */
export function takeLock(folder: string): (() => void) | undefined {
	const file = `${folder}.lock.db`;
	mkdirSync(dirname(file), { recursive: true });
	accessSync(dirname(file), constants.W_OK);
	// A file that can only be read would be opened, and lock nothing.
	if (existsSync(file)) accessSync(file, constants.W_OK);
	let database: Database.Database | undefined;
	try {
		database = new Database(file);
		database.exec('BEGIN EXCLUSIVE');
	} catch (error) {
		database?.close();
		if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return undefined;
		throw new PlaygroundProblem(
			`The lock file ${file} cannot be used: ${String(error)}. Free some room and check its rights, or set PLAYGROUND_CACHE to another folder.`,
		);
	}
	const held = database;
	return () => void held.close();
}
