import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/** Reads the group's id, then waits: a second line means that the group may live, the end of the input that it dies. */
const SCRIPT = 'read -r group || exit 0; read -r released || kill -s KILL -- "-$group"';

/**
 * Sees to it that a process group does not outlive this process, however this process ends: a small shell outside the
 * group kills it as soon as the pipe to this process closes. An exit handler would not do: none runs when a signal
 * ends this process, nor inside jest.
 */
export class Guard {
	private readonly shell: ChildProcess;
	private isWatching = false;

	/** Make it before the group, so that no time passes between the group's start and {@link watch}. */
	constructor() {
		// In a session of its own, so that a Ctrl-C in the terminal does not reach it.
		this.shell = spawn('/bin/sh', ['-c', SCRIPT], {
			cwd: '/',
			detached: true,
			stdio: ['pipe', 'ignore', 'ignore'],
		});
		// Whatever becomes of the guard, it must not break what it guards; without a free file it has no pipe.
		const pipe = this.shell.stdin as Socket | undefined;
		for (const end of [this.shell, pipe]) end?.on('error', () => {}).unref();
	}

	/** @param pid - of a process started with `detached: true`; undefined when its start failed */
	watch(pid: number | undefined): void {
		if (pid === undefined) return this.release();
		this.shell.stdin?.write(`${pid}\n`);
		this.isWatching = true;
	}

	/** Lets the group live: it has ended, or is ended by other means. Doing so twice is fine. */
	release(): void {
		this.shell.stdin?.end(this.isWatching ? 'released\n' : '');
		this.isWatching = false;
	}
}
