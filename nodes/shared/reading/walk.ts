import { MAX_PAGE_ROWS, maxOf, type Page, type PageResponse, type Slice } from '../exportApi/client';
import { RequestError } from '../http/requestErrors';
import { PagePass, readInPages } from './pagePass';
import { evenly, joinedSlices, lengthOf, rowsOf, sumOf, type Missing, type Reading } from './reading';

/** How full a slice is cut, as a share of a page, with room for rows that arrive before it is read. */
const FILL = 0.8;

export type Direction = 'newestFirst' | 'oldestFirst';

/** A failed slice is cut into this many pieces, and a failed piece again, MAX_CUTS times in all. Then it is a gap. */
const PIECES_OF_FAILED = 5;
const MAX_CUTS = 2;

/** A list with fewer rows than this share of the wanted rows is read as a whole. The rest is room for new rows. */
const WHOLE = 0.9;

/** After `slices` requests, the rest is read in pages instead of slices; after `pages`, no page is requested. */
export type RequestLimits = Record<'slices' | 'pages', [forEachPage: number, besides: number]>;

const WALK_LIMITS: RequestLimits = { slices: [3, 50], pages: [4, 100] };

export interface WalkOptions {
	direction: Direction;
	/** Rows that are wanted at first. */
	wanted?: number;
	/** A pass over the range whose rows may have shifted. */
	known?: PagePass;
	limits?: RequestLimits;
}

export interface SliceRows extends Slice, Missing {
	rows: unknown[];
}

interface OpenSlice extends Slice {
	response?: Promise<PageResponse | RequestError>;
	/** How often a slice around it failed. */
	failures?: number;
}

/**
 * Reads a range slice by slice. A slice is cut until one response has all its rows, because rows could shift between
 * pages. A row's date does not change, so no row moves to another slice (D1 § POST /export/conversations). Rows on
 * the boundary of two slices are in both. More than 50 rows of one millisecond are read in pages.
 */
export class Walk {
	private open: OpenSlice[];
	/** Rows that a page of this service holds, and as many as the size of a response allows. */
	private pageSize: number;
	private maxPageSize: number = MAX_PAGE_ROWS;
	/** The last slice whose page had to be shorter. */
	private tooLarge: Slice | undefined;
	private longest = 0;
	/** How many slices to join before they are asked for, because the last ones were almost empty. */
	private join = 1;
	/** Whether the last slice had at least a quarter of the expected rows, so that several are requested at once. */
	private wasFull = false;
	/** Whether the walk ended at once, because all rows are wanted and pages need fewer requests than slices. */
	wantsAll = false;

	/** @param reading its report takes the rows of each slice before the next one is asked for */
	constructor(
		private readonly reading: Reading,
		private readonly options: WalkOptions,
	) {
		const { known } = options;
		const { range } = reading.options;
		this.pageSize = known?.pageSize ?? MAX_PAGE_ROWS;
		this.open = [{ ...range }];
		if (known === undefined) return;
		this.maxPageSize = known.maxPageSize;
		if (known.isSized) this.longest = known.pageSize;
		const byDates = reading.hasRead
			? this.cutsByDates(range, known.pageSize)
			: evenly(0, range.to - range.from, PIECES_OF_FAILED);
		if (byDates.length > 0) this.open = piecesAt(range, byDates, options.direction);
	}

	/**
	 * @yields each slice in order, those of a range that is read again page by page
	 * @throws what requests throw; with `continueOnError` only when nothing could be read, or for another error
	 */
	async *slices(): AsyncGenerator<SliceRows> {
		const { reading } = this;
		try {
			while (this.open.length > 0 && !reading.isDown) {
				this.ask();
				const slice = this.open.shift()!;
				const page = await reading.parse(await slice.response!);
				if (page instanceof RequestError) {
					if (!this.cutFailed(slice)) yield this.found(slice, [], { unlisted: 0, error: page });
					continue;
				}
				await this.learnFrom(page, slice);
				const pageSize = Math.min(this.pageSize, page.limit);
				if (holdsAll(page, pageSize)) {
					const unlisted = sumOf(page.lists.map(({ total, rows }) => Math.max(0, total - rows.length)));
					yield this.found(slice, rowsOf(page), { unlisted });
				} else if (this.isWholeRange(slice) && this.isAllWanted(page)) {
					this.wantsAll = true;
					return;
				} else if (isDivisible(slice) && this.hasRoom('slices')) {
					await this.cut(slice, page, pageSize);
				} else {
					yield* this.inPages(slice);
				}
			}
		} finally {
			await Promise.allSettled(this.open.map(({ response }) => response));
		}
		const { firstError, lastError } = reading;
		// Later ones can say only that they were skipped.
		if (firstError && !reading.hasRead) throw firstError;
		for (const rest of joinedSlices(this.open.splice(0)))
			yield this.found(rest, [], { unlisted: 0, error: lastError });
	}

