import type { ArrayName, Row } from './rows';
import type { Rotation } from './rotation';
import type { Timeline } from './timeline';
import type { User } from './people';

/** Which rows are asked for. Times are epoch milliseconds, both ends included (D1: inclusive bounds). */
export interface Query {
	by: 'date' | 'processedDate';
	from: number;
	to: number;
	/** Users whose rows count. */
	users: readonly User[];
}

export interface Source {
	array: ArrayName;
	timeline: Timeline;
	rotation: Rotation;
	/** Generated rows that were taken out, ascending. */
	removed: readonly number[];
	/** Rows put in on top of the generated ones. */
	inserted: readonly Row[];
	rowAt(index: number): Row;
	newestFirst: boolean;
}

/** The rows of one array that a query selects, reachable by position without building the others. */
export class View {
	readonly total: number;
	private readonly recorders: number[];
	private readonly first: number;
	/** Ordinals (among the selected generated rows) of those taken out. */
	private readonly gaps: number[];
	private readonly extra: Array<{ row: Row; position: number }>;

	constructor(
		private readonly source: Source,
		query: Query,
	) {
		const { timeline, rotation, array } = source;
		const at = query.by === 'date' ? 'dateAt' : 'processedAt';
		const users =
			array === 'errored' && query.by === 'processedDate'
				? query.users.filter((user) => !user.errorsStayUnprocessed)
				: query.users;
		this.recorders = users.flatMap((user) => (user.recorder === undefined ? [] : [user.recorder]));
		const low = timeline.firstRow(at, query.from, true);
		const high = Math.max(low, timeline.firstRow(at, query.to, false));
		const ordinal = (index: number) => rotation.countBefore(index, this.recorders);
		this.first = ordinal(low);
		const mine = new Set(this.recorders);
		this.gaps = source.removed
			.filter((index) => index >= low && index < high && mine.has(rotation.recorderOf(index)))
			.map((index) => ordinal(index) - this.first);
		const selected = new Set(users);
		const key = (row: Row) => row[query.by] ?? Number.NaN;
		this.extra = source.inserted
			.filter((row) => selected.has(row.user) && key(row) >= query.from && key(row) <= query.to)
			.sort((a, b) => key(a) - key(b) || a.index - b.index)
			.map((row, index) => {
				const before = Math.max(low, timeline.firstRow(at, key(row), false));
				const raw = ordinal(before) - this.first;
				return { row, position: raw - lowerBound(this.gaps, (gap) => gap < raw) + index };
			});
		this.total = ordinal(high) - this.first - this.gaps.length + this.extra.length;
	}

	/** The row at a position, 0 to total − 1. */
	at(position: number): Row {
		const place = this.source.newestFirst ? this.total - 1 - position : position;
		const extraBefore = lowerBound(this.extra, (entry) => entry.position < place);
		if (this.extra[extraBefore]?.position === place) return this.extra[extraBefore].row;
		const surviving = place - extraBefore;
		const removedBefore = lowerBound(this.gaps, (gap, index) => gap - index <= surviving);
		const { rotation } = this.source;
		return this.source.rowAt(rotation.rowAt(this.first + surviving + removedBefore, this.recorders));
	}

	/** The rows of one page (1-based); empty past the end. */
	page(page: number, limit: number): Row[] {
		const start = (page - 1) * limit;
		const end = Math.min(start + limit, this.total);
		const rows: Row[] = [];
		for (let position = start; position < end; position++) rows.push(this.at(position));
		return rows;
	}
}

/** How many leading items satisfy a condition that holds for a prefix of the list. */
function lowerBound<Item>(items: readonly Item[], holds: (item: Item, index: number) => boolean): number {
	let low = 0;
	let high = items.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (holds(items[middle], middle)) low = middle + 1;
		else high = middle;
	}
	return low;
}
