import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HarnessProblem } from '../problem';
import { Group } from './group';

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
	uid?: number;
	gid?: number;
}

/** A process that logs to a file and runs until it is stopped or this process ends. */
export class Service {
	private end?: string;

	private constructor(
		readonly name: string,
		readonly logFile: string,
		private readonly stopSignal: NodeJS.Signals,
		private readonly group: Group,
		/** Resolves when the process has ended, with its exit code or signal as text. */
		readonly ended: Promise<string>,
	) {
		void ended.then((how) => {
			this.end = how;
			// A crashed process can leave children, so the group stays guarded until it is empty.
			if (!group.kill(0)) group.release();
		});
	}

	/** Starts the process in its own group, so that Ctrl-C reaches only the caller, who then stops everything in order. */
	static async start(given: ServiceOptions): Promise<Service> {
		const { name, command, args, logFile, stopSignal = 'SIGTERM', ...options } = given;
		mkdirSync(dirname(logFile), { recursive: true });
		const log = openSync(logFile, 'w');
		const group = new Group(command, args, { ...options, stdio: ['ignore', log, log] });
		const ended = new Promise<string>((resolve) =>
			group.child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`)),
		);
		try {
			await once(group.child, 'spawn');
		} catch (error) {
			throw new HarnessProblem(`${name} could not be started: ${String(error)}`);
		} finally {
			closeSync(log);
		}
		return new Service(name, logFile, stopSignal, group, ended);
	}

	get pid(): number {
		return this.group.child.pid!;
	}

	get log(): string {
		return readFileSync(this.logFile, 'utf8');
	}

	/** Waits until the process is ready. If that fails, stops the process. */
	async waitUntil(isReady: () => Promise<boolean>, limitSeconds: number, signal?: AbortSignal) {
		const deadline = Date.now() + limitSeconds * 1000;
		try {
			while (!(await isReady().catch(() => false))) {
				if (this.end !== undefined) throw this.problem(`ended before it was ready (${this.end})`);
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
		if (this.end === undefined) this.group.kill(this.stopSignal);
		await Promise.race([this.ended, delay(limitSeconds * 1000, undefined, { ref: false })]);
		await this.kill();
	}

	/** Kills the process like a crash would. */
	async kill(): Promise<void> {
		this.group.kill('SIGKILL');
		await this.ended;
		this.group.release();
	}

	private problem(what: string): HarnessProblem {
		const tail = this.log.trimEnd().split('\n').slice(-20).join('\n');
		return new HarnessProblem(`${this.name} ${what}. The end of ${this.logFile}:\n${tail}`);
	}
}
