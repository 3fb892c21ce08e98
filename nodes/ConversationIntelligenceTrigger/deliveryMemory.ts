import { createHash } from 'crypto';

/** How much is remembered of the deliveries that were answered 2xx. */
export interface MemoryLimits {
	/** The oldest are forgotten beyond this many. */
	entries: number;
	/** Forgotten after this time. */
	milliseconds: number;
}

/** A delivery that goes through, and how it ended. */
export interface Turn {
	/** @param accepted whether the 2xx really left */
	end(accepted: boolean): void;
}

/**
 * Remembers which deliveries were answered 2xx, so that a repeat starts nothing, and makes copies that are under way
 * at the same time wait for the first. Nothing is remembered of a delivery that was not acknowledged.
 * Exact within a process; another process has its own.
 */
export class DeliveryMemory {
	/** Digest of a key → when it was accepted, oldest first. */
	private readonly accepted = new Map<string, number>();
	private readonly underWay = new Map<string, Promise<void>>();

	constructor(
		private readonly limits: MemoryLimits,
		private readonly now: () => number = Date.now,
	) {}

	/**
	 * Asks for the turn of a delivery. While a copy is under way this waits for its end: then the delivery is
	 * either a repeat of an accepted one, or goes through in place of one that was not.
	 *
	 * @param name what tells deliveries apart, of any length: only its digest is kept
	 * @returns undefined for a repeat; else the turn, which must be ended
	 */
	async begin(name: string): Promise<Turn | undefined> {
		const key = createHash('sha256').update(name).digest('base64');
		for (let other = this.underWay.get(key); other; other = this.underWay.get(key)) await other;
		if (this.remembers(key)) return undefined;
		let finish = (): void => {};
		const ended = new Promise<void>((resolve) => (finish = resolve));
		this.underWay.set(key, ended);
		return {
			end: (accepted) => {
				if (this.underWay.get(key) !== ended) return;
				if (accepted) this.remember(key);
				this.underWay.delete(key);
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
