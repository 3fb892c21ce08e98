import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HarnessProblem } from '../problem';
import { groupRuns, Guard, killGroup } from './group';

interface ServiceOptions {
	/** The name in messages, e.g. `n8n`. */
	name: string;
	command: string;
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Receives all output; truncated at the start. */
	logFile: string;
	/** The signal that asks the process to end; SIGTERM by default. */
	stopSignal?: NodeJS.Signals;
	/** Runs the process as another user. */
	uid?: number;
	gid?: number;
}

/** A process that logs to a file and runs until it is stopped or this process ends. */
export class Service {
	/** Resolves when the process has ended, with its exit code or signal as text. */
	readonly ended: Promise<string>;
	private running = true;

	private constructor(
		readonly pid: number,
		ended: Promise<string>,
		readonly name: string,
		readonly logFile: string,
		private readonly stopSignal: NodeJS.Signals,
		private readonly guard: Guard,
	) {
		this.ended = ended.finally(() => {
			this.running = false;
			// A crashed process can leave children, so the group stays guarded until it is empty.
			if (!groupRuns(pid)) guard.release();
		});
	}

	/** Starts the process in its own group, so that Ctrl-C reaches only the caller, who then stops everything in order. */
	static async start(given: ServiceOptions): Promise<Service> {
		const { name, command, args, logFile, stopSignal = 'SIGTERM', ...options } = given;
		mkdirSync(dirname(logFile), { recursive: true });
		const log = openSync(logFile, 'w');
		const guard = new Guard();
		const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', log, log] });
		guard.watch(child.pid);
		const ended = new Promise<string>((resolve) =>
			child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`)),
		);
		try {
			await once(child, 'spawn');
		} catch (error) {
			throw new HarnessProblem(`${name} could not be started: ${String(error)}`);
		} finally {
			closeSync(log);
		}
		return new Service(child.pid!, ended, name, logFile, stopSignal, guard);
	}

	/** The process's output so far. */
	get log(): string {
		return readFileSync(this.logFile, 'utf8');
	}

	/** Waits until the process is ready. If that fails, stops the process. */
	async waitUntil(isReady: () => Promise<boolean>, limitSeconds: number, signal?: AbortSignal) {
		let end: string | undefined;
		void this.ended.then((how) => (end = how));
		const deadline = Date.now() + limitSeconds * 1000;
		try {
			while (!(await isReady().catch(() => false))) {
				if (end !== undefined) throw this.problem(`ended before it was ready (${end})`);
				if (Date.now() > deadline) throw this.problem(`was not ready after ${limitSeconds} seconds`);
				await delay(250, undefined, { signal });
			}
		} catch (error) {
			await this.stop();
			throw error;
		}
	}

	/** Stops the process and everything that it has started, by force after the limit. Can be called twice. */
	async stop(limitSeconds = 15): Promise<void> {
		if (this.running) killGroup(this.pid, this.stopSignal);
		await Promise.race([this.ended, delay(limitSeconds * 1000, undefined, { ref: false })]);
		if (groupRuns(this.pid)) killGroup(this.pid, 'SIGKILL');
		await this.ended;
		this.guard.release();
	}

	/** Kills the process like a crash would. */
	async kill(): Promise<void> {
		killGroup(this.pid, 'SIGKILL');
		await this.ended;
		this.guard.release();
	}

	private problem(what: string): HarnessProblem {
		const tail = this.log.trimEnd().split('\n').slice(-20).join('\n');
		return new HarnessProblem(`${this.name} ${what}. The end of ${this.logFile}:\n${tail}`);
	}
}