	/** Whether a slice is the range itself, whose response has the totals unless a pass has shown them. */
	private isWholeRange({ from, to }: Slice): boolean {
		const { range } = this.reading.options;
		return !this.options.known && from === range.from && to === range.to;
	}

	/** Whether all rows are wanted, by the service's totals and by its pages, which may show more. */
	private isAllWanted({ pages }: Page): boolean {
		const { wanted = 0 } = this.options;
		return this.reading.report.total < WHOLE * wanted && (pages - 1) * this.pageSize < wanted;
	}

	private ask(): void {
		const { reading, options } = this;
		const { known, wanted = 0 } = options;
		const { rows: read } = reading.report;
		// After the request limit for slices, the pieces cut before are joined instead of requested one by one.
		if (!this.hasRoom('slices')) this.join = Infinity;
		this.joinNext();
		// A consumer that reads on after the wanted rows probably wants the same number of rows again.
		const rows = read < wanted ? wanted - read : read;
		const needed = known ? Infinity : this.wasFull ? rows / rowsWanted(this.pageSize) : 1;
		const count = Math.max(1, Math.min(Math.ceil(needed), reading.options.concurrency));
		for (const slice of this.open.slice(0, count)) {
			if (slice.response) continue;
			slice.response = reading.ask({ from: slice.from, to: slice.to, page: 1, limit: this.maxPageSize });
			// Avoids an unhandled rejection while earlier slices are awaited; the consumer still gets the error.
			slice.response.catch(() => {});
		}
	}

	/** Joins the next slices, unless they were asked for, or cut because they fail. */
	private joinNext(): void {
		const next = this.open.slice(0, this.join);
		const busy = next.findIndex(({ response, failures }) => response !== undefined || failures !== undefined);
		const free = busy === -1 ? next : next.slice(0, busy);
		this.open = [...joinedSlices(free), ...this.open.slice(free.length)];
	}

	private found({ from, to }: Slice, rows: unknown[], missing: Missing): SliceRows {
		const { report } = this.reading;
		this.wasFull = rows.length >= rowsWanted(this.pageSize) / 4;
		this.join = this.wasFull ? 1 : 2 * this.join;
		if (!this.options.known && rows.length > 0) report.pages++;
		report.note({ from, to, ...missing });
		return { from, to, rows, ...missing };
	}

	/** Learns the range's totals, and how many rows a page has: fewer than requested if page 2 has the rest. */
	private async learnFrom(page: Page, slice: Slice): Promise<void> {
		const { reading } = this;
		const { report } = reading;
		if (this.isWholeRange(slice)) report.totals = page.lists.map(({ total }) => total);
		if (page.limit < this.maxPageSize) {
			const { tooLarge } = this;
			this.tooLarge = slice;
			// As long as it is the same part of the range, a single row may be the reason.
			if (tooLarge && (slice.from < tooLarge.from || slice.to > tooLarge.to)) this.maxPageSize = page.limit;
			this.pageSize = Math.min(this.pageSize, this.maxPageSize);
		}
		const limit = lengthOf(page);
		if (page.limit < this.maxPageSize || limit <= this.longest) return;
		this.longest = limit;
		this.pageSize = this.maxPageSize;
		// The number of rows must equal the total, because a total can also be too low.
		const isAll = page.lists.every(
			({ total, rows }) => rows.length === total || rows.length >= this.maxPageSize,
		);
		if (isAll) return;
		const next = await reading.parse(await reading.ask({ from: slice.from, to: slice.to, page: 2, limit }));
		const known = new Set(rowsOf(page).map(report.idOf));
		if (next instanceof RequestError || rowsOf(next).some((row) => !known.has(report.idOf(row))))
			this.pageSize = limit;
	}

	private async cut({ from, to }: Slice, page: Page, pageSize: number): Promise<void> {
		const { reading, options } = this;
		const fullest = page.lists.reduce((a, b) => (b.total > a.total ? b : a));
		const distance = (row: unknown) => distanceOf({ from, to }, reading.dateOf(row), options.direction);
		const { total, rows } = fullest;
		const tooFull = { length: to - from, total, distances: rows.map(distance), pageSize };
		const nearest = nearestRow(tooFull);
		let near: number[] | undefined;
		if (nearest) {
			const other = await reading.parse(await reading.ask({ from, to, page: nearest.page, limit: pageSize }));
			const lists = other instanceof RequestError ? [] : other.lists;
			const shown = lists[page.lists.indexOf(fullest)]?.rows.map(distance) ?? [];
			const full = shown[nearest.index];
			// The next rows are probably as close to each other as those before it on its page.
			const ms = ((shown[0] - full) / nearest.index) * rowsWanted(pageSize);
			if (full > 0) near = [full, full + ms];
		}
		this.wasFull = false;
		this.join = 1;
		this.open = [...piecesAt({ from, to }, cutsBy(tooFull, near), options.direction), ...this.open];
	}

