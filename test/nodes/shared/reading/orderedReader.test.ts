import { requestFailure } from './requestFailure';
import * as fc from 'fast-check';
import {
	OrderedReader,
	type ListReaderOptions,
	type Order,
	type Slice,
} from '../../../../nodes/shared/reading';
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
		['byId', 10, 3, 2],
		['byId', 40, 4, 4],
		['byId', 120, 6, 4],
		['byId', 1000, 25, 7],
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
		['in the first hour of the range', 4, ({ date }) => Math.floor(date / 240)],
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

/** What a reader asks for until so many rows have come: distances in milliseconds from the end where it begins. */
async function searchIn(
	list: ChangingList,
	options: { wanted?: number; until?: number; order?: Order; keepsGoing?: boolean } = {},
) {
	const { wanted = 100, until = wanted, order = 'newestFirst', keepsGoing } = options;
	const asked: string[] = [];
	const { from, to } = list.range;
	const fetchPage: ChangingList['fetchPage'] = async (query) => {
		const ends =
			order === 'newestFirst' ? [to - query.to, to - query.from] : [query.from - from, query.to - from];
		const isCount = query.page === 1;
		if (isCount) asked.push(ends.join('–'));
		else if (ends[1] === list.span) asked.push(`page ${query.page}`);
		return await list.fetchPage(query);
	};
	const reader = readerOf(list, wanted, order, { fetchPage, keepsGoing, concurrency: () => 1 });
	const parts: number[] = [];
	const rest: Array<Slice | undefined> = [];
	for await (const part of reader.parts()) {
		parts.push(part.rows.length);
		rest.push(part.rest);
		if (parts.reduce((sum, rows) => sum + rows, 0) >= until) break;
	}
	return { asked, parts, rest, reader };
}

/** A list in no order of dates, whose rows are where a function of their share of the list puts them. */
function placed(size: number, span: number, place: (share: number) => number, ...faults: number[]) {
	const list = new ChangingList(size, ORDERS.byId, [], span, new Set(faults));
	for (const [index, row] of list.rows.entries()) {
		row.date = list.range.from + Math.floor(place((index + 0.5) / size) * span);
	}
	return list;
}

/** A row every ten milliseconds. */
const even = (listed: keyof typeof ORDERS, ...faults: number[]) =>
	new ChangingList(10_000, ORDERS[listed], [], 100_000, new Set(faults));
const cubed = (share: number) => share ** 3;
const bursts = (share: number) => (share < 0.5 ? 0 : 0.9) + share / 50;

describe('the search for the end of a part', () => {
	test.each<[string, ChangingList, Parameters<typeof searchIn>[1], string, number[]]>([
		[
			'newest first',
			even('newestFirst'),
			{ until: 700 },
			'0–100000 page 2 0–1001 page 6 1001–3001 page 14 3001–7001',
			[100, 200, 400],
		],
		[
			'oldest first',
			even('oldestFirst'),
			{ until: 300 },
			'0–100000 page 199 0–1001 page 195 1001–3001',
			[100, 200],
		],
		[
			'in no order',
			even('byId'),
			{ until: 700 },
			'0–100000 0–8800 0–1390 1390–8800 1390–3857 3857–15800 3857–8629',
			[120, 260, 480],
		],
		[
			'in no order, for the oldest',
			even('byId'),
			{ until: 300, order: 'oldestFirst' },
			'0–100000 0–1 0–1179 1179–1180 1179–3681',
			[120, 260],
		],
		[
			'in no order, for few',
			even('byId'),
			{ wanted: 20, until: 50 },
			'0–100000 0–8800 0–480 480–8800 480–1181',
			[40, 60],
		],
		[
			'newest first, for few and a few more',
			even('newestFirst'),
			{ wanted: 10, until: 30 },
			'0–100000 0–200 200–400',
			[12, 26],
		],
		[
			'at its very end',
			placed(200, 1000, () => 0),
			{},
			'0–1000 page 2 0–999 0–1000 page 2 page 3 page 4',
			[200],
		],
		['at its very beginning', placed(4000, 1000, () => 1), {}, '0–1000 page 2 0–1', [4000]],
		['newest first, for few', even('newestFirst'), { wanted: 20 }, '0–100000 0–201', [20]],
		['in two bursts', placed(4000, 1000, bursts), {}, '0–1000 0–82 0–29 0–55 0–65 0–73 0–77 0–82', [400]],
		['denser and denser', placed(4000, 1e9, (share) => 1 - cubed(share)), {}, '0–1000000000 0–18875', [107]],
		['rarer and rarer', placed(4000, 1e9, cubed), { order: 'oldestFirst' }, '0–1000000000 0–18874', [107]],
		['within eight milliseconds', placed(4000, 8, (share) => share), {}, '0–8 0–1', [500]],
		['within two milliseconds', placed(4000, 2, (share) => share), {}, '0–2 0–1', [2000]],
		['within four milliseconds', placed(180, 4, (share) => share), {}, '0–4 0–3', [135]],
		[
			'only at its far end',
			placed(4000, 1000, (share) => share * 0.3),
			{},
			'0–1000 0–719 0–391 0–555 0–645 0–719',
			[253],
		],
		[
			'only at its far end and the second request fails',
			placed(400, 1000, (share) => share * 0.3, 2),
			{ keepsGoing: true },
			'0–1000 0–789 page 2 page 3 page 4 page 5 page 6 page 7 page 8',
			[400],
		],
		[
			'at one moment',
			placed(1200, 1_000_000, () => 0.3),
			{},
			'0–1000000 page 2 0–700000 0–80209 0–390104 0–425613 0–562806 0–578527 0–639263 0–646223 0–673111 0–676193 0–688096 0–689460 0–694730 0–695334 0–697667 0–697935 0–698967 0–699086 0–699543 0–699596 0–699798 0–699822 0–700000',
			[1200],
		],
		[
			'and the second request fails',
			even('oldestFirst', 2),
			{ until: 300, keepsGoing: true },
			'0–100000 page 199 0–50000 0–1375 page 194 1375–3201',
			[120, 200],
		],
		[
			'and the third request fails',
			even('oldestFirst', 3),
			{ until: 300, keepsGoing: true },
			'0–100000 page 199 0–1001 0–2002 page 193 2002–4001',
			[200, 200],
		],
		[
			'and a late request fails',
			placed(4000, 1000, bursts, 4),
			{ keepsGoing: true },
			'0–1000 0–82 0–29 0–55 0–110',
			[2000],
		],
	])('counts as few slices as possible in a list %s', async (_listed, list, options, asked, parts) => {
		const search = await searchIn(list, options);
		expect(search.asked.join(' ')).toBe(asked);
		expect(search.parts).toEqual(parts);
	});
});

