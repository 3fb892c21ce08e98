import { backoffMs, RETRY } from './backoff';
import { orAborted, wait } from './cancel';
import { PastDeadline, type Permit } from './limiter';
import { resultOf, retryAfterOf, type FailedAttempt, type Outcome } from './outcome';
import { RunGivenUp, type RequestRun } from './requestRun';

export interface Tried {
	attempts: number;
	/** The pause the service asked for, in seconds, when it is longer than there is time for. */
	askedSeconds?: number;
}

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
 *   first attempt {@link PastDeadline} or {@link RunGivenUp}
 */
export async function retrying<T, Failed extends FailedAttempt>(
	{ run, deadline = Infinity, giveUp }: RetryOptions<Failed>,
	attempt: () => Promise<Outcome<T, Failed>>,
): Promise<T> {
	const retries = { failed: 0, refused: 0, timedOut: 0 };
	let failed: Failed | undefined;
	for (let attempts = 1, pause = 0; ; attempts++) {
		let permit: Permit;
		try {
			if (pause > 0) await wait(pause, run.signal);
			permit = await run.limiter.acquire(deadline);
			if (run.signal.aborted) {
				permit.release();
				throw run.signal.reason;
			}
		} catch (reason) {
			const isOurs = reason instanceof RunGivenUp || reason instanceof PastDeadline;
			throw failed && isOurs ? giveUp(failed, { attempts: attempts - 1 }) : reason;
		}
		const outcome = await send(run, permit, attempts, attempt);
		if ('value' in outcome) return outcome.value;
		if ('error' in outcome) throw outcome.error;

		failed = outcome;
		const result = resultOf(outcome);
		const kind = outcome.limitMs === undefined ? result : 'timedOut';
		const asked = retryAfterOf(outcome);
		// While others are accepted, the limiter alone decides when a refused request is next.
		const failures = result === 'refused' ? Math.min(attempts, Math.max(1, run.failuresInARow)) : attempts;
		pause = Math.max(asked, backoffMs(failures));
		const isTooLong = asked > RETRY.maxRetryAfterMs || performance.now() + pause > deadline;
		if (!isTooLong && ++retries[kind] <= RETRY.maxRetries[kind] && run.takeRetry(result)) continue;
		const askedSeconds = isTooLong && asked > 0 ? Math.ceil(asked / 1000) : undefined;
		const error = giveUp(outcome, { attempts, askedSeconds });
		if (asked > RETRY.maxRetryAfterMs) run.giveUp(error);
		else run.giveUpIfHopeless(error);
		throw error;
	}
}

async function send<T, Failed extends FailedAttempt>(
	run: RequestRun,
	permit: Permit,
	attempts: number,
	attempt: () => Promise<Outcome<T, Failed>>,
): Promise<Outcome<T, Failed>> {
	let outcome: Outcome<T, Failed> | undefined;
	try {
		return (outcome = await orAborted(attempt(), run.cancelled));
	} finally {
		run.end(permit, attempts, outcome);
	}
}
