import type { IRun } from 'n8n-workflow';

/** A conversation that was delivered. */
export interface Delivery {
	/** When it was processed, in milliseconds since 1970; the latest it can have been where its date is unreliable. */
	processedAt: number;
	/** `running` until n8n reports the end of its execution; `failed` if it has to be delivered again. */
	state: 'running' | 'ended' | 'failed';
	/** How often this version was delivered. */
	attempts: number;
	/** When it was delivered last, by this machine's clock, in milliseconds since 1970. */
	deliveredAt: number;
}

/** When a conversation counts as delivered: its execution has ended in any way, or succeeded. */
export type DeliveredWhen = 'ended' | 'succeeded';

/** How an execution ended; `lost` means that it did not, e.g. because n8n or its worker was killed. */
type End = 'succeeded' | 'failed' | 'waiting' | 'lost';

/** Conversations of one execution, and when it was started, in milliseconds since 1970. */
interface Execution {
	delivered: ReadonlyMap<string, Delivery>;
	startedAt: number;
}

const MINUTE_MS = 60_000;

/** After this time, an execution whose end n8n has not reported no longer holds up new conversations. */
const MAX_HOLD_MS = 24 * 60 * MINUTE_MS;

/** A `processedDate` may be rounded, so deliveries are kept a little longer than the dates require. */
const ROUNDING_MS = MINUTE_MS;

/** A conversation that the service no longer has is given up after so many attempts, more than two hours. */
const MAX_ATTEMPTS_WITHOUT = 10;

/**
 * What was delivered for one trigger. n8n saves it with the position only when items are emitted, and restores an older
 * one when a person publishes: what has ended since, only this process knows.
 */
export class Ledger {
	private readonly deliveries = new Map<string, Delivery>();
	/** IDs of those that a crash of n8n may have to do with. */
	private lost = new Set<string>();
	/** Executions whose end was not reported. */
	private readonly open = new Set<Execution>();
	private lastEnd = -Infinity;
	/** IDs of what had not ended when n8n last saved. */
	private unended = new Set<string>();

	/** @param start the setting of the position that it belongs to */
	constructor(readonly start: string) {}

	/** Adds what n8n has saved and this process does not know better. What was running there was lost with its process. */
	load(saved: ReadonlyMap<string, Delivery>): void {
		this.lost = new Set();
		for (const [id, delivery] of saved) {
			const own = this.deliveries.get(id);
			if (own && !isAhead(delivery, own)) continue;
			const isLost = delivery.state === 'running';
			this.deliveries.set(id, isLost ? { ...delivery, state: 'failed' } : delivery);
			if (isLost) this.lost.add(id);
		}
	}

	/** When a known conversation was processed. */
	processedAt(id: string): number | undefined {
		return this.deliveries.get(id)?.processedAt;
	}

	/** When the known conversations between two bounds were processed, in order. */
	datesWithin({ from, to }: { from: number; to: number }): number[] {
		const dates = [...this.deliveries.values()].map(({ processedAt }) => processedAt);
		return dates.filter((date) => date > from && date < to).sort((a, b) => a - b);
	}

	/**
	 * Decides what is delivered again now: the only place that does. What was lost comes, after the second crash, in ever
	 * smaller parts, so that one that crashes n8n cannot hold up the others.
	 *
	 * @param max most conversations of a poll
	 * @returns IDs, the oldest first
	 */
	due(now: number, max: number): string[] {
		const isDue = ({ state, attempts, deliveredAt }: Delivery) =>
			state === 'failed' && (deliveredAt > now || now - deliveredAt >= pauseMs(attempts));
		const due = [...this.deliveries].filter(([, delivery]) => isDue(delivery));
		due.sort(([, a], [, b]) => a.processedAt - b.processedAt);
		const parts = new Map<number, number>();
		const fits = ([id, { attempts }]: [string, Delivery]) => {
			if (!this.lost.has(id)) return true;
			const left = parts.get(attempts) ?? Math.ceil(max / 4 ** (attempts - 1));
			parts.set(attempts, left - 1);
			return left > 0;
		};
		return due.filter(fits).map(([id]) => id);
	}

	/** How many conversations are in executions that have not ended. */
	inFlight(now: number): number {
		const open = [...this.open].filter(({ startedAt }) => now - startedAt < MAX_HOLD_MS);
		return open.reduce((sum, { delivered }) => sum + delivered.size, 0);
	}

	/** Counts a delivery as started; only what was due has attempts before. */
	deliver(id: string, processedAt: number, at: number, isDue: boolean): Delivery {
		const attempts = isDue ? this.deliveries.get(id)!.attempts + 1 : 1;
		const delivery: Delivery = { processedAt, state: 'running', attempts, deliveredAt: at };
		this.deliveries.set(id, delivery);
		return delivery;
	}

