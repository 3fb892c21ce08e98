import { backoffMs, POLICY } from './policy';

/** How a request ended, as far as the load on the service is concerned. `failed` is a 408, a 5xx or no response at all. */
export type LoadSignal = 'accepted' | 'refused' | 'failed';

/** How the rate is learned. Shares are between 0 and 1. */
const LEARNING = {
	/** The newest result counts for this much of the share of failures: nine in a row exceed the maximum. */
	resultWeight: 0.1,
	/** When more of the latest requests than this were refused or failed, requests stop. */
	maxFailedShare: 0.6,
	/** What was accepted is less than what is allowed, because requests stopped: they continue this many times faster. */
	firstFactor: 1.4,
	/** The nth accepted request in a row raises the rate by n times this share, n from and to these counts. */
	growth: 0.0005,
	headStart: 15,
	maxInARow: 80,
	/** A refusal lowers the rate to this share, but never below the other share of the limit: refusals are random then. */
	lowered: 0.9,
	lowest: 0.5,
	/** Requests in flight: at first, and once most are refused; an accepted one adds, later less, a second refusal in a row takes. */
	window: { first: 10, least: 2, growth: 1, laterGrowth: 0.25, loss: 2 },
	/** A learned rate above this limits nothing. */
	unlimitedPerSecond: 1500,
	/** What refuses everything for so long after it accepted so many is a quota by the minute. */
	quota: { refusedMs: 20_000, minAccepted: 5 },
	/** Timers fire up to this late; the next requests make up for it. */
	timerSlackMs: 20,
} as const;

/** The service accepts nothing, or little: one request at a time tests it. It has reached no limit while it only fails. */
type Blocked = { result: 'refused' | 'failed'; limitedAt?: number; failedTests: number; testedAt: number };

/**
 * Learns the rate of requests that the service accepts. Single refusals do not lower it: a service that refuses one
 * request in ten at random accepts nine tenths of any rate.
 *
 * Requests are unlimited until most of them are refused or fail; then one at a time tests the service, with growing
 * pauses and at each full minute. If it soon refuses most requests again, it has a limit: as much as it accepted between
 * the two times. Requests then follow that rate, a little faster with each that is accepted and slower with each that is
 * refused; if most are, as fast as the limit. A quota is used up at once whenever it opens. All times are monotonic.
 */
export class AcceptedRate {
	/** What the user allows. */
	maxPerSecond = Infinity;
	/** When the next request may start; Infinity while the result of a test is awaited. */
	nextStartAt = 0;
	/** Requests in flight that the service was seen to accept: a limit is first exceeded by a few. */
	window = Infinity;
	/** Learned, and what was accepted a second then; Infinity while the service shows no limit. */
	private perSecond = Infinity;
	private limit = Infinity;
	/** Changes when requests stop and continue: results of requests from before say nothing about the rate. */
	private period = 0;
	private failedShare = 0;
	/** Since requests continued after a limit. */
	private accepted = 0;
	private acceptedInARow = 0;
	private blocked: Blocked | undefined;
	/** Requests until the quota is used up; Infinity without one. */
	private quotaLeft = Infinity;
	/** Whether the limit can be a quota: a service that asks for a pause may refuse nothing after a shorter one. */
	private mayBeQuota = true;
	private lastLimitedAt: number | undefined;

	/** Whether the service has accepted nothing for so long that more tests are pointless. */
	get acceptsNothing(): boolean {
		return this.blocked !== undefined && this.blocked.failedTests >= POLICY.maxRetries[this.blocked.result];
	}

	/** Starts with few requests in flight, and allows one more for each that is accepted. */
	startSlowly(): void {
		if (this.window === Infinity) this.window = LEARNING.window.first;
	}

	/** Takes in that a request starts. @returns the period in which it does, for its end */
	start(now: number): number {
		const { period } = this;
		if (this.blocked) {
			this.blocked.testedAt = now;
			this.nextStartAt = Infinity;
			return period;
		}
		// Only a timer's lateness is made up for, never a pause.
		const isOnTime = now - this.nextStartAt <= LEARNING.timerSlackMs;
		this.nextStartAt = (isOnTime ? this.nextStartAt : now) + this.spacing;
		if (--this.quotaLeft === 0) this.block('refused', now);
		return period;
	}

