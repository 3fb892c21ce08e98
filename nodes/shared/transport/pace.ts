import { orCancelled, wait } from './cancel';

export interface PaceOptions {
	/** Requests under way at once at the beginning; at least 1. */
	start: number;
	/** Requests under way at once at most; at least `start`. */
	most: number;
	/** Requests that start in a second at most, retries included; no cap by default. */
	perSecond?: number;
}

/** What an answer says about the pace. */
export interface Ended {
	/** HTTP status; undefined when no answer came. */
	status?: number;
	/** The pause that the service asked for, in milliseconds. */
	retryAfterMs?: number;
}

/** A request under way. */
export interface Turn {
	/** Ends the turn, so that another request can start. */
	end(ended: Ended): void;
}

/** Answers slower than this many times the fastest one mean that more requests would only queue up. */
const SLOWER = 2;

/** At one request at a time, a further 429 spaces requests out, starting with this many milliseconds. */
const FIRST_SPACING_MS = 50;

/** Each accepted request shortens the spacing. */
const RECOVERY = 0.95;

/**
 * How many requests of a run are under way: more while answers come as fast as before, half as many after a 429 or
 * 503, never fewer than one. Shared by all requests of a run (D2 § Limits, 1).
 */
export class Pace {
	/** Requests that may be under way now. */
	private allowed: number;
	private underWay = 0;
	private readonly queue: Array<() => void> = [];
	private closedUntil = 0;
	private nextStartAt = 0;
	private spacing: number;
	private readonly leastSpacing: number;
	private fastest = Infinity;
	/** When requests were last slowed down: those that started before met the same limit. */
	private slowedAt = -Infinity;

	constructor(private readonly options: PaceOptions) {
		this.allowed = options.start;
		this.leastSpacing = 1000 / (options.perSecond ?? Infinity);
		this.spacing = this.leastSpacing;
	}

	/** Requests that may be under way at once now, a whole number. */
	get concurrency(): number {
		return Math.floor(this.allowed);
	}

	/**
	 * Resolves when the next request may start.
	 *
	 * @throws the signal's reason when the execution is stopped first
	 */
	async turn(signal?: AbortSignal): Promise<Turn> {
		for (;;) {
			signal?.throwIfAborted();
			const pause = Math.ceil(Math.max(this.closedUntil, this.nextStartAt) - Date.now());
			if (pause > 0) await wait(pause, signal);
			else if (this.underWay < this.concurrency) return this.start();
			else await orCancelled(new Promise<void>((resolve) => this.queue.push(resolve)), signal);
		}
	}

	private start(): Turn {
		const startedAt = Date.now();
		// A timer that fired a little late does not lower the rate.
		const from = startedAt - this.nextStartAt < this.spacing ? this.nextStartAt : startedAt;
		this.nextStartAt = from + this.spacing;
		this.underWay++;
		return {
			end: (ended) => {
				this.underWay--;
				this.adapt(ended, startedAt);
				for (let free = this.concurrency - this.underWay; free > 0; free--) this.queue.shift()?.();
			},
		};
	}

	private adapt({ status, retryAfterMs }: Ended, startedAt: number): void {
		const now = Date.now();
		if (retryAfterMs !== undefined) this.closedUntil = Math.max(this.closedUntil, now + retryAfterMs);
		if (status === 429 || status === 503) this.slowDown(startedAt, now);
		else if (status !== undefined && status < 500) this.speedUp(now - startedAt);
	}

	private slowDown(startedAt: number, now: number): void {
		if (startedAt < this.slowedAt) return;
		this.slowedAt = now;
		if (this.concurrency <= 1) this.spacing = Math.max(this.spacing * 2, FIRST_SPACING_MS);
		this.allowed = Math.max(1, this.allowed / 2);
	}

	private speedUp(took: number): void {
		this.fastest = Math.min(this.fastest, Math.max(1, took));
		const shorter = this.spacing * RECOVERY;
		this.spacing = Math.max(this.leastSpacing, shorter < 1 ? 0 : shorter);
		// Back to where it began in a few answers, beyond that with care.
		const step = this.allowed < this.options.start ? 1 : 1 / this.allowed;
		if (took <= this.fastest * SLOWER) this.allowed = Math.min(this.options.most, this.allowed + step);
	}
}
