import type { IDataObject } from 'n8n-workflow';
import { codedError } from '../shared/base/codedErrors';
import { mapOrdered } from '../shared/base/concurrency';
import { quoted } from '../shared/base/text';
import { idReader, type ExportClient, type Slice } from '../shared/exportApi/client';
import { dateOf, fieldOf } from '../shared/exportApi/rows';
import { RequestError } from '../shared/http/requestErrors';
import { Reading } from '../shared/reading/reading';
import { Walk, type RequestLimits, type SliceRows } from '../shared/reading/walk';
import type { ConversationFilter } from '../shared/selection/filterRules';
import { passes } from '../shared/selection/filters';
import { DOWNLOADS_AT_ONCE } from '../shared/media/download';
import type { TranscriptVerdict } from '../shared/triggers/triggerConversations';
import { POLL_ERRORS, type Ledger } from './ledger';
import type { Settings } from './pollParameters';

interface PollRequest extends Pick<Settings, 'lookBackMs' | 'isNewOnly' | 'maxRows'> {
	/** The time of the poll, in milliseconds since 1970. */
	at: number;
	range: Slice;
	due: string[];
	/** Whether to stop as soon as there is progress. */
	isLate: () => boolean;
	judge: (conversation: IDataObject, filter: ConversationFilter) => Promise<TranscriptVerdict>;
	unsaid: Map<string, number>;
}

export interface Found {
	id: string;
	/** When it was processed, in milliseconds since 1970, or the latest time that it can have been. */
	processed: number;
	/** Whether `processedDate` is in the slice that lists it; any other date is unreliable. */
	isExact: boolean;
	conversation: IDataObject;
	verdict?: TranscriptVerdict;
}

const FETCH_CONCURRENCY = 5;
/** Pages have no maximum, because a slice that cannot be cut is read to its end. A late poll stops earlier. */
const POLL_LIMITS: RequestLimits = { slices: [8, 100], pages: [8, Infinity] };

const idOf = idReader(['conversations']);

/** Collects conversations of a range that are new or were processed again, and those that are due again. */
export class Collector {
	/** Everything processed before was read. No row that is dated in the future moves it. */
	reached = -Infinity;
	/** Due conversations that cannot be delivered, with the error; undefined if the filter now leaves one out. */
	readonly undelivered = new Map<string, RequestError | undefined>();
	readonly warnings: string[] = [];

	private readonly found = new Map<string, Found>();

	constructor(
		private readonly client: ExportClient,
		private readonly ledger: Ledger,
		readonly wanted: PollRequest,
	) {}

	/** Conversations to deliver, oldest first. @throws as the client, and CodedError for a conversation without an ID */
	async collect(): Promise<Found[]> {
		const { due, range } = this.wanted;
		await this.fetchEach(due.filter((id) => this.ledger.deliveries.get(id)!.processedAt < range.from));
		if (!this.isDone()) await this.readRange(range);
		// What is due and was not listed is gone, or its date is unreliable.
		if (!this.isDone()) await this.fetchEach(due);
		return [...this.found.values()].sort(byTime);
	}

	private async fetchEach(ids: string[]): Promise<void> {
		const open = ids.filter((id) => !this.found.has(id) && !this.undelivered.has(id)).slice(0, this.room);
		const responses = mapOrdered(open, FETCH_CONCURRENCY, async (id) => ({
			id,
			conversation: await this.client.conversation(id).catch(toleratedError),
		}));
		for await (const { id, conversation } of responses) {
			const known = this.ledger.deliveries.get(id)!.processedAt;
			if (conversation instanceof RequestError) this.undelivered.set(id, conversation);
			else if (!passes(this.ledger.filter, conversation)) this.undelivered.set(id, undefined);
			else {
				const date = dateOf(conversation, 'processedDate');
				const processed = date <= this.wanted.range.to ? Math.max(known, date) : known;
				const { found } = await this.said([{ id, processed, isExact: true, conversation }]);
				if (found.length > 0) this.found.set(id, found[0]);
				else this.undelivered.set(id, undefined);
			}
			if (this.isDone()) return;
		}
	}

	private async readRange(range: Slice): Promise<void> {
		for (const { users, ...part } of this.ledger.partsOf(range)) {
			const reading = new Reading({
				client: this.client,
				list: { arrays: ['conversations'], dateType: 'processedDate', users },
				range: part,
				concurrency: 1,
			});
			const walk = new Walk(reading, { direction: 'oldestFirst', limits: POLL_LIMITS });
			for await (const slice of walk.slices()) {
				reading.report.take(slice.rows);
				const { surplus } = reading.report;
				if (surplus > 0)
					this.warnings.push(`The service sends ${surplus} more rows on a page than asked for.`);
				if (!(await this.take(slice))) return;
			}
		}
	}

