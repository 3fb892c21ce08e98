import * as fc from 'fast-check';
import { RowWalk } from '../../../nodes/shared/export/rowWalk';
import { concurrencies, DriftingList, ids, sizes, walk, type Row } from './driftingList';

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
