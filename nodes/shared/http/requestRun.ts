import { sleep } from 'n8n-workflow';
import type { Credential } from './credential';
import { Limiter, PastDeadline, type Release } from './limiter';
import {
	backoffMs,
	pauseIn,
	POLICY,
	type AttemptResult,
	type Done,
	type FailedAttempt,
	type Tried,
} from './policy';
import { NotSent } from './requestErrors';

/** All requests of a run to one host: limiter, retry budget, and one signal that ends every wait. */
export class RequestRun {
	readonly limiter: Limiter;
	/** Aborted when a person or another item ends the run. */
	readonly stopped: AbortSignal;
	/** Aborted when the run is stopped or given up. */
	readonly signal: AbortSignal;
	/** By type. */
	readonly credentials: Record<string, Promise<Credential> | undefined> = {};
	private readonly givingUp = new AbortController();
	private retries: number = POLICY.retryBudget;
	/** Failed attempts since the service last decided a request. `failedRequests` counts first attempts only. */
	private failuresInARow = 0;
	private failedRequests = 0;
	/** Whether the service has accepted the key: from then on, a refusal is about its own request. */
	private isKeyAccepted = false;
	private refusalsOfKey = 0;

	/**
	 * @param stop aborted when another item ends the run
	 * @param cancelled aborted when a person does: then requests in flight are not awaited either
	 */
	constructor(
		stop: AbortSignal,
		readonly cancelled = stop,
	) {
		// Unlike a listener, `any` does not keep the run of each round of a loop until the execution ends.
		this.stopped = AbortSignal.any([stop, cancelled]);
		this.signal = AbortSignal.any([this.stopped, this.givingUp.signal]);
		this.limiter = new Limiter(this.signal);
	}

	/**
	 * Sends a request: repeats an attempt while its failure is transient. The only retry loop of the package.
	 * @param attempt what it throws is final and says nothing about the service
	 * @param errorOf the error to throw when no further attempt is made
	 * @param deadline no wait ends later than this, on the clock of `performance.now()`
	 * @throws what `attempt` throws or returns as an error, what `errorOf` makes, the reason of a stopped run, and before
	 *   the first attempt {@link PastDeadline} or {@link NotSent}
	 */
	async send<T, Failed extends FailedAttempt>(
		attempt: () => Promise<AttemptResult<T, Failed>>,
		errorOf: (failed: Failed, tried: Tried) => Error,
		deadline = Infinity,
	): Promise<T> {
		const retries = { failed: 0, refused: 0, timedOut: 0 };
		let failed: Failed | undefined;
		for (let attempts = 1, pause = 0; ; attempts++) {
			const release = await this.acquire(pause, deadline).catch((reason: unknown) => {
				const isOurs = reason instanceof NotSent || reason instanceof PastDeadline;
				// Its own failure says more than that of others.
				throw failed && isOurs ? errorOf(failed, { attempts: attempts - 1 }) : reason;
			});
			const result = await orAborted(attempt(), this.cancelled).catch((error: unknown) => {
				release();
				throw error;
			});
			if ('value' in result || 'error' in result) return this.finish(result, release);
			failed = result;
			this.failuresInARow++;
			if (attempts === 1) this.failedRequests++;
			const { status, headers = {} } = failed.response ?? {};
			const signal = status === 429 ? 'refused' : 'failed';
			const asked = pauseIn(headers) ?? 0;
			release(signal, asked);
			// While others are accepted, the limiter alone slows a refused request down.
			const failures = signal === 'refused' ? Math.min(attempts, this.failuresInARow) : attempts;
			pause = Math.max(asked, backoffMs(failures));
			const isHopeless = asked > POLICY.maxRetryAfterMs;
			const isTooLong = isHopeless || performance.now() + pause > deadline;
			const kind = failed.limitMs === undefined ? signal : 'timedOut';
			if (!isTooLong && this.mayRepeat(kind, ++retries[kind])) continue;
			const askedSeconds = isTooLong && asked > 0 ? Math.ceil(asked / 1000) : undefined;
			const error = errorOf(failed, { attempts, askedSeconds });
			// A service that is down for every request ends the run.
			const isDown = this.limiter.rate.acceptsNothing && this.failedRequests >= POLICY.hopelessRequests;
			if (isHopeless || isDown) this.giveUp(error);
			throw error;
		}
	}

