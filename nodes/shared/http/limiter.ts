import { sleep } from 'n8n-workflow';
import { AcceptedRate, type LoadSignal } from './acceptedRate';

/** Requests of a run in flight, unless the user allows fewer. */
export const MAX_IN_FLIGHT = 100;

/** Ends a request's permit, with the pause that the service asked for. Without a result, nothing is learned. */
export type Release = (result?: LoadSignal, retryAfterMs?: number) => void;

export class PastDeadline extends Error {}

type Waiting = { deadline: number; resolve: (release: Release) => void; reject: (reason: Error) => void };

/**
 * Decides how many requests are in flight and how fast they start: within the user's limits, and as fast as the service
 * accepts them (D2 § Limits, 1). First come, first served, so that no retry starves.
 */
export class Limiter {
	readonly rate = new AcceptedRate();
	inFlight = 0;
	private queue: Waiting[] = [];
	private readonly latestStarts: number[] = [];
	private maxInFlight = MAX_IN_FLIGHT;
	private wakesAt = Infinity;

	/** @param signal ends every wait with its reason */
	constructor(private readonly signal: AbortSignal) {
		signal.addEventListener('abort', () => {
			for (const { reject } of this.queue.splice(0)) reject(signal.reason as Error);
		});
	}

	/** Sets the maximum requests in flight and per second. If items have different limits, the lowest limit applies. */
	limit({ concurrency, perSecond = Infinity }: { concurrency: number; perSecond?: number }): void {
		this.maxInFlight = Math.min(this.maxInFlight, concurrency);
		this.rate.maxPerSecond = Math.min(this.rate.maxPerSecond, perSecond);
	}

	/**
	 * Resolves when the next request may start.
	 * @throws PastDeadline when it cannot by the deadline, on the clock of `performance.now()`, and the signal's reason
	 */
	async acquire(deadline = Infinity): Promise<Release> {
		this.signal.throwIfAborted();
		const release = await new Promise<Release>((resolve, reject) => {
			this.queue.push({ deadline, resolve, reject });
			this.startNext();
		});
		this.signal.throwIfAborted();
		return release;
	}

	private startNext(): void {
		while (this.queue.length > 0 && this.inFlight < Math.min(this.maxInFlight, this.rate.window)) {
			const now = performance.now();
			const startAt = Math.max(this.rate.nextStartAt, this.capFreeAt());
			if (startAt > now) return this.wait(startAt, now);
			this.queue.shift()!.resolve(this.start(now));
		}
	}

	/** When the user's cap allows another start. */
	private capFreeAt(): number {
		const { latestStarts, rate } = this;
		const starts = Math.max(1, Math.floor(rate.maxPerSecond));
		latestStarts.splice(0, latestStarts.length - starts);
		return latestStarts.length < starts ? 0 : latestStarts[0] + Math.max(1000, 1000 / rate.maxPerSecond);
	}

	private wait(startAt: number, now: number): void {
		// The result of the test in flight decides; its own time limit keeps the deadline.
		if (startAt === Infinity) return;
		for (const { deadline, reject } of this.queue) if (deadline < startAt) reject(new PastDeadline());
		this.queue = this.queue.filter(({ deadline }) => deadline >= startAt);
		if (this.wakesAt <= startAt) return;
		this.wakesAt = startAt;
		void sleep(Math.ceil(startAt - now)).then(() => {
			this.wakesAt = Infinity;
			this.startNext();
		});
	}

	private start(now: number): Release {
		this.inFlight++;
		this.latestStarts.push(now);
		this.rate.start(now);
		return (result, retryAfterMs) => {
			this.inFlight--;
			this.rate.end(now, result, performance.now(), retryAfterMs);
			this.startNext();
		};
	}
}