	/** Cuts a slice that failed, so that less is lost. @returns false if it is a gap */
	private cutFailed(slice: OpenSlice): boolean {
		const { failures = 0 } = slice;
		if (failures === MAX_CUTS || this.reading.isDown || !isDivisible(slice)) return false;
		const byDates = this.cutsByDates(slice, this.pageSize / PIECES_OF_FAILED);
		const cuts = byDates.length > 0 ? byDates : evenly(0, slice.to - slice.from, PIECES_OF_FAILED);
		const pieces = piecesAt(slice, cuts, this.options.direction);
		this.open = [...pieces.map((piece) => ({ ...piece, failures: failures + 1 })), ...this.open];
		return true;
	}

	/** Where the known rows of an array have filled a slice. */
	private cutsByDates(slice: Slice, pageSize: number): number[] {
		const { known, direction } = this.options;
		const isInside = (date: number) => date > slice.from && date < slice.to;
		return (known?.dates ?? []).flatMap((dates) => {
			const distances = dates.filter(isInside).map((date) => distanceOf(slice, date, direction));
			return whereFull(distances, pageSize);
		});
	}

	/** Reads what cannot be cut in pages; with everything behind it if there is no room for slices. */
	private async *inPages(slice: Slice): AsyncGenerator<SliceRows> {
		const { reading } = this;
		const [rest] = this.hasRoom('slices') ? [slice] : joinedSlices([slice, ...this.open.splice(0)]);
		const all = new Map<string, unknown>();
		const pages = readInPages(reading, rest, this.pageSize, () => this.hasRoom('pages'));
		let step = await pages.next();
		for (; step.done !== true; step = await pages.next()) {
			if (this.options.known) yield { ...rest, rows: step.value, unlisted: 0 };
			else for (const row of step.value) all.set(reading.report.idOf(row), row);
		}
		yield this.found(rest, [...all.values()], step.value);
	}

	private hasRoom(kind: keyof RequestLimits): boolean {
		const { requests, rows } = this.reading.report;
		const [forEachPage, besides] = (this.options.limits ?? WALK_LIMITS)[kind];
		return requests < forEachPage * (rows / this.pageSize) + besides;
	}
}

/** Whether a slice can be cut: the shortest one is a millisecond long, because its end must be after its start. */
const isDivisible = ({ from, to }: Slice): boolean => to - from > 1;

/** Whether one response holds all rows of its slice, or at least cannot have been cut off. */
function holdsAll({ lists, pages }: Page, pageSize: number): boolean {
	return lists.every(({ total, rows }) => {
		const isFull = rows.length >= pageSize;
		return total <= pageSize && (!isFull || (rows.length === total && pages <= 1));
	});
}

/**
 * Reads a range exactly, even while rows appear or disappear and shift the later pages (D1-EXP-02, D1-EXP-03): all pages,
 * and if those may have shifted, the range again in slices of time.
 *
 * A row that exists during the whole reading is output exactly once, or the report says that rows are missing. Whatever
 * the service counts, there are at most four requests for each page of rows, and about 100 more.
 * @yields rows in the service's order; those that only the slices have come last. @throws as {@link Walk.slices}
 */
export async function* readList(reading: Reading): AsyncGenerator<unknown[]> {
	const { report } = reading;
	const pass = new PagePass(reading, reading.options.range, MAX_PAGE_ROWS);
	for await (const rows of pass.pages()) {
		report.totals = pass.totals;
		report.pages = pass.count;
		yield report.take(rows);
	}
	if (pass.isCounted && pass.isUnshifted) return;
	const walk = new Walk(reading, { direction: 'oldestFirst', known: pass });
	for await (const { rows } of walk.slices()) yield report.take(rows);
}

/**
 * Reads a range sorted by date, because D1 guarantees no order, and only as far as the consumer reads:
 * a row that exists during the whole reading and is one of the first rows wanted is among the first rows output.
 * @yields the rows of slice after slice, each sorted by date; rows without a date are last. @throws as {@link Walk.slices}
 */
export async function* readByDate(
	reading: Reading,
	direction: Direction,
	wanted: number,
): AsyncGenerator<unknown[]> {
	const { report } = reading;
	const walk = new Walk(reading, { direction, wanted });
	for await (const { rows } of walk.slices()) yield report.take(byDate(rows, reading, direction));
	if (walk.wantsAll) yield* readSorted(reading, direction);
}

