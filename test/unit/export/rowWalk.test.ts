import * as fc from 'fast-check';
import { RowWalk } from '../../../nodes/shared/export/rowWalk';

interface Row {
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
class DriftingList {
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

async function walk(
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

const ids = (list: DriftingList) => list.rows.map(({ id }) => id);
const sizes = fc.oneof(
	fc.integer({ min: 0, max: 400 }),
	fc.constantFrom(0, 1, 49, 50, 51, 99, 100, 101, 150),
);
const concurrencies = fc.integer({ min: 1, max: 9 });

describe('A walk over pages that stand still', () => {
	test('[D1-EXP-02] gives each row once, in order, with exactly as many requests as pages', async () => {
		await fc.assert(
			fc.asyncProperty(sizes, concurrencies, async (size, concurrency) => {
				const list = new DriftingList(size);
				const { rows, written } = await walk(list, { concurrency });

				expect(rows).toEqual(ids(list));
				expect(written).toEqual(rows);
				expect(list.requests).toBe(Math.max(1, Math.ceil(size / 50)));
			}),
		);
	});

	test('under a Limit gives the first rows, and fetches no page that only later rows need', async () => {
		await fc.assert(
			fc.asyncProperty(
				sizes,
				concurrencies,
				fc.integer({ min: 1, max: 450 }),
				async (size, concurrency, maxRows) => {
					const list = new DriftingList(size);
					const { rows, walk: rowWalk } = await walk(list, { concurrency, maxRows });

					expect(rows).toEqual(ids(list).slice(0, maxRows));
					const pageSize = Math.min(50, maxRows);
					expect(list.requests).toBe(Math.max(1, Math.ceil(Math.min(size, maxRows) / pageSize)));
					expect(rowWalk.consistent).toBe(true);
				},
			),
		);
	});
});

describe('A walk over pages that move', () => {
	const drifts = (insert: fc.Arbitrary<boolean>) =>
		fc.array(
			fc.record({
				beforeRequest: fc.integer({ min: 2, max: 8 }),
				at: fc.double({ min: 0, max: 0.999, noNaN: true }),
				insert,
			}),
			{ maxLength: 6 },
		);

	test.each([
		['rows that appear', fc.constant(true)],
		['rows that are removed', fc.constant(false)],
	])('with %s it ends with exactly the rows of the service, in order', async (_what, insert) => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 101, max: 400 }),
				concurrencies,
				drifts(insert),
				async (size, concurrency, happenings) => {
					const list = new DriftingList(size, happenings);
					// The drifts end with the eighth request, so a pass that starts after it is undisturbed.
					const { rows, written, walk: rowWalk } = await walk(list, { concurrency, maxPasses: 9 });

					expect(rowWalk.consistent).toBe(true);
					expect([...rows].sort()).toEqual(ids(list).sort());
					expect(new Set(written).size).toBe(written.length);
					expect(new Set(written)).toEqual(new Set([...written, ...rows]));
					expect(rowWalk.vanished).toBe(rowWalk.pass > 1 ? written.length - rows.length : 0);
				},
			),
			{ numRuns: 200 },
		);
	});

	test('with both at once it never doubles a row, and loses none without saying so', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 101, max: 400 }),
				concurrencies,
				drifts(fc.boolean()),
				async (size, concurrency, happenings) => {
					const list = new DriftingList(size, happenings);
					const { rows, walk: rowWalk } = await walk(list, { concurrency, maxPasses: 9 });

					expect(new Set(rows).size).toBe(rows.length);
					// A removal and an insertion between the same two answers leave every total as it was.
					const isHidden = happenings.some(
						(a) => a.insert && happenings.some((b) => !b.insert && b.beforeRequest === a.beforeRequest),
					);
					const isExact = [...rows].sort().join() === ids(list).sort().join();
					expect(isExact || isHidden || !rowWalk.consistent).toBe(true);
				},
			),
			{ numRuns: 200 },
		);
	});

	test('a page that grows at the end while it is read is read further, without starting over', async () => {
		const list = new DriftingList(100, [{ beforeRequest: 2, at: 0.9999, insert: true }]);
		const { rows, walk: rowWalk } = await walk(list, { concurrency: 1 });

		expect([...rows].sort()).toEqual(ids(list).sort());
		expect(rowWalk.pass).toBe(1);
		expect(list.requests).toBe(3);
	});

	test('a service that never agrees with itself is read three times, and the difference is reported', async () => {
		const list = new DriftingList(120);
		const fetchPage = async (page: number, limit: number) => {
			const [answer] = await list.fetch(page, limit);
			return [{ ...answer, total: 125 }];
		};
		const rowWalk = new RowWalk<Row>({ fetchPage, idOf: ({ id }) => id, concurrency: 2 });
		let count = 0;
		for await (const { fresh } of rowWalk.batches()) count += fresh.length;

		expect(count).toBe(120);
		expect(rowWalk).toMatchObject({ consistent: false, pass: 3, missing: 5, rows: 120, requests: 9 });
	});

	test('a page that stalls, always the same rows, comes to an end', async () => {
		const same = Array.from({ length: 50 }, (_, index) => ({ id: `row-${index}` }));
		const rowWalk = new RowWalk<Row>({
			fetchPage: async () => [{ rows: () => same, total: 500 }],
			idOf: ({ id }) => id,
			concurrency: 4,
		});
		let count = 0;
		for await (const { rows } of rowWalk.batches()) count += rows.length;

		expect(rowWalk).toMatchObject({ consistent: false, rows: 50, missing: 450, requests: 30 });
		expect(count).toBe(150);
	});
});

