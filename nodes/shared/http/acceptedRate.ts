import { backoffMs, POLICY } from './policy';

/** How a request ended, as far as the load on the service is concerned. `failed` is a 408, a 5xx or no response at all. */
export type Result = 'accepted' | 'refused' | 'failed';

/** How the rate is learned. Shares are between 0 and 1. */
const LEARNING = {
	/** The newest result counts for this much of the share of failures: nine in a row exceed the maximum. */
	resultWeight: 0.1,
	/** When more of the latest requests than this were refused or failed, requests stop. */
	maxFailedShare: 0.6,
	/** A limit is learned from as many accepted requests, if there were so many. */
	minAccepted: 20,
	/** A rate is measured until there are so many results, or some after a long time. */
	measurement: { minResults: 12, minMs: 250, longMs: 10_000, minResultsAfterLong: 4 },
	/** A probe sends this many times faster; what is accepted must grow by the other factor. */
	probe: { gain: 1.5, accepted: 1.2 },
	/** More refusals than this mean that the rate is too high. */
	maxRefusedShare: 0.15,
	/** Measurements between probes double while probes fail, up to this many. */
	maxMeasurementsBetweenProbes: 12,
	/** A learned rate above this limits nothing, in requests per second. */
	unlimitedPerSecond: 1500,
	/** Timers fire up to this late; the next requests make up for it. */
	timerSlackMs: 20,
} as const;

/** The service accepts nothing, or little: one request at a time tests it. */
interface Blocked {
	/** How the latest request ended. */
	result: 'refused' | 'failed';
	/** When the service reached its limit; undefined when it only fails. */
	limitedAt: number | undefined;
	/** In a row. */
	failedTests: number;
	nextAt: number;
	/** When the test in flight started; undefined while there is none. */
	testedAt?: number;
}

/**
 * Learns the rate of requests that the service accepts, as TCP's BBR follows the delivery rate. Single refusals do not
 * lower it: a service that refuses one request in ten at random accepts nine tenths of any rate.
 *
 * Requests are unlimited until most of them are refused or fail; then one at a time tests the service, with growing
 * pauses. If it soon refuses most requests again, it has a limit: as much as it accepted between the two times. Requests
 * then follow that rate, and faster probes find out whether more is accepted.
 *
 * All times are milliseconds of a monotonic clock.
 */
export class AcceptedRate {
	/** What the user allows. */
	maxPerSecond = Infinity;
	/** Learned; Infinity while the service shows no limit. */
	private perSecond = Infinity;
	private nextAt = 0;
	/** Changes with the rate: results of requests from before say nothing about it. */
	private period = 0;
	private failedShare = 0;
	private accepted = 0;
	private blocked: Blocked | undefined;
	/** When the service last reached its limit, and what it had accepted by then. */
	private limitedAt: { at: number; accepted: number } | undefined;
	private measured = { since: 0, accepted: 0, refused: 0 };
	/** Whether the rate was lowered after the last measurement. */
	private isLowered = false;
	/** The rate before the probe, and what was accepted at the rate just below it. */
	private probe: { from: number; accepted: number } | undefined;
	private untilProbe = 0;
	private betweenProbes = 1;

	/** Whether the service has accepted nothing for so long that more tests are pointless. */
	get acceptsNothing(): boolean {
		return this.blocked !== undefined && this.blocked.failedTests >= POLICY.maxRetries[this.blocked.result];
	}

	/** When the next request may start; Infinity while the result of a test is awaited. */
	get nextStartAt(): number {
		if (this.blocked === undefined) return this.nextAt;
		return this.blocked.testedAt === undefined ? this.blocked.nextAt : Infinity;
	}

	/**
	 * Takes in that a request starts.
	 *
	 * @returns the period in which it does, for its end
	 */
	start(now: number): number {
		if (this.blocked) this.blocked.testedAt = now;
		// Only a timer's lateness is made up for, never a pause.
		this.nextAt = (now - this.nextAt <= LEARNING.timerSlackMs ? this.nextAt : now) + this.spacing;
		return this.period;
	}

	/**
	 * Takes in how a request ended.
	 *
	 * @param result undefined when it says nothing about the service, e.g. after a cancellation
	 * @param retryAfterMs the pause that the service asked for
	 */
	end(period: number, result: Result | undefined, now: number, retryAfterMs = 0): void {
		if (result === 'accepted') this.accepted++;
		if (period !== this.period) return;
		if (this.blocked) return this.endTest(this.blocked, result, now, retryAfterMs);
		if (result === undefined) return;
		this.failedShare += ((result === 'accepted' ? 0 : 1) - this.failedShare) * LEARNING.resultWeight;
		if (result === 'accepted' || this.failedShare <= LEARNING.maxFailedShare) this.measure(result, now);
		else if (this.probe) this.endProbe(this.probe.from, now);
		else {
			this.period++;
			const nextAt = now + Math.max(retryAfterMs, backoffMs(1));
			this.blocked = { result, limitedAt: result === 'refused' ? now : undefined, failedTests: 0, nextAt };
		}
	}