/** Reads a whole range as {@link readList} does, and sorts its rows by date. */
export async function* readSorted(reading: Reading, direction: Direction): AsyncGenerator<unknown[]> {
	const all: unknown[] = [];
	for await (const rows of readList(reading)) for (const row of rows) all.push(row);
	yield byDate(all, reading, direction);
}

function byDate(rows: unknown[], { dateOf, report }: Reading, direction: Direction): unknown[] {
	const sign = direction === 'newestFirst' ? -1 : 1;
	const dated = rows.map((row) => ({ row, key: sign * dateOf(row) }));
	report.isUndated ||= dated.some(({ key }) => Number.isNaN(key));
	const last = (key: number) => (Number.isNaN(key) ? Infinity : key);
	// Two rows without a date differ by NaN, which sorts as equal.
	return dated.sort((a, b) => last(a.key) - last(b.key)).map(({ row }) => row);
}

/** Rows that a slice is cut for. */
const rowsWanted = (pageSize: number): number => Math.max(1, Math.floor(pageSize * FILL));

function distanceOf(slice: Slice, date: number, direction: Direction): number {
	return direction === 'newestFirst' ? slice.to - date : date - slice.from;
}

/** Cuts a slice at these distances, or where it can be cut, if none of them is inside. The nearest piece is the first one. */
function piecesAt({ from, to }: Slice, distances: number[], direction: Direction): Slice[] {
	const length = to - from;
	const inside = (bounds: number[]) => bounds.map(Math.round).filter((bound) => bound > 0 && bound < length);
	const bounds = inside(distances).length > 0 ? inside(distances) : inside([1, length / 2, length - 1]);
	const all = [0, ...new Set(bounds.sort((a, b) => a - b)), length];
	const isNewest = direction === 'newestFirst';
	return all.slice(1).map((far, index) => {
		const near = all[index];
		return isNewest ? { from: to - far, to: to - near } : { from: from + near, to: from + far };
	});
}

/** Where rows at these distances have filled a slice. */
function whereFull(distances: number[], pageSize: number): number[] {
	const wanted = rowsWanted(pageSize);
	return distances.sort((a, b) => a - b).filter((_, index) => index % wanted === wanted - 1);
}

/** A slice with more rows than one response: its length in milliseconds, and its rows by the service's total. */
interface TooFull {
	length: number;
	total: number;
	/** Distances of the rows that it lists, in the service's order; NaN for a row without a date. */
	distances: number[];
	pageSize: number;
}

/** If the service lists the farther end first, the place of the row that fills the nearer end; else undefined. */
function nearestRow({ total, distances, pageSize }: TooFull) {
	const isFarFirst = distances.every((distance, index) => index === 0 || distance <= distances[index - 1]);
	const [nearest, farthest] = [-maxOf(distances.map((distance) => -distance)), maxOf(distances)];
	if (!isFarFirst || nearest <= farthest - nearest || total <= 2 * pageSize) return undefined;
	const position = total - rowsWanted(pageSize);
	return { page: Math.floor(position / pageSize) + 1, index: position % pageSize };
}

/**
 * Where to cut a slice, by the rows of its response: a service can list any order, so they are a sample of all rows, or
 * those of one end.
 * @param near where the nearer end and the slice behind it are full, if {@link nearestRow} has shown it
 */
function cutsBy({ length, total, distances, pageSize }: TooFull, near?: number[]): number[] {
	const wanted = rowsWanted(pageSize);
	const listed = distances.filter((distance) => !Number.isNaN(distance)).sort((a, b) => a - b);
	if (listed.length === 0) return evenly(0, length, Math.ceil(total / wanted));
	const [nearest, farthest] = [listed[0], listed[listed.length - 1]];
	const spread = farthest - nearest;
	const pieces = Math.ceil((total - listed.length) / wanted);
	if (near) return [...near, ...evenly(near[0], nearest, pieces)];
	const isNearFirst = distances.every((distance, index) => index === 0 || distance >= distances[index - 1]);
	const isFarAway = nearest > spread && !isNearFirst;
	if (!isFarAway && length - farthest > spread) {
		const full = listed[Math.min(listed.length, wanted) - 1];
		// The next rows are probably as close to each other.
		const step = full - nearest;
		const steps = step > 0 ? Math.ceil((length - full) / step) : 0;
		return [full, full + step, ...evenly(full, length, Math.max(pieces, steps))];
	}
	const sample = whereFull(listed, (pageSize * listed.length) / total);
	return isFarAway ? [nearest / 2, nearest - spread, nearest - 1, ...sample, farthest] : sample;
}
