import * as fc from 'fast-check';
import type { PageQuery, PageResponse, Slice } from '../../../../nodes/shared/exportApi/client';
import { readByDate, readList, type Direction } from '../../../../nodes/shared/reading/walk';
import { Reading } from '../../../../nodes/shared/reading/reading';
import { instantOf } from '../../../../nodes/shared/exportApi/rows';
import { RequestError } from '../../../../nodes/shared/http/requestErrors';

export interface Row {
	/** Undefined for a row that the service sends without an ID. */
	id: string | undefined;
	serial: number;
	/** Milliseconds since 1970; the range selects by it. */
	date: number;
	/** When the row appeared in the list; NaN if the service does not say. */
	processed: number;
}

/** A change to the list just before the response to a request. */
export interface Change {
	beforeRequest: number;
	kind: 'insert' | 'remove' | 'swap';
	/** Position of the removed row, as a share of the list. */
	at: number;
	/** Date of the inserted row, as a share of the range. */
	to: number;
}

/** Possible orders of the service's list. The API documentation does not define one. */
export const ORDERS = {
	oldestFirst: (a: Row, b: Row) => a.date - b.date,
	newestFirst: (a: Row, b: Row) => b.date - a.date,
	byId: (a: Row, b: Row) => hash(a) - hash(b),
	byProcessed: (a: Row, b: Row) => b.processed - a.processed,
	/** As by the end of their processing, within a day of the recording. */
	nearlyNewest: (a: Row, b: Row) => b.date + 86_400_000 * hash(b) - (a.date + 86_400_000 * hash(a)),
	nearlyOldest: (a: Row, b: Row) => a.date + 86_400_000 * hash(a) - (b.date + 86_400_000 * hash(b)),
};

/** In no order at all, as IDs are. */
const hash = ({ serial }: Row) => Math.abs(Math.sin(serial * 12.9898) * 43_758.5453) % 1;

/** Its multiples spread evenly over the range. */
const GOLDEN = 0.6180339887498949;

const START = Date.parse('2026-03-01T00:00:00Z');
const NOW = Date.parse('2026-03-20T00:00:00Z');

/** How a service counts: right, some rows more, at most so many (then `totalPages` is right), or always one page more. */
type Counting = 'right' | { more: number } | { max: number } | 'onePageMore';

/** A service that is not odd. */
const NORMAL = {
	/** Most rows of a page; the service says nothing of it, and can skip as many a page as were asked for. */
	cap: 50,
	skipsAsked: false,
	counting: 'right' as Counting,
	/** It selects by whole units of this many milliseconds, and rounds the dates that it sends. */
	unit: 1,
	rounded: 1,
	write: (at: number): string => new Date(at).toISOString(),
	/** One row in so many has no ID, no date, no known time, or makes every response fail that contains it; 0 means none. */
	withoutId: 0,
	withoutDate: 0,
	withoutTime: 0,
	unreadable: 0,
	ignoresPage: false,
	/** A gateway refuses every response of more rows. */
	maxRows: Infinity,
	/** Of what fails: 500 and above may be for the size of the response. */
	status: 0,
};
type Oddities = typeof NORMAL;

/** A list, what happens to it, and how it is read. */
export interface Given {
	size: number;
	order: (a: Row, b: Row) => number;
	changes: Change[];
	/** Length of the range in milliseconds: the shorter, the more rows share one. */
	span: number;
	/** Where rows are at first, by their index, in milliseconds after the range's start; evenly spread unless set. */
	place: (index: number) => number;
	/** Numbers of the requests that fail. */
	faults: ReadonlySet<number>;
	odd: Partial<Oddities>;
	/** How many rows are wanted by date; undefined for all in the service's order. */
	wanted: number | undefined;
	direction: Direction;
	concurrency: number;
	continueOnError: boolean;
	range: Slice;
	fetchPage: (query: PageQuery) => Promise<PageResponse>;
}

/** A service with one list that changes while it is read. */
export class ChangingList {
	requests = 0;
	failed = 0;
	/** The fewest rows that a request asked for. */
	shortest = 50;
	rows: Row[] = [];
	longest = 0;
	/** All rows that there were at any time. */
	readonly ever: Row[] = [];
	/** Rows that exist both before the first request and after the last. */
	readonly stayed: () => Row[];
	readonly odd: Oddities;
	readonly range: Slice;
	/** The rows in the service's order, since the last change. */
	private sorted: Row[] | undefined;
	private serial = 0;
	private now = NOW;

