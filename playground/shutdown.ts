import { once } from 'node:events';

/** The exit code of a program that was interrupted. */
export const INTERRUPTED = 130;

const SAME_KEYPRESS_MS = 1000;

/** Stops everything that was started, in reverse order. */
export class Shutdown {
	private readonly steps: Array<() => Promise<unknown>> = [];
	private readonly controller = new AbortController();
	private firstAt = 0;

	/** Fires at the first Ctrl-C (or SIGTERM, SIGHUP), for work that can be cancelled. */
	readonly signal = this.controller.signal;

	constructor() {
		for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(name, () => this.interrupt());
		}
	}

	private interrupt(): void {
		const now = Date.now();
		// A single Ctrl-C arrives twice: from the terminal and from npm.
		const isSecond = this.signal.aborted && now - this.firstAt > SAME_KEYPRESS_MS;
		// A second Ctrl-C exits immediately, and everything that was started is killed on exit.
		if (isSecond) process.exit(INTERRUPTED);
		if (!this.signal.aborted) this.firstAt = now;
		this.controller.abort();
	}

	/** Resolves at the first Ctrl-C. */
	async requested(): Promise<void> {
		if (!this.signal.aborted) await once(this.signal, 'abort');
	}

	/** Registers how to stop what was just started. */
	add(step: () => Promise<unknown>): void {
		this.steps.push(step);
	}

	/** Stops everything. A failed step does not prevent the others. */
	async run(): Promise<void> {
		for (const step of this.steps.splice(0).reverse()) {
			await step().catch((error: unknown) => console.error(`While stopping: ${String(error)}`));
		}
	}
}
