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
	/** Of each node: digest of a delivery → when it is forgotten, least recent first. */
	private readonly accepted = new Map<string, Map<string, number>>();
	private readonly inFlight = new Map<string, Promise<void>>();

	/** @param maxEntries how many deliveries are remembered; beyond it, the node with the most forgets its oldest */
	constructor(
		private readonly maxEntries: number,
		private readonly now: () => number = Date.now,
	) {}

	/**
	 * Waits for a running copy of the delivery, then decides whether this one goes through.
	 *
	 * @param node the trigger that received it
	 * @param content the same for each copy
	 * @param lifetimeMs how long an accepted copy is remembered, from the latest one
	 * @returns undefined for a repeat; else a permit that must be released once
	 */
	async acquire(node: string, content: string, lifetimeMs: number): Promise<Permit | undefined> {
		const key = createHash('sha256').update(`${node}/${content}`).digest('base64');
		for (let other = this.inFlight.get(key); other; other = this.inFlight.get(key)) await other;
		if (this.now() < (this.accepted.get(node)?.get(key) ?? -Infinity)) {
			// A repeat has a later time of sending, so it can be replayed for longer than the first copy.
			this.remember(node, key, lifetimeMs);
			return undefined;
		}
		let finish = (): void => {};
		this.inFlight.set(key, new Promise((resolve) => (finish = resolve)));
		return {
			release: (accepted) => {
				if (accepted) this.remember(node, key, lifetimeMs);
				this.inFlight.delete(key);
				finish();
			},
		};
	}

	private remember(node: string, key: string, lifetimeMs: number): void {
		const own = this.accepted.get(node) ?? new Map<string, number>();
		own.delete(key);
		own.set(key, this.now() + lifetimeMs);
		this.accepted.set(node, own);
		let size = 0;
		let largest = own;
		for (const [name, entries] of this.accepted) {
			for (const [oldest, forgottenAt] of entries) {
				if (this.now() < forgottenAt) break;
				entries.delete(oldest);
			}
			if (entries.size === 0) this.accepted.delete(name);
			size += entries.size;
			if (entries.size > largest.size) largest = entries;
		}
		const [oldest] = largest.keys();
		if (size > this.maxEntries) largest.delete(oldest);
	}
}
