import type { IRun } from 'n8n-workflow';
import type { Entry, Position } from './position';

/**
 * What this n8n process has delivered for one trigger. n8n saves a position only when items are emitted: only this
 * process knows what has ended since. What it does not know and has not ended was lost with another process.
 */
export class Deliveries {
	private readonly entries = new Map<string, Entry>();

	/** @param start the setting of the position that they belong to */
	constructor(readonly start: string) {}

	/** @returns all conversations known, here or in the saved position, and the IDs of those whose execution was lost */
	reconcile(saved: Position['seen']): { seen: Map<string, Entry>; lost: Set<string> } {
		const seen = new Map(Object.entries(saved));
		for (const [id, entry] of this.entries) {
			if (entry[0] >= (seen.get(id)?.[0] ?? -Infinity)) seen.set(id, entry);
		}
		const lost = [...seen].filter(([id, entry]) => !entry[1] && this.entries.get(id) !== entry);
		return { seen, lost: new Set(lost.map(([id]) => id)) };
	}

	/** Forgets what the position no longer needs. */
	keepOnly(seen: Position['seen']): void {
		for (const id of this.entries.keys()) if (!Object.hasOwn(seen, id)) this.entries.delete(id);
	}

	/**
	 * Marks conversations once their execution has ended, and forgets them when it was lost.
	 *
	 * @param done settles with the execution
	 */
	async follow(delivered: Map<string, Entry>, done: Promise<IRun | undefined>): Promise<void> {
		for (const [id, entry] of delivered) this.entries.set(id, entry);
		const isEnded = await done.then(hasEnded, wasStopped);
		for (const [id, entry] of delivered) {
			if (isEnded) entry[1] = 1;
			else if (this.entries.get(id) === entry) this.entries.delete(id);
		}
	}
}

/** A failed execution has ended. One that failed before its first node was lost, which is how n8n reports a dead worker. */
function hasEnded(run: IRun | undefined): boolean {
	if (run === undefined || run.status === 'crashed') return false;
	const { lastNodeExecuted, runData } = run.data.resultData;
	return run.status !== 'error' || lastNodeExecuted !== undefined || Object.keys(runData).length > 0;
}

/** Whether a person or a time limit ended the execution; otherwise it was not stored, queued or finished. */
function wasStopped(error: unknown): boolean {
	const { reason } = error as { reason?: unknown };
	return reason === 'manual' || reason === 'timeout';
}
