import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'libsql';
import { HarnessProblem, type Report } from '../problem';

/** Runs work while holding a folder's lock. Waits while another process holds it. */
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
 * Locks a folder without waiting. The operating system holds the lock, on an empty SQLite database, and releases it when
 * this process ends, however it ends: no lock is left behind, and no process ID has to be trusted.
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
