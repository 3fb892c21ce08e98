import * as fc from 'fast-check';
import { OrderedReader, type ListReaderOptions, type Order } from '../../../../nodes/shared/reading';
import {
	changes,
	ChangingList,
	faults as failures,
	oddities,
	ORDERS,
	orders,
	sizes,
	spans,
	type Change,
	type Row,
} from './changingList';

function readerOf(
	list: ChangingList,
	wanted: number,
	order: Order = 'newestFirst',
	options: Partial<ListReaderOptions<Row>> = {},
) {
	const reading = {
		range: list.range,
		fetchPage: list.fetchPage,
		idOf: ({ id }: Row) => id,
		dateOf: ({ date }: Row) => date,
		appearedAt: ({ processed }: Row) => processed,
		concurrency: () => 3,
		...options,
	};
	return new OrderedReader<Row>(reading, order, wanted);
}

/** Reads until so many rows have come. */
async function readFirst(
	list: ChangingList,
	wanted: number,
	order: Order = 'newestFirst',
	options: Partial<ListReaderOptions<Row>> = {},
) {
	const reader = readerOf(list, wanted, order, options);
	const rows: Row[] = [];
	for await (const batch of reader.batches()) {
		rows.push(...batch);
		if (rows.length >= wanted) break;
	}
	return { reader, rows: rows.slice(0, wanted) };
}

const directions = fc.constantFrom<Order>('newestFirst', 'oldestFirst');
const limits = fc.oneof(
	fc.integer({ min: 1, max: 300 }),
	fc.constantFrom(1, 10, 50, 51, 100),
	fc.constant(Infinity),
);
const datesOf = (rows: Row[]) => rows.map(({ date }) => date);
const sign = (order: Order) => (order === 'newestFirst' ? -1 : 1);
/** Dates of all rows in the wanted order. */
const expectedDates = (list: ChangingList, order: Order) =>
	datesOf(list.rows).sort((a, b) => sign(order) * (a - b));

describe('a list that does not change', () => {
	test('gives the first rows by date in any order of the service, ties and one millisecond included', async () => {
		await fc.assert(
			fc.asyncProperty(
				sizes,
				orders,
				limits,
				directions,
				spans,
				async (size, listed, wanted, order, span) => {
					const list = new ChangingList(size, listed, [], span);
					const { rows, reader } = await readFirst(list, wanted, order);

					expect(datesOf(rows)).toEqual(expectedDates(list, order).slice(0, wanted));
					expect(new Set(rows.map(({ serial }) => serial)).size).toBe(rows.length);
					expect(reader.total).toBe(size);
					expect(list.requests).toBe(reader.requests);
					expect(list.requests).toBeLessThanOrEqual(2 * Math.ceil(size / 50) + 8);
				},
			),
			{ numRuns: 600 },
		);
	});

	test('gives all rows with exactly as many requests as pages', async () => {
		await fc.assert(
			fc.asyncProperty(sizes, orders, directions, async (size, listed, order) => {
				const list = new ChangingList(size, listed);
				const { rows, reader } = await readFirst(list, Infinity, order);

				expect(datesOf(rows)).toEqual(expectedDates(list, order));
				expect(list.requests).toBe(Math.max(1, Math.ceil(size / 50)));
				expect(reader.isComplete).toBe(true);
			}),
			{ numRuns: 200 },
		);
	});

	test.each<[keyof typeof ORDERS, number, number, number]>([
		['newestFirst', 10, 2, 2],
		['newestFirst', 40, 2, 2],
		['newestFirst', 49, 3, 2],
		['newestFirst', 50, 3, 2],
		['newestFirst', 120, 5, 5],
		['newestFirst', 1000, 22, 7],
		['oldestFirst', 10, 3, 3],
		['oldestFirst', 40, 3, 3],
		['oldestFirst', 120, 5, 5],
		['oldestFirst', 1000, 22, 7],
		['byId', 10, 3, 3],
		['byId', 40, 3, 3],
		['byId', 120, 5, 5],
		['byId', 1000, 22, 7],
	])(
		'listed %s gives the newest %i of 10,000 in %i requests, and of 333 in %i',
		async (listed, wanted, ...requests) => {
			for (const [index, size] of [10_000, 333].entries()) {
				const list = new ChangingList(size, ORDERS[listed]);
				const { rows } = await readFirst(list, wanted);
				expect(datesOf(rows)).toEqual(expectedDates(list, 'newestFirst').slice(0, wanted));
				expect(list.requests).toBe(requests[index]);
			}
		},
	);

	test.each<[string, number, (row: Row, index: number) => number]>([
		['in the first hour of the range', 3, ({ date }) => Math.floor(date / 240)],
		['at one moment', 80, () => 300_000_000],
		['in two bursts', 3, (_, index) => (index % 2) * 700_000_000 + index],
	])('finds the newest rows although all are %s, in %i requests', async (_where, requests, distance) => {
		const list = new ChangingList(2000, ORDERS.byId);
		for (const [index, row] of list.rows.entries()) {
			row.date =
				list.range.from + (distance({ ...row, date: row.date - list.range.from }, index) % list.span);
		}
		const { rows } = await readFirst(list, 50);

		expect(datesOf(rows)).toEqual(expectedDates(list, 'newestFirst').slice(0, 50));
		expect(list.requests).toBe(requests);
	});

	test('gives rows without a date last in their part, and never an older row in place of a newer one', async () => {
		await fc.assert(
			fc.asyncProperty(
				sizes,
				orders,
				limits,
				fc.constantFrom(1, 3, 40),
				async (size, listed, wanted, one) => {
					const odd = { withoutDate: one };
					const list = new ChangingList(size, listed, [], undefined, undefined, odd);
					const { rows } = await readFirst(list, wanted);

					expect(rows).toHaveLength(Math.min(size, wanted));
					const dated = datesOf(rows).filter((date) => !Number.isNaN(date));
					expect(dated).toEqual(
						list.rows
							.filter(({ serial }) => serial % one !== one - 1)
							.map(({ date }) => date)
							.sort((a, b) => b - a)
							.slice(0, dated.length),
					);
				},
			),
			{ numRuns: 200 },
		);
	});
});