	constructor(private readonly given: Partial<Given> = {}) {
		const { size = 0, span = 10 * 86_400_000, place, odd } = given;
		this.odd = { ...NORMAL, ...odd };
		this.range = { from: START, to: START + span };
		for (let index = 0; index < size; index++) this.insert((index * GOLDEN) % 1, NOW - 7 * 86_400_000);
		if (place) for (const row of this.rows) row.date = START + Math.floor(place(row.serial));
		const first = new Set(this.rows);
		this.stayed = () => this.rows.filter((row) => first.has(row));
	}

	/** Nobody can tell that rows are missing if as many were read as a capped total shows, or more and no page has others. */
	hidesRowsAfter(rows: number): boolean {
		const { counting, ignoresPage } = this.odd;
		const max = typeof counting === 'object' && 'max' in counting ? counting.max : Infinity;
		return this.longest > max && (rows === max || (ignoresPage && rows > max));
	}

	fetchPage = async (query: PageQuery): Promise<PageResponse> => {
		const { changes = [], order = ORDERS.byId, faults } = this.given;
		const request = ++this.requests;
		this.shortest = Math.min(this.shortest, query.limit);
		this.now += 1000;
		for (const change of changes) if (change.beforeRequest === request) this.apply(change);
		const { cap, skipsAsked, ignoresPage, maxRows } = this.odd;
		const limit = Math.min(cap, query.limit);
		const first = ignoresPage ? 0 : (query.page - 1) * (skipsAsked ? query.limit : limit);
		this.sorted ??= [...this.rows].sort(order);
		const selected = this.sorted.filter(this.isIn(query));
		const rows = selected.slice(first, first + limit);
		const { now } = this;
		// Lets responses overtake each other.
		for (let turn = (request * 7919) % 5; turn > 0; turn--) await Promise.resolve();
		const isUnreadable = rows.some(({ serial }) => isOneIn(this.odd.unreadable, serial));
		if (isUnreadable || faults?.has(request)) {
			this.failed++;
			const { status } = this.odd;
			const words = { code: 'request_failed', message: `request ${request} failed` };
			const error = new RequestError(words, { status });
			if (request % 2 === 1) throw error;
			return { at: now, read: async () => await Promise.reject(error) };
		}
		if (rows.length > maxRows) {
			throw new RequestError({ code: 'service_failed', message: 'too large' }, { status: 502 });
		}
		const total = this.count(selected.length, query);
		const pages = Math.max(Math.ceil(selected.length / limit), Math.ceil(total / query.limit));
		// A response can have several lists, of which the longest decides.
		const none = { total: 0, rows: [] };
		const lists = [none, { total, rows: rows.map((row) => this.shown(row)) }, none];
		const read = async () => await Promise.resolve({ lists, pages, limit: query.limit, surplus: 0 });
		return { at: now, read };
	};

	/** Whether a row is selected by a slice. */
	isIn({ from, to }: Slice) {
		const { unit } = this.odd;
		return ({ date }: Row) => date >= from - (from % unit) && date < to - (to % unit) + unit;
	}

	private count(rows: number, { page, limit }: PageQuery): number {
		const { counting } = this.odd;
		if (counting === 'right') return rows;
		if (counting === 'onePageMore') return Math.max(rows, page * limit + 1);
		return 'more' in counting ? rows + counting.more : Math.min(rows, counting.max);
	}

	private shown({ serial, id, date, processed }: Row) {
		const { rounded, withoutDate, write } = this.odd;
		return {
			serial,
			conversationId: id,
			date: isOneIn(withoutDate, serial) ? null : write(date - (date % rounded)),
			processedDate: Number.isNaN(processed) ? null : write(processed),
			// Differs from response to response.
			viewedAt: id === undefined ? undefined : this.now,
		};
	}

	private apply({ kind, at, to }: Change): void {
		this.sorted = undefined;
		if (kind !== 'insert') this.rows.splice(Math.floor(at * this.rows.length), 1);
		if (kind !== 'remove') this.insert(to, this.now);
	}

