import { sleep } from 'n8n-workflow';
import { Gate } from '../transport/gate';

/** After a 429, requests start at least this many milliseconds apart. */
const SLOWED_SPACING_MS = 25;

/** Each request that starts shortens the spacing again: halved after some 23 of them. */
const RECOVERY = 0.97;

/**
 * A gate for many lanes that also spaces their requests out: to a cap of the user's, and to what the service
 * bears. Lanes that were held up together would otherwise meet the same limit together again, until one of their
 * items has no repeats left for the others' fault.
 */
export class PacedGate extends Gate {
	private readonly leastSpacing: number;

	private spacing: number;

	private nextStartAt = 0;

	private closedUntil = 0;

	/**
	 * @param requestsPerSecond no more requests than this start in a second, repeats included; no cap by default
	 */
	constructor(requestsPerSecond = Infinity) {
		super();
		this.leastSpacing = 1000 / requestsPerSecond;
		this.spacing = this.leastSpacing;
	}

	/** Requests that were under way together meet the same limit, so they slow the pace once. */
	override close(milliseconds: number): void {
		const now = Date.now();
		if (now >= this.closedUntil) this.spacing = Math.max(this.spacing * 2, SLOWED_SPACING_MS);
		this.closedUntil = Math.max(this.closedUntil, now + milliseconds);
		super.close(milliseconds);
	}

	/** Resolves when it is the caller's turn. */
	override async pass(): Promise<void> {
		for (;;) {
			await super.pass();
			const now = Date.now();
			// Timers may fire a millisecond early.
			const wait = Math.ceil(this.nextStartAt - now);
			if (wait <= 0) {
				this.take(now);
				return;
			}
			await sleep(wait);
		}
	}

	/** Books the turn; a timer that fired a little late does not lower the rate. */
	private take(now: number): void {
		const from = now - this.nextStartAt < this.spacing ? this.nextStartAt : now;
		this.nextStartAt = from + this.spacing;
		const recovered = this.spacing * RECOVERY;
		this.spacing = Math.max(this.leastSpacing, recovered < 1 ? 0 : recovered);
	}
}
