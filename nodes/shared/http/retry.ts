import { orAborted, wait } from './cancel';
import { NotSent } from './errors';
import { PastDeadline, type Release } from './limiter';
import { resultOf, retryAfterOf, type FailedAttempt, type Outcome, type Tried } from './outcome';
import { backoffMs, POLICY } from './policy';
import type { RequestRun } from './requestRun';

export interface RetryOptions<Failed extends FailedAttempt> {
	run: RequestRun;
	/** No wait ends later than this, on the clock of `performance.now()`. */
	deadline?: number;
	/** The error to throw when no further attempt is made. */
	giveUp: (failed: Failed, tried: Tried) => Error;
}

/**
 * Repeats an attempt while its failure is transient. The only retry loop of the package.
 *
 * @param attempt what it throws is final and says nothing about the service
 * @throws what `attempt` throws or returns as an error, what `giveUp` makes, the reason of a stopped run, and before the
 *   first attempt {@link PastDeadline} or {@link NotSent}
 */
export async function retrying<T, Failed extends FailedAttempt>(
	{ run, deadline = Infinity, giveUp }: RetryOptions<Failed>,
	attempt: () => Promise<Outcome<T, Failed>>,
): Promise<T> {
	const retries = { failed: 0, refused: 0, timedOut: 0 };
	let failed: Failed | undefined;
	for (let attempts = 1, pause = 0; ; attempts++) {
		const release = await acquire(run, pause, deadline).catch((reason: unknown) => {
			const isOurs = reason instanceof NotSent || reason instanceof PastDeadline;
			// Its own failure says more than that of others.
			throw failed && isOurs ? giveUp(failed, { attempts: attempts - 1 }) : reason;
		});
		let outcome: Outcome<T, Failed> | undefined;
		try {
			outcome = await orAborted(attempt(), run.cancelled);
		} finally {
			run.end(release, attempts, outcome);
		}
		if ('value' in outcome) return outcome.value;
		if ('error' in outcome) throw outcome.error;

		failed = outcome;
		const asked = retryAfterOf(failed);
		// While others are accepted, the limiter alone slows a refused request down.
		const failures = resultOf(failed) === 'refused' ? Math.min(attempts, run.failuresInARow || 1) : attempts;
		pause = Math.max(asked, backoffMs(failures));
		const isTooLong = asked > POLICY.maxRetryAfterMs || performance.now() + pause > deadline;
		if (!isTooLong && mayRepeat(failed, retries, run)) continue;

		const askedSeconds = isTooLong && asked > 0 ? Math.ceil(asked / 1000) : undefined;
		const error = giveUp(failed, { attempts, askedSeconds });
		if (asked > POLICY.maxRetryAfterMs) run.giveUp(error);
		else run.giveUpIfHopeless(error);
		throw error;
	}
}

/** @param retries of this request so far, by how it failed; this one is added */
function mayRepeat(
	failed: FailedAttempt,
	retries: Record<keyof typeof POLICY.maxRetries, number>,
	run: RequestRun,
): boolean {
	const result = resultOf(failed);
	const kind = failed.limitMs === undefined ? result : 'timedOut';
	// This request has failed in this way often enough.
	if (++retries[kind] > POLICY.maxRetries[kind]) return false;
	// For a while, the service has accepted no request at all.
	if (run.limiter.acceptsNothing) return false;
	// After a refusal for the rate the limiter slows down, so that it costs the run nothing.
	if (result === 'refused') return true;
	// Otherwise as long as the run has retries in hand.
	return run.takeRetry();
}

async function acquire({ limiter, signal }: RequestRun, pause: number, deadline: number): Promise<Release> {
	if (pause > 0) await wait(pause, signal);
	return await limiter.acquire(deadline);
}
