import { sleep } from 'n8n-workflow';
import { orCancelled } from './cancel';

export interface PaceOptions {
	/** Concurrent requests at the beginning; at least 1. */
	start: number;
	/** Most concurrent requests; at least `start`. */
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

/** A running request. */
export interface Turn {
	/** Ends the turn, so that another request can start. */
	end(ended: Ended): void;
}

interface Waiting {
	resolve(turn: Turn): void;
	reject(reason: Error): void;
}

/** Answers this many times slower than the fastest one mean that more requests would only queue up. */
const SLOWER = 2;

/**
 * A 429 lengthens the time between two requests, an accepted request shortens it. The two balance at one refusal in
 * twelve: a service that refuses one in twenty at random costs little, and a usage plan is used in full without a request
 * that runs out of retries.
 */
const LENGTHEN = 1.25;
const SHORTEN = 0.98;

/** For a 429 right after another one: the pace is far above what the service accepts. */
const LENGTHEN_AGAIN = 2;

/** The longest time between two requests, so that the pace recovers after an outage. */
const MAX_SPACING_MS = 1000;

/** After this many accepted requests in a row, the pace is far below what the service accepts. */
const MANY_ACCEPTED = 25;
const SHORTEN_MUCH = 0.9;

/**
 * Limits how many requests of a run are running: more while answers stay fast, half as many after a 429 or 503, never
 * fewer than one. Shared by all requests of a run (D2 § Limits, 1).
 */
export class Pace {
	/** Requests that may run now. */
	private allowed: number;
	private inFlight = 0;
	/** First come, first served, so that no repeated request starves. */
	private readonly queue: Waiting[] = [];
	private stoppedBy: Error | undefined;
	/** Whether the queue's only timer runs: the next start only ever moves later. */
	private isWaking = false;
	private closedUntil = 0;
	private nextStartAt = 0;
	private spacing: number;
	private readonly leastSpacing: number;
	private fastest = Infinity;
	/** How long an accepted request took, in milliseconds. */
	private typical = 1;
	/** When requests were last slowed down; an earlier request met the same limit. */
	private slowedAt = -Infinity;
	/** Requests accepted since the last 429. */
	private accepted = 1;

	constructor(private readonly options: PaceOptions) {
		this.allowed = options.start;
		this.leastSpacing = 1000 / (options.perSecond ?? Infinity);
		this.spacing = this.leastSpacing;
	}

	/** Requests that may run concurrently now, a whole number. */
	get concurrency(): number {
		return Math.floor(this.allowed);
	}

	/**
	 * Resolves when the next request may start.
	 *
	 * @throws the signal's reason when the execution is stopped first, or the reason of {@link stop}
	 */
	async turn(signal?: AbortSignal): Promise<Turn> {
		signal?.throwIfAborted();
		if (this.stoppedBy) throw this.stoppedBy;
		const turn = new Promise<Turn>((resolve, reject) => this.queue.push({ resolve, reject }));
		this.startNext();
		return await orCancelled(turn, signal);
	}

	/** Lets no further request start: those that wait, now or later, fail with the reason. */
	stop(reason: Error): void {
		this.stoppedBy ??= reason;
		for (const { reject } of this.queue.splice(0)) reject(this.stoppedBy);
	}

	private startNext(): void {
		while (this.queue.length > 0 && this.inFlight < this.concurrency) {
			const now = Date.now();
			const pause = Math.ceil(Math.max(this.closedUntil, this.nextStartAt) - now);
			if (pause > 0) return this.wakeIn(pause);
			this.queue.shift()?.resolve(this.start(now));
		}
	}

	private wakeIn(pause: number): void {
		if (this.isWaking) return;
		this.isWaking = true;
		void sleep(pause).then(() => {
			this.isWaking = false;
			this.startNext();
		});
	}

	private start(startedAt: number): Turn {
		// A timer that fires a little late must not lower the rate.
		const from = startedAt - this.nextStartAt < this.spacing ? this.nextStartAt : startedAt;
		this.nextStartAt = from + this.spacing;
		this.inFlight++;
		return {
			end: (ended) => {
				this.inFlight--;
				this.adapt(ended, startedAt);
				this.startNext();
			},
		};
	}

	private adapt({ status = Infinity, retryAfterMs }: Ended, startedAt: number): void {
		const now = Date.now();
		if (retryAfterMs !== undefined) this.closedUntil = Math.max(this.closedUntil, now + retryAfterMs);
		if (status === 429 || status === 503) this.slowDown(startedAt, now);
		else if (status < 500) this.speedUp(now - startedAt);
	}

	private slowDown(startedAt: number, now: number): void {
		if (startedAt < this.slowedAt) return;
		this.slowedAt = now;
		const interval = Math.max(this.spacing, this.typical / this.allowed);
		const longer = interval * (this.accepted === 0 ? LENGTHEN_AGAIN : LENGTHEN);
		this.spacing = Math.max(this.leastSpacing, Math.min(longer, MAX_SPACING_MS));
		this.nextStartAt = Math.max(this.nextStartAt, now + this.spacing);
		this.accepted = 0;
		this.allowed = Math.max(1, this.allowed / 2);
	}

	private speedUp(took: number): void {
		this.accepted++;
		const { start, most } = this.options;
		this.typical = took;
		const shorter = this.spacing * (this.accepted > MANY_ACCEPTED ? SHORTEN_MUCH : SHORTEN);
		this.spacing = Math.max(this.leastSpacing, shorter < 1 ? 0 : shorter);
		this.fastest = Math.min(this.fastest, Math.max(1, took));
		// Recovers within a few answers; goes beyond the start only while answers stay fast, and slowly once a limit was met.
		const step = (this.slowedAt === -Infinity ? 4 : 1) / this.allowed;
		if (this.allowed < start) this.allowed = Math.min(start, this.allowed + 1);
		else if (took <= this.fastest * SLOWER) this.allowed = Math.min(most, this.allowed + step);
	}
}