	/** @returns whether all of it fits, and there is time and room for more */
	private async take(slice: SliceRows): Promise<boolean> {
		const { at } = this.wanted;
		for (const warning of contradictionsIn(slice)) this.warnings.push(warning);
		const rows = slice.rows.map((row) => withDate(row, slice, at)).sort(byTime);
		const past = rows.filter(({ processed }) => processed <= at);
		const { found: added, isWhole } = await this.said(rows.filter((row) => this.isNew(row)));
		const { room } = this;
		for (const row of added.slice(0, room)) this.found.set(row.id, row);
		if (past.length > 0) this.reached = Math.max(this.reached, slice.from);
		// What did not fit is read again by the next poll.
		if (added.length > room || !isWhole) return false;
		for (const row of past) if (row.isExact) this.reached = Math.max(this.reached, row.processed);
		return !this.isDone();
	}

	/** The rows that pass Words Said too; fewer if this poll cannot deliver more, or if it is late. */
	private async said(rows: Found[]): Promise<{ found: Found[]; isWhole: boolean }> {
		const found: Found[] = [];
		let started = 0;
		const judged = mapOrdered(rows, DOWNLOADS_AT_ONCE.transcript, async (row): Promise<Found | undefined> => {
			if (started++ > 0 && this.wanted.isLate()) return undefined;
			let verdict: TranscriptVerdict = { isSaid: true };
			for (const filter of this.ledger.filtersAt(row.processed)) {
				if (verdict.isSaid) verdict = await this.wanted.judge(row.conversation, filter);
			}
			return { ...row, verdict };
		});
		for await (const row of judged) {
			if (!row || found.length > this.room) return { found, isWhole: false };
			if (row.verdict!.isSaid) found.push(row);
			else this.wanted.unsaid.set(row.id, row.processed);
		}
		return { found, isWhole: true };
	}

	private isNew({ id, processed, isExact, conversation }: Found): boolean {
		if (this.wanted.unsaid.get(id) === processed) return false;
		if (!this.ledger.passesFilters(conversation, processed)) return false;
		const { due, isNewOnly, at } = this.wanted;
		const delivery = due.includes(id) ? undefined : this.ledger.deliveries.get(id);
		const known = this.found.get(id)?.processed ?? delivery?.processedAt;
		// A conversation that was dated in the future can be processed again at an earlier date.
		const isNewer = processed > known! || (known! > at && processed !== known);
		return known === undefined || (isExact && isNewer && !isNewOnly);
	}

	private get room(): number {
		return this.wanted.maxRows - this.found.size;
	}

	/** A late poll goes on until the position can move. */
	private isDone(): boolean {
		const { range, lookBackMs, isLate } = this.wanted;
		const hasProgress = this.found.size > 0 || this.reached - lookBackMs > range.from;
		return this.room <= 0 || (hasProgress && isLate());
	}
}

/** Statuses that concern all requests: the key is refused, or the service is busy. */
const NOT_ABOUT_ONE = [401, 403, 408, 429];

/** One conversation that cannot be returned must not hold up the others. */
function toleratedError(error: unknown): RequestError {
	const status = error instanceof RequestError ? error.details.status : undefined;
	if (status === undefined || status < 400 || NOT_ABOUT_ONE.includes(status)) throw error;
	return error as RequestError;
}

function contradictionsIn({ rows, unlisted, paged }: SliceRows): string[] {
	const warnings: string[] = [];
	if (unlisted !== 0 || paged === 'unsettled')
		warnings.push(`The service counts ${rows.length + unlisted} conversations and lists ${rows.length}.`);
	const unread = rows.find((row) => Number.isNaN(dateOf(row, 'processedDate')));
	if (unread !== undefined)
		warnings.push(
			`The service writes processedDate as ${quoted(fieldOf(unread, 'processedDate'))}, which is not an ISO 8601 date. So conversations that are processed again are not noticed.`,
		);
	return warnings;
}

const byTime = (a: Found, b: Found) => a.processed - b.processed;

function withDate(row: unknown, { from, to }: Slice, at: number): Found {
	const id = idOf(row);
	const latest = Math.max(from, Math.min(to, at));
	if (id === undefined) {
		const [first, last] = [from, latest].map((time) => new Date(time).toISOString());
		throw codedError(POLL_ERRORS, 'conversation_without_id', { from: first, to: last });
	}
	const date = dateOf(row, 'processedDate');
	const isExact = date >= from && date <= to;
	return { id, processed: isExact ? date : latest, isExact, conversation: row as IDataObject };
}
