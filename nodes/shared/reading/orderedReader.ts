import { RequestError } from '../http';
import { PAGE_LIMIT } from '../exportApi/schemas';
import { ListReader, type Gap, type ListReaderOptions } from './listReader';
import { rowsOf, totalOf, type FetchPage, type Page, type PageQuery, type Slice } from './page';
import { joined } from './slices';

export type Order = 'newestFirst' | 'oldestFirst';

/** Rows to yield at a time. */
const BATCH_ROWS = 10;

/** Most requests that look for the end of a part: enough to halve any range down to a millisecond. */
const MAX_PROBES = 40;

/** Rows of a part that are read together and sorted. */
export interface Part<Row> {
	rows: Row[];
	/** What follows; undefined at the end of the range. */
	rest: Slice | undefined;
}

/**
 * Reads a range of POST /export/conversations by date, whatever order the service lists it in (D1 promises none).
 *
 * It looks for the shortest part of the range, from the newest (or oldest) end, that has as many rows as wanted: each
 * response counts the rows of its slice. {@link ListReader} reads that part, so it is exact even if rows come and go:
 * a row that exists throughout and belongs to the first rows wanted is among the first rows output. Further parts follow
 * only if the consumer goes on, each of twice as many rows.
 *
 * Looking takes fewer requests than reading would; if all rows are wanted, it takes none.
 */
export class OrderedReader<Row> {
	/** Requests so far, failed ones included. */
	requests = 0;
	private readonly readers: Array<ListReader<Row>> = [];
	private readonly ids = new Set<string>();
	private readonly length: number;
	/** The first page of the whole range, and the latest one of a part that was counted. */
	private first: Page<Row> | undefined;
	private known: { query: PageQuery; at: number; page: Page<Row> } | undefined;
	private hasEnded = false;

	/** @param wanted rows that are wanted at first; Infinity for all */
	constructor(
		private readonly options: Omit<ListReaderOptions<Row>, 'maxRows'>,
		private readonly order: Order,
		private readonly wanted: number,
	) {
		this.length = options.range.to - options.range.from;
	}

	/** Pages of the parts that were read. */
	get pages(): number {
		return this.readers.reduce((sum, { pages }) => sum + pages, 0);
	}

	/** The total of each array in the whole range. */
	get totals(): number[] {
		const isWhole = this.hasEnded && this.readers.length === 1;
		return isWhole ? this.readers[0].totals : (this.first?.lists.map(({ total }) => total) ?? []);
	}

	get total(): number {
		return this.totals.reduce((sum, total) => sum + total, 0);
	}

	get unlisted(): number {
		return this.readers.reduce((sum, { unlisted }) => sum + unlisted, 0);
	}

	get paged(): 'settled' | 'unsettled' | undefined {
		const all = this.readers.map(({ paged }) => paged);
		return all.find((paged) => paged === 'unsettled') ?? all.find((paged) => paged);
	}

	get gaps(): Gap[] {
		return joined(this.readers.flatMap(({ gaps }) => gaps));
	}

	get hasUnidentified(): boolean {
		return this.readers.some(({ hasUnidentified }) => hasUnidentified);
	}

	/** Whether the whole range was read, and each part is complete. */
	get isComplete(): boolean {
		return this.hasEnded && this.readers.every(({ isComplete }) => isComplete);
	}

	/** @yields rows by date, a few at a time */
	async *batches(): AsyncGenerator<Row[]> {
		for await (const { rows } of this.parts()) {
			for (let next = 0; next < rows.length; next += BATCH_ROWS) yield rows.slice(next, next + BATCH_ROWS);
		}
	}

	/**
	 * @yields part after part, each sorted by date; rows without a date are last in their part
	 * @throws as {@link ListReader.batches}
	 */
	async *parts(): AsyncGenerator<Part<Row>> {
		let wanted = this.wanted;
		for (let start = 0, end: number; !this.hasEnded; start = end) {
			end = wanted < Infinity ? await this.findEnd(start, wanted) : this.length;
			const reader = new ListReader({
				...this.options,
				range: this.sliceOf(start, end),
				fetchPage: this.fetch,
			});
			this.readers.push(reader);
			const rows: Row[] = [];
			for await (const batch of reader.batches()) rows.push(...batch.filter((row) => this.isNew(row, start)));
			this.hasEnded = end === this.length;
			// A service that fails, or counts far too many rows, is not asked to count again.
			wanted = reader.gaps.length === 0 && rows.length >= wanted / 2 ? wanted * 2 : Infinity;
			yield { rows: this.sorted(rows), rest: this.hasEnded ? undefined : this.sliceOf(end, this.length) };
		}
	}