	/** Takes in how a request ended. The parameters are as for {@link Release}. */
	end(period: number, result: LoadSignal | undefined, now: number, retryAfterMs = 0): void {
		if (result === 'accepted') this.accepted++;
		if (period !== this.period) return;
		if (this.blocked) return this.endTest(this.blocked, result, now, retryAfterMs);
		if (result === undefined) return;
		if (result === 'accepted') return this.raise();
		this.failedShare += (1 - this.failedShare) * LEARNING.resultWeight;
		if (this.failedShare <= LEARNING.maxFailedShare) return this.lower();
		// Faster than the limit, a pause would only waste what it allows.
		if (result === 'refused' && this.limit < this.perSecond) return this.follow(this.limit);
		this.block(result, now, result === 'refused' ? now : undefined, retryAfterMs);
	}

	private block(result: Blocked['result'], now: number, limitedAt?: number, retryAfterMs = 0): void {
		this.period++;
		if (result === 'refused' && this.window < Infinity) this.window = LEARNING.window.least;
		this.blocked = { result, limitedAt, failedTests: 0, testedAt: now };
		this.nextStartAt = now + Math.max(retryAfterMs, backoffMs(1));
	}

	private raise(): void {
		const { growth, laterGrowth } = LEARNING.window;
		this.window += this.lastLimitedAt === undefined ? growth : laterGrowth;
		this.failedShare -= this.failedShare * LEARNING.resultWeight;
		this.acceptedInARow = Math.min(this.acceptedInARow + 1, LEARNING.maxInARow);
		this.perSecond *= 1 + LEARNING.growth * this.acceptedInARow;
		if (this.perSecond > LEARNING.unlimitedPerSecond) this.perSecond = Infinity;
	}

	private lower(): void {
		// Only before the first limit: a window that shrinks later keeps refusals too few to learn the rate.
		if (this.acceptedInARow === 0 && this.lastLimitedAt === undefined)
			this.window = Math.max(this.window - LEARNING.window.loss, LEARNING.window.least);
		this.perSecond = Math.max(this.limit * LEARNING.lowest, this.perSecond * LEARNING.lowered);
		this.acceptedInARow = 0;
	}

	private endTest(blocked: Blocked, result: LoadSignal | undefined, now: number, retryAfterMs: number): void {
		if (result === 'accepted') return this.continue(now, blocked);
		if (result === 'refused') blocked.limitedAt ??= now;
		if (result !== undefined) {
			blocked.result = result;
			blocked.failedTests++;
		}
		const pause = this.acceptsNothing ? 0 : backoffMs(blocked.failedTests + 1);
		// A quota that counts by the minute opens at a full one.
		const untilMinute = 60_000 - (Date.now() % 60_000) + backoffMs(1);
		this.nextStartAt = now + Math.max(retryAfterMs, Math.min(pause, untilMinute));
	}

	private continue(now: number, { limitedAt, testedAt }: Blocked): void {
		// A quota that was used up accepts nothing: what does is limited by a rate.
		if (this.quotaLeft === 0 && limitedAt === undefined) this.mayBeQuota = false;
		this.quotaLeft = Infinity;
		// Refusals can come sooner than what was accepted beside them, so that counts only now.
		if (limitedAt !== undefined) this.learn(limitedAt, now);
		this.blocked = undefined;
		this.follow(this.perSecond);
		this.nextStartAt = testedAt + this.spacing;
	}

	private get spacing(): number {
		return 1000 / Math.min(this.perSecond, this.maxPerSecond);
	}

	private follow(perSecond: number): void {
		this.perSecond = perSecond;
		this.acceptedInARow = LEARNING.headStart;
		this.failedShare = 0;
		this.period++;
	}

	/** Takes what was accepted since the service last reached its limit: all that it accepts, however much was sent. */
	private learn(limitedAt: number, now: number): void {
		const isLong = now - limitedAt >= LEARNING.quota.refusedMs;
		const isQuota = this.mayBeQuota && isLong && this.accepted >= LEARNING.quota.minAccepted;
		if (isQuota) this.quotaLeft = this.accepted;
		// If a lower rate has not helped, it is learned anew.
		const isKnown = this.lastLimitedAt !== undefined && this.perSecond === Infinity && !isQuota;
		this.limit = isKnown ? (this.accepted * 1000) / (limitedAt - this.lastLimitedAt!) : Infinity;
		this.perSecond = this.limit * LEARNING.firstFactor;
		this.lastLimitedAt = limitedAt;
		this.accepted = 0;
	}
}
