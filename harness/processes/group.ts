import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import type { Socket } from 'node:net';

/** Reads the group's ID and kills the group when the input ends without a second line. */
const SCRIPT = 'read -r group || exit 0; read -r released || kill -s KILL -- "-$group"';

/**
 * A process and its descendants, which are killed when this process ends, however it ends: a small shell outside the group
 * waits until the pipe to this process closes. Exit handlers do not run after a signal or inside jest. Ctrl-C reaches neither.
 */
export class Group {
	readonly child: ChildProcess;
	private readonly pipe?: Socket;

	constructor(command: string, args: string[], options: SpawnOptions) {
		// Before the group, so that the shell watches it immediately.
		const shell = spawn('/bin/sh', ['-c', SCRIPT], {
			...{ cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
		});
		// A failing shell must not break what it guards. It has no pipe when too many files are open.
		this.pipe = shell.stdin as Socket | undefined;
		for (const end of [shell, this.pipe]) end?.on('error', () => {}).unref();
		this.child = spawn(command, args, { ...options, detached: true });
		if (this.child.pid === undefined) this.pipe?.end();
		else this.pipe?.write(`${this.child.pid}\n`);
	}

	/** Signals all processes; 0 signals none. @returns whether there is one */
	kill(signal: NodeJS.Signals | 0): boolean {
		try {
			return this.child.pid !== undefined && process.kill(-this.child.pid, signal);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
			return false;
		}
	}

	/** Stops watching, because all processes have ended. Can be called twice. */
	release(): void {
		if (!this.pipe?.writableEnded) this.pipe?.end('released\n');
	}
}
