import { backoffMs, POLICY } from './policy';

/*
 * How the rate of requests is learned:
 *
 * 1. Requests are unlimited (`open`) until more than one in eight is refused. Then they are slowed down to what the
 *    service was seen to accept, for a trial. If the refusals end, the service has a limit, and requests follow it
 *    (`paced`). If not, the refusals are random, and requests are unlimited again.
 * 2. If more than half are refused, requests are slowed down at once, while what the service accepts is measured.
 * 3. Requests that follow a limit become a little faster as long as none is refused, and a little slower after a refusal.
 * 4. If nothing is accepted, one request at a time tests the service (`testing`), after growing pauses and at each full
 *    minute. If that takes long, the service has a quota by the minute, which is used up at once whenever it opens.
 */

/** How a request ended, as far as the load on the service is concerned. `failed` is a 408, a 5xx or no response at all. */
export type LoadSignal = 'accepted' | 'refused' | 'failed';

/** How the rate is learned. Shares are between 0 and 1. */
const RULE = {
	/** Refusals are measured when they exceed this share of results by `excess`. Fewer cost less time than waiting. */
	some: { share: 0.12, excess: 5 },
	/** When refusals exceed this share by `excess`, requests slow to `slowedTo` times the accepted rate at once. */
	most: { share: 0.5, excess: 4, slowedTo: 1.25, latencies: 1.5 },
	/** A measurement is precise after so many accepted requests, milliseconds and latencies. */
	measured: { accepted: 5, ms: 1000, latencies: 3 },
	/** A measurement continues after a stop that is shorter than this. */
	measuredPauseMs: 5000,
	/** Requests follow this share of what was accepted; each refusal lowers a faster pace to the same share. */
	pace: 0.95,
	/** A trial ends when its refusals are this many more or fewer than half of the share that was refused before. */
	trialMargin: 5,
	/** After a trial that failed, refusals are random for so many results, unless most are refused. */
	randomResults: 2000,
	/** While nothing is refused, the pace grows by 1 % in a second, by 28 % in five, and by the factor e in this time. */
	growthMs: 10_000,
	/** If nothing is refused at this many times the pace, the service has no limit any more. */
	maxGrowth: 10,
	/** When so many requests in a row, and for so many latencies, were not accepted, requests stop. */
	stop: { inARow: 9, latencies: 4 },
	/** The newest accepted request has this weight in the mean latency. */
	latencyWeight: 0.1,
	/** Requests in flight at the start of a run whose key has a plan. */
	firstInFlight: 10,
	/** A service that refuses everything for so long after it accepted so many has a quota by the minute. */
	quota: { minRefusedMs: 20_000, minAccepted: 5 },
	/** Timers fire up to this late; the next requests make up for it. */
	timerSlackMs: 20,
} as const;

/** Requests that started since a refusal. */
type Sample = { since: number; accepted: number; refused: number };

type Mode =
	/** The service shows no limit. */
	| { name: 'open' }
	/** More than half were refused, and what the service accepts is being measured. */
	| { name: 'slowed'; perSecond: number }
	/** The measured rate is tried. `share` was refused before; `excess` counts the refusals above half of this share. */
	| { name: 'trial'; perSecond: number; share: number; excess: number }
	/** The service has a limit. The pace was last lowered, or begun, at `since`. */
	| { name: 'paced'; perSecond: number; least: number; since: number }
	/** Requests until the quota of this minute is used up. */
	| { name: 'quota'; left: number }
	| Testing;

/** The service accepts nothing: one request at a time tests it. It has reached no limit while it only fails. */
type Testing = {
	name: 'testing';
	before: Exclude<Mode, Testing>;
	result: 'refused' | 'failed';
	limitedAt?: number;
	failedTests: number;
	testedAt: number;
};

const isUsedUp = (mode: Mode) => mode.name === 'quota' && mode.left === 0;

/** Learns how many requests a second the service accepts. All times are monotonic, in milliseconds. */
export class AcceptedRate {
	/** What the user allows. */
	maxPerSecond = Infinity;
	/** When the next request may start; Infinity while the result of a test is awaited. */
	nextStartAt = 0;
	/** Maximum requests in flight: one more for each that is accepted, because a plan is first exceeded by a few. */
	window = Infinity;
	private mode: Mode = { name: 'open' };
	/** When the rate last changed. Results of requests that started before say nothing about the new rate. */
	private changedAt = -Infinity;
	private sample?: Sample;
	private inFlight = 0;
	private mostInFlight = 0;
	/** A moving mean of how long accepted requests take; 0 before the first one. */
	private latencyMs = 0;
	private acceptedAt = -Infinity;
	private notAcceptedInARow = 0;
	/** No test starts earlier, because the service asked for a pause and has accepted nothing since. */
	private askedUntil = 0;
	/** Results for which refusals are still random. */
	private randomResults = 0;
	/** Accepted since the service last reached its limit. */
	private accepted = 0;
	private mayBeQuota = true;

