/** The exit code of a program that was interrupted. */
export const INTERRUPTED = 130;

/** What was started, to be stopped in the opposite order. */
export class Shutdown {
	private readonly steps: Array<() => Promise<unknown>> = [];
	private readonly controller = new AbortController();

	/** Fires at the first Ctrl-C (or SIGTERM, SIGHUP): for work that can be broken off. */
	readonly signal = this.controller.signal;

	constructor() {
		for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(name, () => {
				// The second time the reader is in a hurry; what was started is killed on exit.
				if (this.signal.aborted) process.exit(INTERRUPTED);
				this.controller.abort();
			});
		}
	}

	/** Resolves at the first Ctrl-C. */
	get requested(): Promise<void> {
		return new Promise((resolve) => {
			if (this.signal.aborted) return resolve();
			this.signal.addEventListener('abort', () => resolve(), { once: true });
		});
	}

	/** Remembers how to stop what was just started. */
	add(step: () => Promise<unknown>): void {
		this.steps.push(step);
	}

	/** Stops everything; a step that fails does not keep the others from being done. */
	async run(): Promise<void> {
		for (const step of this.steps.splice(0).reverse()) {
			await step().catch((error: unknown) => console.error(`While stopping: ${String(error)}`));
		}
	}
}
