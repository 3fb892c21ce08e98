import type { IRun } from 'n8n-workflow';
import type { Delivery } from './position';

/** When a conversation counts as delivered: its execution has ended in any way, or succeeded. */
export type DeliveredWhen = 'ended' | 'succeeded';

/** How an execution ended; `lost` means that it did not, e.g. because n8n or its worker was killed. */
type End = 'succeeded' | 'failed' | 'waiting' | 'lost';

/** Conversations of one execution, and when it was started, in milliseconds since 1970. */
interface Execution {
	delivered: Map<string, Delivery>;
	startedAt: number;
}

const MINUTE_MS = 60_000;

/** After this time, an execution whose end n8n has not reported no longer holds up new conversations. */
const MAX_HOLD_MS = 24 * 60 * MINUTE_MS;

/**
 * What this n8n process has delivered for one trigger. n8n saves a position only when items are emitted: only this
 * process knows what has ended since. Unknown, unfinished deliveries belong to a process that died.
 */
export class Deliveries {
	private readonly known = new Map<string, Delivery>();
	/** Executions whose end was not reported. */
	private readonly open = new Set<Execution>();
	private lastEnd = -Infinity;
	/** IDs of what had not ended when the position was last saved. */
	private unended = new Set<string>();

	/** @param start the setting of the position that they belong to */
	constructor(readonly start: string) {}

	/** @returns all deliveries, of this process or saved, and the IDs of those that another process has lost */
	merge(saved: Map<string, Delivery>): { all: Map<string, Delivery>; lost: Set<string> } {
		const all = new Map(saved);
		const lost = new Set<string>();
		for (const [id, own] of this.known) {
			if (own.processedAt >= (all.get(id)?.processedAt ?? -Infinity)) all.set(id, own);
		}
		for (const [id, delivery] of all) {
			if (delivery.state !== 'running' || this.known.get(id) === delivery) continue;
			all.set(id, { ...delivery, state: 'failed' });
			lost.add(id);
		}
		return { all, lost };
	}

	/**
	 * Forgets what the position no longer needs, except for ends that only this process knows if a person has published
	 * meanwhile: then the trigger goes on from the position before.
	 */
	keepOnly(needed: Map<string, Delivery>): void {
		for (const id of this.known.keys()) {
			if (!needed.has(id) && !this.unended.has(id)) this.known.delete(id);
		}
		this.unended = new Set([...needed].filter(([, { state }]) => state !== 'ended').map(([id]) => id));
	}

	/** Remembers a failed attempt that started no execution. */
	fail(id: string, delivery: Delivery): void {
		this.known.set(id, delivery);
	}

	/** Forgets one that is no longer to be delivered. */
	forget(id: string): void {
		this.known.delete(id);
	}

	/** How many conversations are in executions that have not ended. */
	inFlight(now: number): number {
		const open = [...this.open].filter(({ startedAt }) => now - startedAt < MAX_HOLD_MS);
		return open.reduce((sum, { delivered }) => sum + delivered.size, 0);
	}

	/**
	 * Follows an execution until n8n reports its end.
	 *
	 * @param done settles with the execution
	 */
	async follow(
		delivered: Map<string, Delivery>,
		done: Promise<IRun | undefined>,
		deliveredWhen: DeliveredWhen,
	): Promise<void> {
		const execution = { delivered, startedAt: Date.now() };
		this.open.add(execution);
		for (const [id, delivery] of delivered) this.known.set(id, delivery);
		this.end(execution, await done.then(endOf, endOfRejected), deliveredWhen);
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

/**
 * Decides what is delivered again now: the only place that does.
 *
 * @param lost IDs of those that a crash of n8n may have to do with: after the second, they come in ever smaller parts,
 *   so that one that crashes n8n cannot hold up the others
 * @param max most conversations of a poll
 * @returns IDs, the oldest first
 */
export function dueAgain(all: Map<string, Delivery>, lost: Set<string>, now: number, max: number): string[] {
	const isDue = ({ state, attempts, deliveredAt }: Delivery) =>
		state === 'failed' && (deliveredAt > now || now - deliveredAt >= pauseMs(attempts));
	const due = [...all].filter(([, delivery]) => isDue(delivery));
	due.sort(([, a], [, b]) => a.processedAt - b.processedAt);
	const parts = new Map<number, number>();
	const fits = ([id, { attempts }]: [string, Delivery]) => {
		if (!lost.has(id)) return true;
		const left = parts.get(attempts) ?? Math.ceil(max / 4 ** (attempts - 1));
		parts.set(attempts, left - 1);
		return left > 0;
	};
	return due.filter(fits).map(([id]) => id);
}
