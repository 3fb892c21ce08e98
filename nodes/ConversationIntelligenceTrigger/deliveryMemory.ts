import { createHash } from 'crypto';

export interface Turn {
	/** @param accepted whether the success status really left */
	end(accepted: boolean): void;
}

/**
 * Remembers which deliveries were answered with success, so that a repeat starts nothing, and makes simultaneous copies
 * wait for the first. A delivery that was not acknowledged is not remembered. Exact within a process; each process has its own.
 */
export class DeliveryMemory {
	/** Digest of a key → when it was accepted, oldest first. */
	private readonly accepted = new Map<string, number>();
	private readonly inFlight = new Map<string, Promise<void>>();

	/** @param limits how many deliveries are remembered, and for how long */
	constructor(
		private readonly limits: { entries: number; milliseconds: number },
		private readonly now: () => number = Date.now,
	) {}

	/**
	 * Waits for a running copy of the delivery, then decides whether this one goes through.
	 *
	 * @returns undefined for a repeat of an accepted delivery; else the turn, which must be ended
	 */
	async begin(name: string): Promise<Turn | undefined> {
		const key = createHash('sha256').update(name).digest('base64');
		for (let other = this.inFlight.get(key); other; other = this.inFlight.get(key)) await other;
		if (this.remembers(key)) return undefined;
		let finish = (): void => {};
		const ended = new Promise<void>((resolve) => (finish = resolve));
		this.inFlight.set(key, ended);
		return {
			end: (accepted) => {
				if (this.inFlight.get(key) !== ended) return;
				if (accepted) this.remember(key);
				this.inFlight.delete(key);
				finish();
			},
		};
	}

	private remembers(key: string): boolean {
		const at = this.accepted.get(key);
		return at !== undefined && this.now() - at < this.limits.milliseconds;
	}

	private remember(key: string): void {
		this.accepted.delete(key);
		this.accepted.set(key, this.now());
		for (const [oldest, at] of this.accepted) {
			const outdated = this.now() - at >= this.limits.milliseconds;
			if (!outdated && this.accepted.size <= this.limits.entries) break;
			this.accepted.delete(oldest);
		}
	}
}