test('the search for the end of a part gives up after 40 requests', async () => {
	const { asked } = await searchIn(placed(5000, 1e12, () => 0.3));
	expect(new Set(asked.filter((slice) => !slice.startsWith('page'))).size).toBe(1 + 40);
});

describe('the parts', () => {
	test('of which the reader has read none have no pages and no rows', () => {
		const { pages, total, unlisted } = readerOf(even('byId'), 10);
		expect({ pages, total, unlisted }).toEqual({ pages: 0, total: 0, unlisted: 0 });
	});

	test('say which slice is left, as long as one is', async () => {
		const list = even('newestFirst');
		const { from, to } = list.range;
		const { rest, parts, reader } = await searchIn(list, { wanted: 5000, until: 10_000 });
		expect(parts).toEqual([5000, 5000]);
		expect(rest).toEqual([{ from, to: to - 50_000 }, undefined]);
		expect(reader.pages).toBe(201);
	});

	test('make a list complete only if each of them is', async () => {
		const list = even('newestFirst');
		const { to } = list.range;
		const unreadable = to - 2000;
		const fetchPage: typeof list.fetchPage = async (query) => {
			const isLater = query.to < to && query.from <= unreadable && query.to >= unreadable;
			if (isLater) throw requestFailure('unreadable');
			return await list.fetchPage(query);
		};
		const reader = readerOf(list, 100, 'newestFirst', { fetchPage, keepsGoing: true });
		const counts: number[] = [];
		for await (const { rows } of reader.parts()) counts.push(rows.length);
		expect(counts[0]).toBe(100);
		expect(counts.length).toBeGreaterThan(1);
		expect(reader.gaps).toMatchObject([{ error: { message: 'unreadable' } }]);
		expect(reader.isComplete).toBe(false);
	});

	test('are not guessed from a page that fails, unless the reading goes on with what can be read', async () => {
		await expect(readFirst(even('newestFirst', 2), 100)).rejects.toThrow('request 2 failed');
		const { rows } = await readFirst(even('newestFirst', 2), 100, 'newestFirst', { keepsGoing: true });
		expect(rows).toHaveLength(100);
	});

	test('come ten rows at a time', async () => {
		const lengths: number[] = [];
		for await (const batch of readerOf(new ChangingList(25, ORDERS.byId), Infinity).batches()) {
			lengths.push(batch.length);
		}
		expect(lengths).toEqual([10, 10, 5]);
	});

	test('hold a row without an ID on the bound of two parts, or of the range, once', async () => {
		const list = placed(3000, 300, (share) => share);
		for (const row of list.rows) row.id = undefined;
		list.rows[0].date = list.range.to;
		const serials: number[] = [];
		for await (const { rows } of readerOf(list, 10).parts())
			serials.push(...rows.map(({ serial }) => serial));
		expect(serials).toHaveLength(3000);
		expect(new Set(serials).size).toBe(3000);
	});

	test.each([
		[100, [60, 100, 420]],
		[160, [40, 9960]],
	])(
		'grow, until a service that counts %i rows too many lists less than half of those wanted',
		async (more, parts) => {
			const counting = { more };
			const list = new ChangingList(10_000, ORDERS.byId, [], 100_000, undefined, { counting });
			expect((await searchIn(list, { wanted: 100, until: 300 })).parts).toEqual(parts);
		},
	);
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
			expect(list.requests).toBeLessThan(40);
		},
	);
});