	/** A slice by its distances from the end at which the reading begins. */
	private sliceOf(start: number, end: number): Slice {
		const { from, to } = this.options.range;
		return this.order === 'newestFirst'
			? { from: to - end, to: to - start }
			: { from: from + start, to: from + end };
	}

	/** How far a row is from the end at which the reading begins, in milliseconds; NaN without a date. */
	private distanceOf(row: Row): number {
		const { range, dateOf } = this.options;
		return this.order === 'newestFirst' ? range.to - dateOf(row) : dateOf(row) - range.from;
	}

	/** Whether a row was not in an earlier part; without an ID, unless it is on the bound of two. */
	private isNew(row: Row, start: number): boolean {
		const id = this.options.idOf(row);
		if (id === undefined) return start === 0 || !(this.distanceOf(row) <= start);
		const { size } = this.ids;
		return this.ids.add(id).size > size;
	}

	private sorted(rows: Row[]): Row[] {
		const key = (distance: number) => (Number.isNaN(distance) ? Number.MAX_VALUE : distance);
		return rows
			.map((row) => ({ row, distance: key(this.distanceOf(row)) }))
			.sort((a, b) => a.distance - b.distance)
			.map(({ row }) => row);
	}

	/** Looks for the end of a part that has the wanted rows, and not many more. */
	private async findEnd(start: number, wanted: number): Promise<number> {
		const max = 1.25 * wanted + PAGE_LIMIT.max;
		let end = this.length;
		try {
			this.first ??= await this.count(0, this.length);
			let [few, fewRows] = [start, 0];
			let [enough, enoughRows] = [this.length, totalOf(this.first) - this.ids.size];
			let guess = enoughRows > max ? await this.guessEnd(this.first, this.ids.size + wanted) : NaN;
			for (let probes = 0; enoughRows > max && enough - few > 1; probes++) {
				// Beyond that, it is cheaper to read what is known to be enough.
				if (probes >= Math.min(MAX_PROBES, (enoughRows - wanted) / PAGE_LIMIT.max)) break;
				const middle = Number.isFinite(guess) ? Math.ceil(guess) : Math.floor((few + enough) / 2);
				end = Math.min(Math.max(middle, few + 1), enough - 1);
				const rows = totalOf(await this.count(start, end));
				if (rows < wanted) [few, fewRows] = [end, rows];
				else [enough, enoughRows] = [end, rows];
				// As if rows were spread evenly; every second time in the middle, because they may not be.
				const share = ((wanted + max) / 2 - fewRows) / (enoughRows - fewRows);
				guess = probes % 2 === 0 ? few + (enough - few) * share : NaN;
			}
			return enough;
		} catch (error) {
			this.tolerated(error);
			// A part that cannot be counted may still be read, except for what fails; its length is only a guess.
			return Math.min(start + 2 * (end - start), this.length);
		}
	}

	/** Guesses how far away the row of this rank is: most services list by date, and a page of others is a sample. */
	private async guessEnd(first: Page<Row>, rank: number): Promise<number> {
		const distances = rowsOf(first).map((row) => this.distanceOf(row));
		const isSorted = (sign: number) =>
			distances.every((distance, index) => index === 0 || sign * (distance - distances[index - 1]) >= 0);
		const position = isSorted(1) ? rank - 1 : isSorted(-1) ? totalOf(first) - rank : undefined;
		if (position === undefined) {
			return distances.sort((a, b) => a - b)[Math.ceil((rank / totalOf(first)) * distances.length)];
		}
		const size = PAGE_LIMIT.max;
		const query = { ...this.options.range, page: Math.floor(position / size) + 1, limit: size };
		const read = async () => (query.page === 1 ? first : (await this.fetch(query)).read());
		const page = await read().catch((error: unknown) => this.tolerated(error));
		const row = page && rowsOf(page).at(position % size);
		return row === undefined ? NaN : this.distanceOf(row);
	}

	/** @throws an error that the reading does not survive */
	private tolerated(error: unknown): undefined {
		if (!this.options.keepsGoing || !(error instanceof RequestError)) throw error;
	}

	private async count(start: number, end: number): Promise<Page<Row>> {
		const query = { ...this.sliceOf(start, end), page: 1, limit: PAGE_LIMIT.max };
		const response = await this.fetch(query);
		this.known = { query, at: response.at, page: response.read() };
		return this.known.page;
	}

	/** The page that was counted last is not requested again. */
	private fetch: FetchPage<Row> = async (query) => {
		const { known } = this;
		const isKnown =
			known?.query.from === query.from && known.query.to === query.to && known.query.page === query.page;
		if (known && isKnown) {
			this.known = undefined;
			return { at: known.at, read: () => known.page };
		}
		this.requests++;
		return await this.options.fetchPage(query);
	};
}