	private get spacing(): number {
		return 1000 / Math.min(this.perSecond, this.maxPerSecond);
	}

	private endTest(blocked: Blocked, result: Result | undefined, now: number, retryAfterMs: number): void {
		if (result === 'accepted') {
			const { limitedAt, testedAt = now } = blocked;
			this.blocked = undefined;
			this.untilProbe = this.betweenProbes;
			// Refusals can come sooner than what was accepted beside them, so that counts only now; the test itself does not.
			if (limitedAt !== undefined) this.perSecond = this.limit(limitedAt, this.accepted - 1);
			this.nextAt = testedAt + this.spacing;
			return this.follow(this.perSecond, now);
		}
		blocked.testedAt = undefined;
		if (result !== undefined) {
			blocked.result = result;
			blocked.failedTests++;
		}
		const pause = this.acceptsNothing ? 0 : backoffMs(blocked.failedTests + 1);
		blocked.nextAt = now + Math.max(retryAfterMs, pause);
	}

	/**
	 * What was accepted in a second since the service last reached its limit: all that it accepts, however much was sent.
	 *
	 * @param now when it reached its limit again
	 * @param total accepted by then
	 */
	private limit(now: number, total = this.accepted): number {
		const last = this.limitedAt;
		const accepted = total - (last?.accepted ?? 0);
		if (!last || accepted >= LEARNING.minAccepted) this.limitedAt = { at: now, accepted: total };
		return last ? (Math.max(1, accepted) * 1000) / (now - last.at) : Infinity;
	}

	/** Compares what is accepted with the rate, once the service has shown a limit. */
	private measure(result: Result, now: number): void {
		if (this.perSecond === Infinity) return;
		if (result === 'accepted') this.measured.accepted++;
		else this.measured.refused++;
		const { since, accepted, refused } = this.measured;
		const results = accepted + refused;
		// A slow plan has no requests to spare for probes.
		const maxRefused = Math.min(5, Math.max(1, this.perSecond / 2));
		if (this.probe && refused >= maxRefused && refused > results / 4)
			return this.endProbe(this.probe.from, now);
		const took = now - since;
		const { minResults, minMs, longMs, minResultsAfterLong } = LEARNING.measurement;
		if (took < minMs || results < (took < longMs ? minResults : minResultsAfterLong)) return;
		const rate = (accepted * 1000) / took;
		if (this.probe === undefined) return this.adjust(rate, refused > results * LEARNING.maxRefusedShare, now);
		if (rate > this.probe.accepted * LEARNING.probe.accepted) this.beginProbe(this.perSecond, rate, now);
		else this.endProbe(this.probe.from, now);
	}

	private adjust(rate: number, isRefusing: boolean, now: number): void {
		// If a lower rate has not helped, refusals are random, and more is accepted at a higher one.
		const isRandom = isRefusing && this.isLowered;
		this.isLowered = isRefusing && !isRandom;
		const next = this.isLowered ? Math.max(rate * 1.02, this.perSecond * 0.7) : this.perSecond;
		if (--this.untilProbe > 0 && !isRandom) this.follow(next, now);
		else this.beginProbe(next, rate, now);
	}

	private beginProbe(perSecond: number, accepted: number, now: number): void {
		const from = this.probe?.from ?? this.perSecond;
		const faster = perSecond * LEARNING.probe.gain;
		this.follow(faster > LEARNING.unlimitedPerSecond ? Infinity : faster, now);
		this.probe = { from, accepted };
	}

	private endProbe(from: number, now: number): void {
		this.betweenProbes = Math.min(LEARNING.maxMeasurementsBetweenProbes, this.betweenProbes * 2);
		this.untilProbe = this.betweenProbes;
		this.follow(Math.max(from, this.limit(now)), now);
	}

	/** Sends at this rate, and starts measuring over. */
	private follow(perSecond: number, now: number): void {
		this.period++;
		this.probe = undefined;
		this.failedShare = 0;
		this.perSecond = perSecond;
		this.measured = { since: now, accepted: 0, refused: 0 };
		this.nextAt = Math.min(this.nextAt, now + this.spacing);
	}
}
