import * as fc from 'fast-check';
import type { PageQuery, PageResponse } from '../../../../nodes/shared/exportApi/client';
import { readByDate, readList, type Direction } from '../../../../nodes/shared/reading/walk';
import { Reading, type ReadOptions } from '../../../../nodes/shared/reading/reading';
import { instantOf } from '../../../../nodes/shared/exportApi/rows';
import { RequestError } from '../../../../nodes/shared/http/response';

export interface Row {
	/** Undefined for a row that the service sends without an ID. */
	id: string | undefined;
	serial: number;
	/** Milliseconds since 1970; the range selects by it. */
	date: number;
	/** When the row appeared in the list; NaN if the service does not say. */
	processed: number;
}

interface ShownRow {
	serial: number;
	conversationId: string | undefined;
	date: string | null;
	processedDate: string | null;
	/** What changes from response to response in a row with an ID. */
	viewedAt: number | undefined;
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
export type Counting = 'right' | { more: number } | { max: number } | 'onePageMore';

export interface Oddities {
	/** Most rows of a page; the service says nothing of it, and can skip as many a page as were asked for. */
	cap: number;
	skipsAsked: boolean;
	counting: Counting;
	/** The service selects by whole units of this many milliseconds. */
	unit: number;
	write: (at: number) => string;
	/** It sends dates rounded to this many milliseconds. */
	rounded: number;
	/** One row in so many has no ID, no date, no known time. 0 means none. */
	withoutId: number;
	withoutDate: number;
	withoutTime: number;
	/** One row in so many makes every response fail that contains it. 0 means none. */
	unreadable: number;
	ignoresPage: boolean;
}

const NORMAL: Oddities = {
	cap: 50,
	skipsAsked: false,
	counting: 'right',
	unit: 1,
	write: (at) => new Date(at).toISOString(),
	rounded: 1,
	withoutId: 0,
	withoutDate: 0,
	withoutTime: 0,
	unreadable: 0,
	ignoresPage: false,
};

/** A service with one list that changes while it is read. */
export class ChangingList {
	requests = 0;
	rows: Row[] = [];
	longest = 0;
	/** Rows that exist both before the first request and after the last. */
	readonly stayed: () => Set<number>;
	readonly odd: Oddities;
	/** The rows in the service's order, since the last change. */
	private sorted: Row[] | undefined;
	private serial = 0;
	private now = NOW;

	constructor(
		size: number,
		private readonly order: (a: Row, b: Row) => number,
		private readonly changes: Change[] = [],
		/** Length of the range in milliseconds. In a shorter range, more rows share a millisecond. */
		readonly span = 10 * 86_400_000,
		private readonly faults: ReadonlySet<number> = new Set(),
		oddities: Partial<Oddities> = {},
	) {
		this.odd = { ...NORMAL, ...oddities };
		for (let index = 0; index < size; index++) this.insert((index * GOLDEN) % 1, NOW - 7 * 86_400_000);
		const first = new Set(this.rows.map(({ serial }) => serial));
		this.stayed = () => new Set(this.rows.map(({ serial }) => serial).filter((serial) => first.has(serial)));
	}

	get range() {
		return { from: START, to: START + this.span };
	}

	/** Nobody can tell that rows are missing if as many were read as a capped total shows, or more and no page has others. */
	hidesRowsAfter(rows: number): boolean {
		const { counting, ignoresPage } = this.odd;
		const max = typeof counting === 'object' && 'max' in counting ? counting.max : Infinity;
		return this.longest > max && (rows === max || (ignoresPage && rows > max));
	}

	fetchPage = async (query: PageQuery): Promise<PageResponse> => {
		const request = ++this.requests;
		this.now += 1000;
		for (const change of this.changes) if (change.beforeRequest === request) this.apply(change);
		const { unit, cap, skipsAsked, ignoresPage } = this.odd;
		const limit = Math.min(cap, query.limit);
		const first = ignoresPage ? 0 : (query.page - 1) * (skipsAsked ? query.limit : limit);
		const [from, to] = [query.from - (query.from % unit), query.to - (query.to % unit) + unit - 1];
		this.sorted ??= [...this.rows].sort(this.order);
		const selected = this.sorted.filter(({ date }) => date >= from && date <= to);
		const rows = selected.slice(first, first + limit);
		const { now } = this;
		// Lets responses overtake each other.
		for (let turn = (request * 7919) % 5; turn > 0; turn--) await Promise.resolve();
		const isUnreadable = rows.some(({ serial }) => isOneIn(this.odd.unreadable, serial));
		if (isUnreadable || this.faults.has(request)) {
			const error = new RequestError({ code: 'request_failed', message: `request ${request} failed` });
			if (request % 2 === 1) throw error;
			return { at: now, read: () => raise(error) };
		}
		const total = this.count(selected.length, query);
		const pages = Math.max(Math.ceil(selected.length / limit), Math.ceil(total / query.limit));
		// A response can have several lists, of which the longest decides.
		const none = { total: 0, rows: [] };
		const lists = [none, { total, rows: rows.map((row) => this.shown(row)) }, none];
		return { at: now, read: () => ({ lists, pages }) };
	};