	private async acquire(pause: number, deadline: number): Promise<Release> {
		if (pause > 0) await wait(pause, this.signal);
		return await this.limiter.acquire(deadline);
	}

	/** Returns or throws what the service decided, and lets the next request start. */
	private finish<T>(done: Done<T>, release: Release): T {
		this.retries = Math.min(POLICY.retryBudget, this.retries + 1);
		this.failuresInARow = this.failedRequests = 0;
		if ('value' in done) {
			this.isKeyAccepted = true;
			release('accepted');
			return done.value;
		}
		if (done.mayConcernAll === false) this.isKeyAccepted = true;
		// Those in flight may still be accepted: a firewall refuses faster than the service accepts.
		const hopeless = Math.max(POLICY.hopelessRequests, this.limiter.inFlight);
		const isRefused = done.mayConcernAll && !this.isKeyAccepted;
		if (isRefused && ++this.refusalsOfKey >= hopeless) this.giveUp(done.error);
		// Releases the permit later, so that the error can first stop the run and the requests that wait for the permit.
		void sleep(0).then(() => release('accepted'));
		throw done.error;
	}

	/** @param count failures of this kind that the request has had */
	private mayRepeat(kind: keyof typeof POLICY.maxRetries, count: number): boolean {
		if (count > POLICY.maxRetries[kind] || this.limiter.rate.acceptsNothing) return false;
		// After a refusal for the rate the limiter slows down, so that it costs the run nothing.
		if (kind === 'refused') return true;
		if (this.retries === 0) return false;
		this.retries--;
		return true;
	}

	/** Ends the run: requests that wait or come later fail with {@link NotSent}. */
	private giveUp(error: Error): void {
		this.givingUp.abort(new NotSent(error));
	}
}

/** The runs of an execution, one for each host: they fail on their own, and are stopped together. */
type Execution = { stop: AbortController; service?: RequestRun; media?: RequestRun };

const executions = new WeakMap<object, Execution>();

function executionOf(context: object): Execution {
	const execution = executions.get(context) ?? { stop: new AbortController() };
	executions.set(context, execution);
	return execution;
}

/** The run that all requests of an execution, known by its context, to one host share. */
export function requestRun(context: object, host: 'service' | 'media' = 'service'): RequestRun {
	const execution = executionOf(context);
	return (execution[host] ??= new RequestRun(execution.stop.signal, cancelSignal(context)));
}

/** Ends all requests of an execution that wait: they fail as when a person stops it. */
export const stopRequests = (context: object) => executionOf(context).stop.abort();

/** Makes the next request begin a new run, in a context that outlives one, such as a poll's. */
export const forgetRun = (context: object) => executions.delete(context);

/** The signal with which n8n stops an execution; undefined in triggers and lists, which cannot be stopped. */
export const cancelSignal = (context: { getExecutionCancelSignal?: () => AbortSignal | undefined }) =>
	context.getExecutionCancelSignal?.();

/** What waits for each signal. One listener serves them all, because Node warns of a leak at the eleventh. */
const waiting = new WeakMap<AbortSignal, Set<(reason: Error) => void>>();

/** Settles like the work, or rejects with the signal's reason once it is aborted; then a later rejection is ignored. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	return await new Promise<T>((resolve, reject) => {
		const listeners = waiting.get(signal) ?? listen(signal);
		listeners.add(reject);
		if (signal.aborted) reject(signal.reason as Error);
		void work.then(resolve, reject).finally(() => listeners.delete(reject));
	});
}

function listen(signal: AbortSignal) {
	const listeners = new Set<(reason: Error) => void>();
	signal.addEventListener('abort', () => listeners.forEach((abort) => abort(signal.reason as Error)));
	waiting.set(signal, listeners);
	return listeners;
}

/** Waits, or rejects with the signal's reason as soon as it is aborted. */
export const wait = async (milliseconds: number, signal: AbortSignal) =>
	await orAborted(sleep(milliseconds), signal);
