import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/** Signals a process started with `detached: true` and its descendants. Does nothing if the group is gone. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

/** Whether any process of the group is running. */
export function groupRuns(pid: number): boolean {
	try {
		process.kill(-pid, 0);
		return true;
	} catch {
		return false;
	}
}

/** Reads the group's ID and kills the group when the input ends without a second line. */
const SCRIPT = 'read -r group || exit 0; read -r released || kill -s KILL -- "-$group"';

/**
 * Kills a process group when this process ends, however it ends: a small shell outside the group waits until
 * the pipe to this process closes. Exit handlers do not run after a signal or inside jest.
 */
export class Guard {
	private readonly shell: ChildProcess;
	private isWatching = false;

	/** Create the guard before the group, so that {@link watch} follows immediately after the group's start. */
	constructor() {
		// Detached, so that Ctrl-C does not reach the shell.
		this.shell = spawn('/bin/sh', ['-c', SCRIPT], {
			cwd: '/',
			detached: true,
			stdio: ['pipe', 'ignore', 'ignore'],
		});
		// A failing guard must not break what it guards. It has no pipe when too many files are open.
		const pipe = this.shell.stdin as Socket | undefined;
		for (const end of [this.shell, pipe]) end?.on('error', () => {}).unref();
	}

	/** @param pid - of a process started with `detached: true`; undefined if the start failed */
	watch(pid: number | undefined): void {
		if (pid === undefined) return this.release();
		this.shell.stdin?.write(`${pid}\n`);
		this.isWatching = true;
	}

	/** Stops watching, because the group has ended or is stopped in another way. Can be called twice. */
	release(): void {
		this.shell.stdin?.end(this.isWatching ? 'released\n' : '');
		this.isWatching = false;
	}
}