describe('A walk over pages of which some fail', () => {
	test('gives everything or fails in page order; never a short list', async () => {
		await fc.assert(
			fc.asyncProperty(
				sizes,
				concurrencies,
				fc.uniqueArray(fc.integer({ min: 1, max: 10 })),
				async (size, concurrency, failing) => {
					const list = new DriftingList(size);
					const fetchPage = async (page: number, limit: number) => {
						if (failing.includes(page)) throw new Error(`page ${page}`);
						return await list.fetch(page, limit);
					};
					const rowWalk = new RowWalk<Row>({ fetchPage, idOf: ({ id }) => id, concurrency });
					const pages = Math.max(1, Math.ceil(size / 50));
					const first = Math.min(...failing.filter((page) => page <= pages));
					const rows: string[] = [];
					const read = async () => {
						for await (const batch of rowWalk.batches()) rows.push(...batch.rows.map(({ id }) => id));
					};

					if (first <= pages) {
						await expect(read()).rejects.toThrow(`page ${first}`);
						expect(rowWalk.deliveredPages).toBe(first - 1);
						expect(rows).toEqual(ids(list).slice(0, (first - 1) * 50));
					} else {
						await read();
						expect(rows).toEqual(ids(list));
					}
				},
			),
		);
	});
});

describe('A walk over several arrays at once', () => {
	test('[D1-EXP-03] needs only the pages of the longest, and gives all rows of each', async () => {
		await fc.assert(
			fc.asyncProperty(sizes, sizes, sizes, concurrencies, async (a, b, c, concurrency) => {
				const lists = [a, b, c].map((size, kind) =>
					Array.from({ length: size }, (_, index) => ({ id: `${kind}-${index}` })),
				);
				let requests = 0;
				const rowWalk = new RowWalk<Row>({
					concurrency,
					idOf: ({ id }) => id,
					fetchPage: async (page, limit) => {
						requests++;
						return lists.map((list) => ({
							rows: () => list.slice((page - 1) * limit, page * limit),
							total: list.length,
						}));
					},
				});
				const rows: string[] = [];
				for await (const batch of rowWalk.batches()) rows.push(...batch.rows.map(({ id }) => id));

				expect(requests).toBe(Math.max(1, Math.ceil(Math.max(a, b, c) / 50)));
				for (const [kind, list] of lists.entries()) {
					expect(rows.filter((id) => id.startsWith(`${kind}-`))).toEqual(list.map(({ id }) => id));
				}
			}),
		);
	});
});
