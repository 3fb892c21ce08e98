import { createHash } from 'crypto';

/** The right to process a delivery, until its outcome is known. */
export interface Permit {
	/** @param accepted whether the success status really left */
	release(accepted: boolean): void;
}

/**
 * Remembers which deliveries were acknowledged, so that a repeat starts nothing, and makes simultaneous copies wait for
 * the first. A delivery that was not acknowledged is not remembered. Exact within a process; each process has its own.
 */
export class DeliveryMemory {
	/** Digest of a name → when it is forgotten, least recent first. */
	private readonly accepted = new Map<string, number>();
	private readonly inFlight = new Map<string, Promise<void>>();

	/** @param maxEntries how many deliveries are remembered */
	constructor(
		private readonly maxEntries: number,
		private readonly now: () => number = Date.now,
	) {}

	/**
	 * Waits for a running copy of the delivery, then decides whether this one goes through.
	 *
	 * @param name the same for each copy
	 * @param lifetimeMs how long an accepted copy is remembered, from the latest one
	 * @returns undefined for a repeat; else a permit that must be released once
	 */
	async acquire(name: string, lifetimeMs: number): Promise<Permit | undefined> {
		const key = createHash('sha256').update(name).digest('base64');
		for (let other = this.inFlight.get(key); other; other = this.inFlight.get(key)) await other;
		if (this.now() < (this.accepted.get(key) ?? -Infinity)) {
			// A repeat has a later time of sending, so it can be replayed for longer than the first copy.
			this.remember(key, lifetimeMs);
			return undefined;
		}
		let finish = (): void => {};
		this.inFlight.set(key, new Promise((resolve) => (finish = resolve)));
		return {
			release: (accepted) => {
				if (accepted) this.remember(key, lifetimeMs);
				this.inFlight.delete(key);
				finish();
			},
		};
	}

	private remember(key: string, lifetimeMs: number): void {
		this.accepted.delete(key);
		this.accepted.set(key, this.now() + lifetimeMs);
		for (const [oldest, forgottenAt] of this.accepted) {
			if (this.now() < forgottenAt && this.accepted.size <= this.maxEntries) break;
			this.accepted.delete(oldest);
		}
	}
}
