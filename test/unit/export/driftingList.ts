import * as fc from 'fast-check';
import { RowWalk } from '../../../nodes/shared/export/rowWalk';

export interface Row {
	id: string;
}

/** Something that happens to the list just before the n-th request is answered. */
interface Drift {
	beforeRequest: number;
	/** Where, as a share of the list. */
	at: number;
	insert: boolean;
}

/** A service with one list, which changes while it is read. */
export class DriftingList {
	requests = 0;
	private serial = 0;
	rows: Row[];

	constructor(
		size: number,
		private readonly drifts: Drift[] = [],
	) {
		this.rows = Array.from({ length: size }, () => this.newRow());
	}

	fetch = async (page: number, limit: number) => {
		this.requests++;
		for (const drift of this.drifts.filter(({ beforeRequest }) => beforeRequest === this.requests))
			this.apply(drift);
		const rows = this.rows.slice((page - 1) * limit, page * limit);
		const total = this.rows.length;
		// Answers overtake each other.
		for (let turn = (page * 7919) % 5; turn > 0; turn--) await Promise.resolve();
		return [{ rows: () => rows, total }];
	};

	private apply({ at, insert }: Drift): void {
		const index = Math.floor(at * this.rows.length);
		if (insert) this.rows.splice(index, 0, this.newRow());
		else this.rows.splice(index, 1);
	}

	private newRow(): Row {
		return { id: `row-${this.serial++}` };
	}
}

/** Walks the list; gives the rows that stay in the end, and all that were put out. */
export async function walk(
	list: DriftingList,
	options: { concurrency?: number; maxRows?: number; maxPasses?: number } = {},
) {
	const { concurrency = 3 } = options;
	const rowWalk = new RowWalk<Row>({ ...options, concurrency, fetchPage: list.fetch, idOf: ({ id }) => id });
	let rows: string[] = [];
	const written: string[] = [];
	let pass = 1;
	for await (const batch of rowWalk.batches()) {
		if (batch.pass !== pass) rows = [];
		pass = batch.pass;
		rows.push(...batch.rows.map(({ id }) => id));
		written.push(...batch.fresh.map(({ id }) => id));
	}
	return { rows, written, walk: rowWalk };
}

/** What the list holds now. */
export const ids = (list: DriftingList) => list.rows.map(({ id }) => id);
/** Lengths of a list, those around whole pages among them. */
export const sizes = fc.oneof(
	fc.integer({ min: 0, max: 400 }),
	fc.constantFrom(0, 1, 49, 50, 51, 99, 100, 101, 150),
);
/** Requests under way at once. */
export const concurrencies = fc.integer({ min: 1, max: 9 });