describe('a list that changes while it is read', () => {
	test('gives every row that existed throughout and belongs to the first rows wanted, once', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.tuple(sizes, orders, changes, spans),
				limits,
				directions,
				async ([size, listed, drifts, span], wanted, order) => {
					const list = new ChangingList(size, listed, drifts, span);
					const ever = new Map<number, Row>();
					const fetchPage: ChangingList['fetchPage'] = async (query) => {
						for (const row of list.rows) ever.set(row.serial, row);
						const response = await list.fetchPage(query);
						for (const row of list.rows) ever.set(row.serial, row);
						return response;
					};
					const { rows } = await readFirst(list, wanted, order, { fetchPage });

					const serials = rows.map(({ serial }) => serial);
					expect(new Set(serials).size).toBe(serials.length);
					const stayed = list.stayed();
					const first = [...ever.values()].filter(({ serial, date }) => {
						const before = [...ever.values()].filter((other) => sign(order) * (other.date - date) <= 0);
						return stayed.has(serial) && before.length <= wanted;
					});
					expect(serials).toEqual(expect.arrayContaining(first.map(({ serial }) => serial)));
				},
			),
			{ numRuns: 400 },
		);
	}, 60_000);

	test('goes on beyond the part that it looked for when rows of it have gone', async () => {
		const drifts = Array.from({ length: 20 }, (_, index): Change => {
			return { beforeRequest: index + 3, kind: 'remove', at: 0.999, to: 0 };
		});
		const list = new ChangingList(2000, ORDERS.newestFirst, drifts);
		const { rows } = await readFirst(list, 200);

		expect(rows).toHaveLength(200);
	});
});

describe('any service', () => {
	test('gives the first rows, or the reader says that the list is not complete, in a bounded number of requests', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.tuple(sizes, orders, changes, spans, failures, oddities),
				fc.boolean(),
				limits,
				async ([size, listed, drifts, span, faults, odd], keepsGoing, wanted) => {
					const list = new ChangingList(size, listed, drifts, span, faults, odd);
					const outcome = await readFirst(list, wanted, 'newestFirst', { keepsGoing }).catch(
						(error: Error) => error,
					);
					const pages = Math.ceil(list.longest / Math.min(50, list.odd.cap));
					expect(list.requests).toBeLessThanOrEqual(6 * pages + 2 * 120 + 40);
					if (outcome instanceof Error) {
						expect(outcome.message).toMatch(/^request \d+ failed$/);
						return;
					}
					const { reader, rows } = outcome;
					if (!reader.isComplete || list.hidesRowsAfter(rows.length)) return;
					expect(new Set(rows.map(({ serial }) => serial)).size).toBe(rows.length);
					if (rows.length >= wanted) return;
					const read = new Set(rows.map(({ serial }) => serial));
					expect([...list.stayed()].filter((serial) => !read.has(serial))).toEqual([]);
				},
			),
			{ numRuns: 600 },
		);
	}, 60_000);

	test('that counts one row more than it lists gives few rows in few requests', async () => {
		const counting = { more: 1 };
		const list = new ChangingList(20_000, ORDERS.newestFirst, [], undefined, undefined, { counting });
		let rows = 0;
		for await (const batch of readerOf(list, 50).batches()) {
			if ((rows += batch.length) >= 250) break;
		}
		expect(list.requests).toBeLessThan(60);
	});

	test('fails when a page fails, and with Return What Was Read gives the rest and names the gap', async () => {
		const list = new ChangingList(300, ORDERS.byId, [], undefined, new Set([2]));
		await expect(readFirst(list, 60)).rejects.toThrow('request 2 failed');

		const other = new ChangingList(300, ORDERS.byId, [], undefined, undefined, { unreadable: 100 });
		const { rows, reader } = await readFirst(other, 60, 'newestFirst', { keepsGoing: true });
		expect(rows).toHaveLength(60);
		expect(reader.gaps.length + reader.requests).toBeGreaterThan(1);
	});

	test.each([2, 3, 4])(
		'that fails to count a part gives few rows in few requests: request %i',
		async (failed) => {
			const list = new ChangingList(10_000, ORDERS.byId, [], undefined, new Set([failed]));
			const { rows } = await readFirst(list, 120, 'newestFirst', { keepsGoing: true });

			expect(datesOf(rows)).toEqual(expectedDates(list, 'newestFirst').slice(0, 120));
			expect(list.requests).toBeLessThan(30);
		},
	);
});