	/** Whether the service has accepted nothing for so long that more tests are pointless. */
	get acceptsNothing(): boolean {
		return this.mode.name === 'testing' && this.mode.failedTests >= POLICY.maxRetries[this.mode.result];
	}

	/** Starts with few requests in flight, and allows one more for each that is accepted. */
	startSlowly(): void {
		if (this.window === Infinity) this.window = RULE.firstInFlight;
	}

	/** Takes in that a request starts. */
	start(now: number): void {
		const { mode } = this;
		this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
		if (mode.name === 'testing') {
			mode.testedAt = now;
			this.nextStartAt = Infinity;
			return;
		}
		// Only a timer's lateness is made up for, never a pause.
		const isOnTime = now - this.nextStartAt <= RULE.timerSlackMs;
		const perSecond = Math.min(this.perSecondAt(now), this.maxPerSecond);
		this.nextStartAt = (isOnTime ? this.nextStartAt : now) + 1000 / perSecond;
		if (mode.name === 'quota' && --mode.left === 0) this.test(mode, 'refused', now);
	}

	private perSecondAt(now: number): number {
		const { mode } = this;
		const growth = mode.name === 'paced' ? Math.exp(((now - mode.since) / RULE.growthMs) ** 2) : 1;
		if (growth > RULE.maxGrowth) this.mode = { name: 'open' };
		return 'perSecond' in this.mode ? this.mode.perSecond * growth : Infinity;
	}

	/** Records how a request that started at `startedAt` ended. `result` and `retryAfterMs` are as for `Release`. */
	end(startedAt: number, result: LoadSignal | undefined, now: number, retryAfterMs = 0): void {
		this.inFlight--;
		if (result === 'accepted') this.noteAccepted(startedAt, now);
		else if (result !== undefined) this.askedUntil = Math.max(this.askedUntil, now + retryAfterMs);
		if (startedAt <= this.changedAt) return;
		const { mode } = this;
		if (mode.name === 'testing') return this.endTest(mode, result, now);
		if (result === undefined) return;
		this.randomResults--;
		if (result !== 'accepted' && this.isStopped(result, now)) return this.test(mode, result, now);
		if (result === 'failed') return;
		if (mode.name === 'trial') return this.judge(mode, result, now);
		if (mode.name === 'paced' && result === 'refused' && startedAt > mode.since)
			this.mode = {
				...mode,
				perSecond: Math.max(mode.least, this.perSecondAt(now) * RULE.pace),
				since: now,
			};
		this.measure(startedAt, result, now);
	}

	private noteAccepted(startedAt: number, now: number): void {
		const weight = this.latencyMs === 0 ? 1 : RULE.latencyWeight;
		this.latencyMs += (now - startedAt - this.latencyMs) * weight;
		this.accepted++;
		this.window++;
		this.acceptedAt = now;
		this.notAcceptedInARow = this.askedUntil = 0;
	}

	/** Whether requests must stop. After refusals it waits, because requests in flight may still be accepted. */
	private isStopped(result: LoadSignal, now: number): boolean {
		if (++this.notAcceptedInARow < RULE.stop.inARow) return false;
		return result === 'failed' || now - this.acceptedAt > RULE.stop.latencies * this.latencyMs;
	}

	/** Counts accepted and refused requests after a refusal. While refusals go on, the service accepts no more. */
	private measure(startedAt: number, result: 'accepted' | 'refused', now: number): void {
		if (result === 'refused') this.sample ??= { since: now, accepted: 0, refused: 0 };
		const { sample, inFlight } = this;
		if (!sample || startedAt < sample.since) return;
		sample[result]++;
		const { some, most } = RULE;
		// A refusal can arrive earlier than acceptances, so all requests in flight may still be accepted.
		const results = sample.accepted + sample.refused;
		const exceeds = ({ share, excess }: { share: number; excess: number }) =>
			sample.refused - share * (results + inFlight) >= excess;
		const ms = now - sample.since - this.latencyMs;
		if (this.mode.name === 'slowed' || (exceeds(most) && this.latencyMs > 0)) {
			if (result === 'refused') this.slowDown(sample, ms);
			if (this.isMeasured(sample, ms)) this.tryPace(sample, most.share, ms, now);
		} else if (exceeds(some)) {
			if (!this.isMeasured(sample, ms)) return;
			if (this.randomResults > 0) this.sample = undefined;
			else this.tryPace(sample, some.share, ms, now);
		} else if (sample.refused < some.share * (results - inFlight)) this.sample = undefined;
	}

