import { OperationalError, type IDataObject } from 'n8n-workflow';
import { mapOrdered } from '../shared/concurrency/mapOrdered';
import { idReader, processedAt, readStretches, type Stretch } from '../shared/reading';
import type { Deliveries } from './deliveries';
import { advance, type Entry, type Position } from './position';
import type { Source } from './source';

export interface Limits {
	/** How far each poll looks back for late arrivals, in milliseconds. */
	overlapMs: number;
	/** Most conversations to deliver at once. */
	maxRows: number;
	/** Whether to stop as soon as there is progress. */
	isLate: () => boolean;
}

/** A conversation to deliver. */
export interface Found {
	id: string;
	/** When it was processed, in milliseconds since 1970; the latest it can have been where its date is unreliable. */
	processed: number;
	conversation: IDataObject;
}

/** Whether `processedDate` is in the stretch that lists the conversation; any other date is unreliable. */
type Dated = Found & { isExact: boolean };

/** Concurrent requests for lost conversations. */
const CONCURRENCY = 5;

const idOf = idReader(['conversations']);

/** Collects conversations of a range that are new or were processed again, and lost ones. */
class Collector {
	/** Everything processed before was read. */
	reached = -Infinity;

	private readonly found = new Map<string, Found>();

	/**
	 * @param seen conversations known; those that no longer exist or are no longer wanted are deleted from it
	 * @param lost IDs of those whose execution was lost
	 */
	constructor(
		private readonly source: Source,
		private readonly range: Stretch,
		private readonly seen: Map<string, Entry>,
		private readonly lost: ReadonlySet<string>,
		private readonly limits: Limits,
	) {}

	/**
	 * Conversations to deliver, oldest first.
	 *
	 * @throws what the source throws, and OperationalError for a conversation without an ID
	 */
	async collect(): Promise<Found[]> {
		const lost = [...this.lost];
		await this.recover(lost.filter((id) => this.seen.get(id)![0] < this.range.from));
		if (!this.isDone()) await this.readRange();
		// Lost ones that the range did not list are gone, or their date is unreliable.
		if (!this.isDone()) await this.recover(lost);
		return [...this.found.values()].sort(byTime);
	}

	/** Reads lost conversations by ID, so that neither their age nor their dates matter. */
	private async recover(ids: string[]): Promise<void> {
		const missing = ids.filter((id) => this.seen.has(id) && !this.found.has(id));
		const answers = mapOrdered(missing.slice(0, this.room), CONCURRENCY, async (id) => ({
			id,
			conversation: await this.source.fetchConversation(id),
		}));
		for await (const { id, conversation } of answers) {
			const known = this.seen.get(id)![0];
			const date = processedAt(conversation);
			const processed = date <= this.range.to ? Math.max(known, date) : known;
			if (conversation && this.source.isWanted(conversation))
				this.found.set(id, { id, processed, conversation });
			else this.seen.delete(id);
			if (this.isDone()) return;
		}
	}

	/** Reads the range, or as much of it as this poll can deliver. */
	private async readRange(): Promise<void> {
		for await (const stretch of readStretches(this.source.fetchPage, this.range, idOf)) {
			const { rows, unlisted, paged } = stretch;
			if (unlisted !== 0 || paged === 'unsettled') {
				this.source.warn(
					`The service counts ${rows.length + unlisted} conversations and lists ${rows.length}.`,
				);
			}
			const dated = rows.map((row) => withDate(row, stretch)).sort(byTime);
			const added = dated.filter((row) => this.isNew(row));
			const { room } = this;
			for (const row of added.slice(0, room)) this.found.set(row.id, row);
			if (rows.length > 0) this.reached = Math.max(this.reached, stretch.from);
			// What did not fit is read again by the next poll.
			if (added.length > room) return;
			for (const row of dated) if (row.isExact) this.reached = Math.max(this.reached, row.processed);
			if (this.isDone()) return;
		}
	}

	private isNew({ id, processed, isExact, conversation }: Dated): boolean {
		if (!this.source.isWanted(conversation)) return false;
		const known = this.found.get(id)?.processed ?? (this.lost.has(id) ? undefined : this.seen.get(id)?.[0]);
		return known === undefined || (isExact && processed > known);
	}

	private get room(): number {
		return this.limits.maxRows - this.found.size;
	}

	/** Past the deadline, stops only after progress that the position can hold. */
	private isDone(): boolean {
		const hasProgress = this.found.size > 0 || this.reached - this.limits.overlapMs > this.range.from;
		return this.room <= 0 || (hasProgress && this.limits.isLate());
	}
}

const byTime = (a: Found, b: Found) => a.processed - b.processed;

function withDate(row: unknown, { from, to }: Stretch): Dated {
	const id = idOf(row);
	if (id === undefined) {
		const range = `${new Date(from).toISOString()} and ${new Date(to).toISOString()}`;
		throw new OperationalError(`A conversation processed between ${range} has no "conversationId"`, {
			description: 'Polling stops here so that nothing is skipped. Report it to the service.',
		});
	}
	const date = processedAt(row);
	const isExact = date >= from && date <= to;
	return { id, processed: isExact ? date : to, isExact, conversation: row as IDataObject };
}

/** How far beyond now a poll reads, because the service's clock may be ahead; never further than it looks back. */
const AHEAD_MS = 2 * 60_000;

/**
 * Finds what to deliver next, and the position after it. It changes nothing, so the next poll repeats one that fails.
 *
 * @param now milliseconds since 1970
 * @throws what the source throws
 */
export async function pollOnce(
	source: Source,
	position: Position,
	deliveries: Deliveries,
	now: number,
	limits: Limits,
): Promise<{ found: Found[]; position: Position; delivered: Map<string, Entry> }> {
	const { seen, lost } = deliveries.reconcile(position.seen);
	const to = Math.max(now, position.from) + Math.min(AHEAD_MS, limits.overlapMs);
	const collector = new Collector(source, { from: position.from, to }, seen, lost, limits);
	const found = await collector.collect();
	const delivered = new Map(found.map(({ id, processed }): [string, Entry] => [id, [processed, 0]]));
	for (const [id, entry] of delivered) seen.set(id, entry);
	return { found, delivered, position: advance(position, collector.reached - limits.overlapMs, seen) };
}
