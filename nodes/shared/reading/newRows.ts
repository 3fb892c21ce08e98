/** Rows to yield at a time: the fewer are in memory at once, the less garbage there is. */
const BATCH_ROWS = 10;

/** Recognizes rows by their IDs, so that each is output once, up to a limit. */
export class NewRows<Row> {
	/** Different rows so far. */
	count = 0;
	/** Rows that came again. */
	duplicates = 0;
	/** Whether a row has no ID. */
	hasUnidentified = false;
	private readonly ids = new Set<string>();

	/** @param idOf identifies a row; undefined for a row without an ID */
	constructor(
		private readonly idOf: (row: Row) => string | undefined,
		private readonly max: number,
	) {}

	get isFull(): boolean {
		return this.count >= this.max;
	}

	/** Different IDs so far. */
	get known(): number {
		return this.ids.size;
	}

	/**
	 * Yields the new rows, up to the limit, a few at a time.
	 *
	 * @param isReread whether the rows have been read before: one without an ID then counts as a repetition
	 */
	*of(rows: Iterable<Row>, isReread = false): Generator<Row[]> {
		let batch: Row[] = [];
		for (const row of rows) {
			if (this.isFull) break;
			if (!this.isNew(row, isReread)) {
				this.duplicates++;
				continue;
			}
			this.count++;
			batch.push(row);
			if (batch.length < BATCH_ROWS) continue;
			yield batch;
			batch = [];
		}
		if (batch.length > 0) yield batch;
	}

	private isNew(row: Row, isReread: boolean): boolean {
		const id = this.idOf(row);
		if (id === undefined) {
			this.hasUnidentified = true;
			return !isReread;
		}
		const { size } = this.ids;
		return this.ids.add(id).size > size;
	}
}
