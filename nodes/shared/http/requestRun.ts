import { sleep } from 'n8n-workflow';
import { cancelSignal } from './cancel';
import { NotSent } from './errors';
import { Limiter, type Release } from './limiter';
import { resultOf, retryAfterOf, type Outcome } from './outcome';
import { POLICY } from './policy';

/** All requests of a run to one host: limiter, retry budget, and one signal that ends every wait. */
export class RequestRun {
	readonly limiter: Limiter;
	/** Aborted when a person or another item ends the run. */
	readonly stopped: AbortSignal;
	/** Aborted when the run is stopped or given up. */
	readonly signal: AbortSignal;
	private readonly givingUp = new AbortController();
	private retries: number = POLICY.retryBudget;
	/** Attempts that failed since the last one was accepted. */
	failuresInARow = 0;
	/** The same, without the retries. */
	private failedRequests = 0;
	/** Responses that refuse the key since the last successful one. */
	private keyRefusals = 0;

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
	 * Takes in how an attempt ended, and lets the next request start.
	 *
	 * @param attempt of this request, from 1
	 * @param outcome undefined when it says nothing about the service, e.g. after a cancellation
	 */
	end(release: Release, attempt: number, outcome?: Outcome<unknown>): void {
		if (outcome === undefined) return release();
		if ('value' in outcome || 'error' in outcome) {
			this.retries = Math.min(POLICY.retryBudget, this.retries + 1);
			this.failuresInARow = this.failedRequests = 0;
			if ('value' in outcome) {
				this.keyRefusals = 0;
				return release('accepted');
			}
			if (outcome.refusesKey && ++this.keyRefusals >= POLICY.hopelessRequests) this.giveUp(outcome.error);
			// In the next turn: until then, the error can stop the run, and what waits for the permit with it.
			return void sleep(0).then(() => release('accepted'));
		}
		this.failuresInARow++;
		if (attempt === 1) this.failedRequests++;
		release(resultOf(outcome), retryAfterOf(outcome));
	}

	/** Takes a retry from the budget, if there is one left. */
	takeRetry(): boolean {
		if (this.retries === 0) return false;
		this.retries--;
		return true;
	}

	/** Ends the run when the service is down for every request. */
	giveUpIfHopeless(error: Error): void {
		if (this.limiter.acceptsNothing && this.failedRequests >= POLICY.hopelessRequests) this.giveUp(error);
	}

	/** Ends the run: requests that wait or come later fail with {@link NotSent}. */
	giveUp(error: Error): void {
		this.givingUp.abort(new NotSent(error));
	}
}

/** The runs of an execution, one for each host: they fail on their own, and are stopped together. */
interface Execution {
	stop: AbortController;
	runs: { service?: RequestRun; media?: RequestRun };
}

const executions = new WeakMap<object, Execution>();

/** The run that all requests of an execution, known by its context, to one host share. */
export function requestRun(context: object, host: keyof Execution['runs'] = 'service'): RequestRun {
	const { stop, runs } = executionOf(context);
	return (runs[host] ??= new RequestRun(stop.signal, cancelSignal(context)));
}

/** Ends all requests of an execution that wait: they fail as when a person stops it. */
export function stopRequests(context: object): void {
	executionOf(context).stop.abort();
}

/** Makes the next request begin a new run, in a context that outlives one, such as a poll's. */
export function forgetRun(context: object): void {
	executions.delete(context);
}

function executionOf(context: object): Execution {
	const execution = executions.get(context) ?? { stop: new AbortController(), runs: {} };
	executions.set(context, execution);
	return execution;
}