	private isMeasured({ accepted }: Sample, ms: number): boolean {
		const { measured } = RULE;
		return accepted >= measured.accepted && ms >= Math.max(measured.ms, measured.latencies * this.latencyMs);
	}

	/** Slows down to a little more than the service accepts, so that refusals continue until the rate is measured. */
	private slowDown({ accepted }: Sample, ms: number): void {
		const { slowedTo, latencies } = RULE.most;
		const isKnown = ms >= latencies * this.latencyMs;
		const perSecond =
			slowedTo * (isKnown ? (1000 * (accepted + 1)) / ms : (1000 * this.mostInFlight) / this.latencyMs);
		const current = 'perSecond' in this.mode ? this.mode.perSecond : Infinity;
		this.mode = { name: 'slowed', perSecond: Math.min(perSecond, current) };
	}

	private tryPace({ accepted }: Sample, share: number, ms: number, now: number): void {
		const perSecond = (RULE.pace * 1000 * accepted) / ms;
		this.change({ name: 'trial', perSecond, share, excess: 0 }, now);
	}

	private judge(trial: Mode & { name: 'trial' }, result: 'accepted' | 'refused', now: number): void {
		trial.excess += (result === 'refused' ? 1 : 0) - trial.share / 2;
		const { perSecond } = trial;
		if (trial.excess <= -RULE.trialMargin)
			this.mode = { name: 'paced', perSecond, least: perSecond, since: now };
		if (trial.excess < RULE.trialMargin) return;
		this.change({ name: 'open' }, now);
		this.randomResults = RULE.randomResults;
	}

	private change(mode: Mode, now: number): void {
		this.mode = mode;
		this.sample = undefined;
		this.changedAt = this.nextStartAt = now;
	}

	private test(before: Testing['before'], result: Testing['result'], now: number): void {
		const limitedAt = result === 'refused' && !isUsedUp(before) ? now : undefined;
		this.mode = { name: 'testing', before, result, limitedAt, failedTests: 0, testedAt: now };
		this.changedAt = now;
		this.nextStartAt = Math.max(this.askedUntil, now + backoffMs(1));
	}

	private endTest(testing: Testing, result: LoadSignal | undefined, now: number): void {
		if (result === 'accepted') return this.continue(testing, now);
		if (result === 'refused') testing.limitedAt ??= now;
		if (result !== undefined) {
			testing.result = result;
			testing.failedTests++;
		}
		const pause = this.acceptsNothing ? 0 : backoffMs(testing.failedTests + 1);
		// A quota that counts by the minute opens at a full one.
		const untilMinute = 60_000 - (Date.now() % 60_000) + backoffMs(1);
		this.nextStartAt = Math.max(this.askedUntil, now + Math.min(pause, untilMinute));
	}

	private continue({ before, limitedAt, testedAt }: Testing, now: number): void {
		// A used-up quota accepts nothing, so a service that accepts this test has a rate limit, not a quota.
		if (isUsedUp(before) && limitedAt === undefined) this.mayBeQuota = false;
		const refusedMs = limitedAt === undefined ? 0 : now - limitedAt;
		const { minRefusedMs, minAccepted } = RULE.quota;
		const isQuota = this.mayBeQuota && refusedMs >= minRefusedMs && this.accepted >= minAccepted;
		if (isQuota) this.mode = { name: 'quota', left: this.accepted };
		else if (before.name === 'paced') this.mode = { ...before, since: now };
		// A long pause, or one after failures, is no part of a measurement.
		else if (before.name === 'slowed' && limitedAt !== undefined && refusedMs < RULE.measuredPauseMs)
			this.mode = before;
		else this.mode = { name: 'open' };
		if (this.mode.name === 'slowed') this.sample!.accepted++;
		else this.sample = undefined;
		if (limitedAt !== undefined) this.accepted = 0;
		this.nextStartAt = testedAt;
	}
}