	private insert(share: number, processed: number): void {
		const serial = this.serial++;
		const row: Row = {
			serial,
			id: isOneIn(this.odd.withoutId, serial) ? undefined : `id-${serial}`,
			date: this.range.from + Math.floor(share * (this.range.to - this.range.from)),
			processed: isOneIn(this.odd.withoutTime, serial) ? NaN : processed,
		};
		this.rows.push(row);
		this.ever.push(row);
		this.longest = Math.max(this.longest, this.rows.length);
	}
}

const isOneIn = (n: number, serial: number) => n > 0 && serial % n === n - 1;

/** Reads a list; the rows are in output order, `missing` are those that existed throughout, `unnamed` if in no gap. */
export async function read(given: Partial<Given>, list = new ChangingList(given)) {
	const { wanted, direction = 'newestFirst', fetchPage = list.fetchPage } = given;
	const reading = new Reading({
		client: { page: async (_list, query) => await fetchPage(query) },
		list: { arrays: ['conversations'] },
		range: list.range,
		concurrency: 3,
		...given,
	});
	const all: Array<{ serial: number; date: string }> = [];
	let isStopped = false;
	const batches = wanted === undefined ? readList(reading) : readByDate(reading, direction, wanted);
	for await (const batch of batches) {
		for (const row of batch as typeof all) all.push(row);
		isStopped = wanted !== undefined && all.length >= wanted;
		if (isStopped) break;
	}
	const rows = all.slice(0, wanted).map(({ serial, date }) => ({ serial, date: instantOf(date) }));
	const serials = rows.map(({ serial }) => serial);
	const output = new Set(serials);
	const missing = list.stayed().filter(({ serial }) => !output.has(serial));
	const { gaps, unlisted, paged } = reading.report;
	const isComplete = !isStopped && unlisted === 0 && paged !== 'unsettled' && gaps.length === 0;
	const report = Object.assign(reading.report, { isComplete });
	const unnamed = missing.filter((row) => !report.gaps.some((gap) => list.isIn(gap)(row)));
	return { list, report, rows, serials, missing, unnamed, isOnce: output.size === rows.length };
}

const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const oneIn = fc.constantFrom(0, 0, 1, 3, 40);

/** What a property draws. */
export const ANY = {
	order: fc.constantFrom(...Object.values(ORDERS)),
	/** Also those around full pages. */
	size: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.constantFrom(0, 1, 49, 50, 51, 99, 100, 101, 150)),
	concurrency: fc.integer({ min: 1, max: 9 }),
	changes: fc.array(
		fc.record<Change>({
			beforeRequest: fc.integer({ min: 1, max: 30 }),
			kind: fc.constantFrom('insert', 'remove', 'swap'),
			at: share,
			to: share,
		}),
		{ maxLength: 40 },
	),
	span: fc.constantFrom(864_000_000, 300, 60, 2),
	faults: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 10 }).map((list) => new Set(list)),
	direction: fc.constantFrom<Direction>('newestFirst', 'oldestFirst'),
	wanted: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom(1, 50, 51, 100, Infinity)),
	continueOnError: fc.boolean(),
	odd: fc
		.record<Partial<Oddities>>(
			{
				cap: fc.oneof(fc.constantFrom(25, 10, 49), fc.integer({ min: 1, max: 50 })),
				counting: fc.oneof(
					fc.constant<Counting>('onePageMore'),
					fc.record({ more: fc.constantFrom(1, 7, 1000) }),
					fc.record({ max: fc.constantFrom(30, 50, 100, 120) }),
				),
				unit: fc.constantFrom(1000, 60_000, 86_400_000),
				rounded: fc.constantFrom(1000, 60_000),
				withoutId: oneIn,
				withoutDate: oneIn,
				withoutTime: oneIn,
				unreadable: fc.constantFrom(0, 0, 30, 100),
				ignoresPage: fc.boolean(),
				status: fc.constantFrom(0, 502),
			},
			{ requiredKeys: [] },
		)
		// Without IDs nothing tells a repeated page from another one.
		.map((odd) => (odd.ignoresPage ? { ...odd, withoutId: 0 } : odd)),
} satisfies { [Key in keyof Given]?: fc.Arbitrary<Given[Key]> };