	private count(rows: number, { page, limit }: PageQuery): number {
		const { counting } = this.odd;
		if (counting === 'right') return rows;
		if (counting === 'onePageMore') return Math.max(rows, page * limit + 1);
		return 'more' in counting ? rows + counting.more : Math.min(rows, counting.max);
	}

	private shown({ serial, id, date, processed }: Row): ShownRow {
		const { rounded, withoutDate, write } = this.odd;
		return {
			serial,
			conversationId: id,
			date: isOneIn(withoutDate, serial) ? null : write(date - (date % rounded)),
			processedDate: Number.isNaN(processed) ? null : write(processed),
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
		this.rows.push({
			serial,
			id: isOneIn(this.odd.withoutId, serial) ? undefined : `id-${serial}`,
			date: START + Math.floor(share * this.span),
			processed: isOneIn(this.odd.withoutTime, serial) ? NaN : processed,
		});
		this.longest = Math.max(this.longest, this.rows.length);
	}
}

function raise(error: Error): never {
	throw error;
}

const isOneIn = (n: number, serial: number) => n > 0 && serial % n === n - 1;

type Options = Partial<Omit<ReadOptions, 'client' | 'list'>> & { fetchPage?: ChangingList['fetchPage'] };

function readingOf(list: ChangingList, { fetchPage = list.fetchPage, ...options }: Options): Reading {
	return new Reading({
		client: { page: async (_list, query) => await fetchPage(query) },
		list: { arrays: ['conversations'] },
		range: list.range,
		concurrency: 3,
		...options,
	});
}

/** Reads the list in the service's order. Returns what identifies the rows, in output order. */
export async function read(list: ChangingList, options: Options = {}) {
	const reading = readingOf(list, options);
	const serials: number[] = [];
	for await (const rows of readList(reading)) {
		for (const { serial } of rows as ShownRow[]) serials.push(serial);
	}
	return { report: reading.report, serials };
}

/** Reads the list by date until so many rows have come. */
export async function readFirst(
	list: ChangingList,
	wanted: number,
	{ direction = 'newestFirst', ...options }: Options & { direction?: Direction } = {},
) {
	const reading = readingOf(list, options);
	const all: ShownRow[] = [];
	for await (const slice of readByDate(reading, direction, wanted)) {
		for (const row of slice as ShownRow[]) all.push(row);
		if (all.length >= wanted) break;
	}
	const rows = all.slice(0, wanted).map(({ serial, date }) => ({ serial, date: instantOf(date) }));
	return { report: reading.report, rows, serials: rows.map(({ serial }) => serial) };
}

const share = fc.double({ min: 0, max: 0.999, noNaN: true });

export const orders = fc.constantFrom(...Object.values(ORDERS));
/** Lengths of a list, including those around full pages. */
export const sizes = fc.oneof(
	fc.integer({ min: 0, max: 400 }),
	fc.constantFrom(0, 1, 49, 50, 51, 99, 100, 101, 150),
);
export const concurrencies = fc.integer({ min: 1, max: 9 });
export const changes = fc.array(
	fc.record<Change>({
		beforeRequest: fc.integer({ min: 1, max: 30 }),
		kind: fc.constantFrom('insert', 'remove', 'swap'),
		at: share,
		to: share,
	}),
	{ maxLength: 40 },
);
/** Lengths of the range in milliseconds: the shorter, the more rows share one. */
export const spans = fc.constantFrom(864_000_000, 300, 60, 2);
export const faults = fc
	.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 10 })
	.map((list) => new Set(list));

const oneIn = fc.constantFrom(0, 0, 1, 3, 40);
export const oddities = fc
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
		},
		{ requiredKeys: [] },
	)
	// Without IDs nothing tells a repeated page from another one.
	.map((odd) => (odd.ignoresPage ? { ...odd, withoutId: 0 } : odd));