	/**
	 * Follows an execution until n8n reports its end.
	 *
	 * @param done settles with the execution
	 */
	async follow(
		delivered: ReadonlyMap<string, Delivery>,
		done: Promise<IRun | undefined>,
		deliveredWhen: DeliveredWhen,
	): Promise<void> {
		const execution = { delivered, startedAt: Date.now() };
		this.open.add(execution);
		this.end(execution, await done.then(endOf, endOfRejected), deliveredWhen);
	}

	/**
	 * Counts an attempt without the conversation, which the service does not return.
	 *
	 * @param isGone whether the service no longer has it
	 * @returns whether it is given up
	 */
	withdraw(id: string, at: number, isGone: boolean): boolean {
		const { processedAt, attempts } = this.deliveries.get(id)!;
		const isGivenUp = isGone && attempts >= MAX_ATTEMPTS_WITHOUT;
		const state = isGivenUp ? 'ended' : 'failed';
		this.deliveries.set(id, { processedAt, state, attempts: attempts + 1, deliveredAt: at });
		return isGivenUp;
	}

	/** Forgets one that is no longer to be delivered. */
	forget(id: string): void {
		this.deliveries.delete(id);
	}

	/**
	 * What later polls need: conversations that they can list again, and those that are not delivered yet.
	 *
	 * @param from where the next poll starts to read
	 */
	needed(from: number): Map<string, Delivery> {
		const isNeeded = ({ state, processedAt }: Delivery) =>
			state !== 'ended' || processedAt >= from - ROUNDING_MS;
		return new Map([...this.deliveries].filter(([, delivery]) => isNeeded(delivery)));
	}

	/**
	 * Forgets what is not needed, when n8n saves. Publishing can restore what was saved before, so ends that only this
	 * process knows stay once more.
	 */
	keepOnly(needed: ReadonlyMap<string, Delivery>): void {
		for (const id of this.deliveries.keys()) {
			if (!needed.has(id) && !this.unended.has(id)) this.deliveries.delete(id);
		}
		this.unended = new Set([...needed].filter(([, { state }]) => state !== 'ended').map(([id]) => id));
	}

	/**
	 * Counts executions as stopped whose time limit has passed, because n8n does not report the end of each of them. The
	 * limit applies from their start, which is unknown in a queue, but not earlier than the last end.
	 *
	 * @param limitMs of the workflow; 0 or less for none
	 */
	endOverdue(now: number, limitMs: number, deliveredWhen: DeliveredWhen): void {
		if (limitMs <= 0) return;
		const { lastEnd } = this;
		for (const execution of this.open) {
			const startedAt = Math.max(execution.startedAt, lastEnd);
			if (now - startedAt > limitMs + MINUTE_MS) this.end(execution, 'failed', deliveredWhen);
		}
	}

	private end(execution: Execution, end: End, deliveredWhen: DeliveredWhen): void {
		this.open.delete(execution);
		this.lastEnd = Date.now();
		for (const delivery of execution.delivered.values()) delivery.state = stateAfter(end, deliveredWhen);
	}
}

/** Whether another process came further: with a newer version, or with the same one. */
function isAhead(saved: Delivery, own: Delivery): boolean {
	if (saved.processedAt !== own.processedAt) return saved.processedAt > own.processedAt;
	// Saved without its attempts.
	if (saved.state === 'ended') return own.state !== 'ended';
	return saved.attempts > own.attempts;
}

/** n8n never reports how a waiting execution ends, so it can only count as ended or as running. */
function stateAfter(end: End, deliveredWhen: DeliveredWhen): Delivery['state'] {
	if (end === 'lost') return 'failed';
	if (end === 'succeeded' || deliveredWhen === 'ended') return 'ended';
	return end === 'waiting' ? 'running' : 'failed';
}

/** An execution that failed before its first node was lost: n8n reports a dead worker like that. */
function endOf(run: IRun | undefined): End {
	if (run === undefined || run.status === 'crashed') return 'lost';
	if (run.status === 'success') return 'succeeded';
	if (run.status === 'waiting') return 'waiting';
	const { lastNodeExecuted, runData } = run.data.resultData;
	const hasStarted = lastNodeExecuted !== undefined || Object.keys(runData).length > 0;
	return run.status === 'error' && !hasStarted ? 'lost' : 'failed';
}

/** A person or a time limit stopped the execution; otherwise it was not stored, queued or finished. */
function endOfRejected(error: unknown): End {
	const { reason } = error as { reason?: unknown };
	return reason === 'manual' || reason === 'timeout' ? 'failed' : 'lost';
}

/** The pause after so many attempts, from the last delivery: none, then a minute, doubled up to an hour. */
function pauseMs(attempts: number): number {
	return attempts < 2 ? 0 : Math.min(60, 2 ** (attempts - 2)) * MINUTE_MS;
}
