import * as fc from 'fast-check';
import { NodeApiError, type INode } from 'n8n-workflow';
import {
	ListReader,
	type ListReaderOptions,
	type PageAnswer,
	type PageQuery,
} from '../../../../nodes/shared/reading';

export interface Row {
	id: string;
	/** Milliseconds since 1970; the range selects by it. */
	date: number;
	/** When the row appeared in the list. */
	processed: number;
}

/** A change to the list just before a request is answered. */
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
	byId: (a: Row, b: Row) => (a.id < b.id ? -1 : 1),
	byProcessed: (a: Row, b: Row) => b.processed - a.processed,
};

const START = Date.parse('2026-03-01T00:00:00Z');
const NOW = Date.parse('2026-03-20T00:00:00Z');
const NODE: INode = { id: '', name: 'List', type: '', typeVersion: 1, position: [0, 0], parameters: {} };

/** A service with one list that changes while it is read. */
export class ChangingList {
	requests = 0;
	rows: Row[] = [];
	/** Rows that exist both before the first request and after the last. */
	readonly stayed: () => Set<string>;
	private serial = 0;
	private now = NOW;

	constructor(
		size: number,
		private readonly order: (a: Row, b: Row) => number,
		private readonly changes: Change[] = [],
		/** Length of the range in milliseconds. In a shorter range, more rows share a millisecond. */
		readonly span = 10 * 86_400_000,
		/** Numbers of the requests that fail. */
		private readonly faults: ReadonlySet<number> = new Set(),
	) {
		for (let index = 0; index < size; index++) this.insert((index * 0.618) % 1, NOW - 7 * 86_400_000);
		const first = new Set(this.rows.map(({ id }) => id));
		this.stayed = () => new Set(this.rows.map(({ id }) => id).filter((id) => first.has(id)));
	}

	get range() {
		return { from: START, to: START + this.span };
	}

	fetchPage = async ({ from, to, page, limit }: PageQuery): Promise<PageAnswer<Row>> => {
		const request = ++this.requests;
		this.now += 1000;
		for (const change of this.changes) if (change.beforeRequest === request) this.apply(change);
		const selected = this.rows.filter(({ date }) => date >= from && date <= to).sort(this.order);
		const rows = selected.slice((page - 1) * limit, page * limit);
		// Lets answers overtake each other.
		for (let turn = (request * 7919) % 5; turn > 0; turn--) await Promise.resolve();
		if (this.faults.has(request)) throw new NodeApiError(NODE, { message: `request ${request} failed` });
		return { lists: [{ total: selected.length, rows: () => rows }], at: this.now };
	};

	private apply({ kind, at, to }: Change): void {
		if (kind !== 'insert') this.rows.splice(Math.floor(at * this.rows.length), 1);
		if (kind !== 'remove') this.insert(to, this.now);
	}

	private insert(share: number, processed: number): void {
		const serial = this.serial++;
		const id = `${((serial * 0.618) % 1).toFixed(6)}-${serial}`;
		this.rows.push({ id, date: START + Math.floor(share * this.span), processed });
	}
}

/** Reads the list to the end. Returns the IDs in output order. */
export async function read(list: ChangingList, options: Partial<ListReaderOptions<Row>> = {}) {
	const reader = new ListReader<Row>({
		range: list.range,
		fetchPage: list.fetchPage,
		idOf: ({ id }) => id,
		dateOf: ({ date }) => date,
		appearedAt: ({ processed }) => processed,
		concurrency: () => 3,
		...options,
	});
	const ids: string[] = [];
	for await (const batch of reader.batches()) ids.push(...batch.map(({ id }) => id));
	return { reader, ids };
}

const share = fc.double({ min: 0, max: 0.999, noNaN: true });

export const orders = fc.constantFrom(...Object.values(ORDERS));
/** Lengths of a list, including those around full pages. */
export const sizes = fc.oneof(
	fc.integer({ min: 0, max: 400 }),
	fc.constantFrom(0, 1, 49, 50, 51, 99, 100, 101, 150),
);
/** Number of concurrent requests. */
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
