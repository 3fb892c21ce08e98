import * as fc from 'fast-check';
import { respond } from './respond';
import {
	cutByDates,
	cutEvenly,
	isWhole,
	piecesOf,
	readSlices,
	type FetchPage,
	type PageQuery,
	type Slice,
} from '../../../../nodes/shared/reading';

const RANGE = { from: 1000, to: 2000 };

describe('Cutting a range at the dates of its rows', () => {
	const dates = (count: number, first = 1001, step = 2) =>
		Array.from({ length: count }, (_, index) => first + index * step);

	test.each([
		['no rows', [], []],
		['39 rows', [dates(39)], []],
		['40 rows, at the last', [dates(40)], [1079]],
		['79 rows', [dates(79)], [1079]],
		['80 rows', [dates(80)], [1079, 1159]],
		['40 rows, newest first', [dates(40).reverse()], [1079]],
		['40 rows at one instant', [dates(40, 1500, 0)], [1500]],
		['120 rows at one instant, once', [dates(120, 1500, 0)], [1500]],
		['40 rows at the start, which would be no slice', [dates(40, 1000, 0)], []],
		['40 rows at the end, which would be no slice', [dates(40, 2000, 0)], []],
		[
			'rows outside the range',
			[dates(400, 1, 9)].map((list) => list.filter((at) => at < 1000 || at > 2000)),
			[],
		],
		['40 rows after the start, whatever lies before it', [[...dates(30, 1, 1), ...dates(40)]], [1079]],
		['rows without a date', [dates(80, NaN)], []],
		['each array on its own', [dates(39), dates(39)], []],
		['each array where it is full', [dates(40, 1501), dates(40)], [1079, 1579]],
		['two arrays at one instant, once', [dates(40), dates(40)], [1079]],
	])('cuts %s', (_what, lists, bounds) => {
		const slices = cutByDates(RANGE, lists, 50);

		expect(slices.map(({ from }) => from)).toEqual([1000, ...bounds]);
		expect(slices.map(({ to }) => to)).toEqual([...bounds, 2000]);
	});

	test('covers the range without a gap, with at most 40 rows of an array after each start', () => {
		const lists = fc.array(fc.array(fc.integer({ min: 900, max: 2100 }), { maxLength: 300 }), {
			maxLength: 3,
		});
		fc.assert(
			fc.property(lists, (list) => {
				const slices = cutByDates(RANGE, list, 50);

				expect(slices[0].from).toBe(1000);
				expect(slices.at(-1)?.to).toBe(2000);
				for (const [index, { from, to }] of slices.entries()) {
					expect(from).toBeLessThan(to);
					expect(from).toBe(index === 0 ? 1000 : slices[index - 1].to);
					for (const all of list) {
						expect(all.filter((date) => date > from && date < to).length).toBeLessThanOrEqual(40);
					}
				}
			}),
		);
	});
});

test.each([
	['all rows of a short page', { total: 3, rows: 3, pages: 1 }, true],
	['all rows of a full page', { total: 50, rows: 50, pages: 1 }, true],
	['a full page of two', { total: 50, rows: 50, pages: 2 }, false],
	['a full page of more rows', { total: 51, rows: 50, pages: 2 }, false],
	['more rows than it counts', { total: 30, rows: 50, pages: 1 }, false],
])(
	'A response with %s is whole, or is cut into two pieces at least',
	(_what, { total, rows, pages }, expected) => {
		const page = { lists: [{ total, rows: Array.from({ length: rows }) }], pages };
		expect(isWhole(page, 50)).toBe(expected);
		expect(piecesOf(page, 50)).toBe(2);
	},
);

test('A response is whole only if each of its arrays is', () => {
	const list = (total: number) => ({ total, rows: Array.from({ length: Math.min(50, total) }) });
	expect(isWhole({ lists: [list(3), list(60)], pages: 2 }, 50)).toBe(false);
	expect(isWhole({ lists: [list(3), list(4)], pages: 1 }, 50)).toBe(true);
});

test('A slice is cut into pieces of a millisecond at least, and by dates at each row of a service that sends one', () => {
	expect(cutEvenly({ from: 7, to: 10 }, 20)).toEqual([
		{ from: 7, to: 8 },
		{ from: 8, to: 9 },
		{ from: 9, to: 10 },
	]);
	expect(cutByDates({ from: 0, to: 9 }, [[3, 5]], 1).map(({ to }) => to)).toEqual([3, 5, 9]);
});

interface Row {
	id?: string;
	date: number;
}

/** A service with these arrays. `totals` replaces the true ones of a request, counted from 1. */
function service(arrays: Row[][], totals: (request: number) => number[] | undefined = () => undefined) {
	const queries: PageQuery[] = [];
	const fetchPage: FetchPage<Row> = async ({ ...query }) => {
		queries.push(query);
		const selected = arrays.map((rows) => rows.filter(({ date }) => date >= query.from && date <= query.to));
		const claimed = totals(queries.length);
		const first = (query.page - 1) * query.limit;
		const lists = selected.map((rows, index) => ({
			total: claimed?.[index] ?? rows.length,
			rows: rows.slice(first, first + query.limit),
		}));
		return await Promise.resolve(respond(lists, { limit: query.limit }));
	};
	return { fetchPage, queries };
}

const rowsAt = (date: number, count: number, name = 'r') =>
	Array.from({ length: count }, (_, index) => ({ id: `${name}${index}`, date }));
const idOf = ({ id }: Row) => id;

const dateOf = ({ date }: Row) => date;

async function readAll(
	fetchPage: FetchPage<Row>,
	range: Slice = RANGE,
	date: (row: Row) => number = () => NaN,
) {
	const parts = [];
	for await (const part of readSlices(fetchPage, range, idOf, date)) parts.push(part);
	return parts;
}

describe('Reading a range in slices', () => {
	test('reads 50 rows in one request, because one response holds them', async () => {
		const rows = rowsAt(1500, 50);
		const { fetchPage, queries } = service([rows]);

		expect(await readAll(fetchPage)).toEqual([{ ...RANGE, rows, unlisted: 0 }]);
		expect(queries).toEqual([{ ...RANGE, page: 1, limit: 50 }]);
	});

	test('reads 50 rows of each of three arrays in one request', async () => {
		const arrays = ['a', 'b', 'c'].map((name) => rowsAt(1500, 50, name));
		const { fetchPage, queries } = service(arrays);

		expect(await readAll(fetchPage)).toEqual([{ ...RANGE, rows: arrays.flat(), unlisted: 0 }]);
		expect(queries).toHaveLength(1);
	});

	test.each([
		[51, 2],
		[80, 2],
		[81, 3],
		[800, 20],
		[5000, 20],
	])('cuts a range with %d rows into %d slices of equal length, oldest first', async (count, pieces) => {
		const { fetchPage, queries } = service([[]], (request) => (request === 1 ? [count] : undefined));
		const read = await readAll(fetchPage, { from: 1000, to: 1600 });

		expect(read.map(({ from, to }) => [from, to])).toEqual(
			Array.from({ length: pieces }, (_, n) => [1000 + (n * 600) / pieces, 1000 + ((n + 1) * 600) / pieces]),
		);
		expect(queries).toHaveLength(1 + pieces);
	});

	test('says how many rows were counted but not listed', async () => {
		const arrays = [rowsAt(1500, 3, 'a'), rowsAt(1500, 4, 'b')];
		const unlisted = async (...totals: number[]) => {
			const [part, ...others] = await readAll(service(arrays, () => totals).fetchPage);
			expect(others).toEqual([]);
			return part.unlisted;
		};

		expect(await unlisted(3, 4)).toBe(0);
		expect(await unlisted(5, 4)).toBe(2);
		expect(await unlisted(3, 1)).toBe(0);
	});
});

describe('A service that sends fewer rows than asked for', () => {
	/** At most so many rows a page, which it does not say. */
	const capped = (arrays: Row[][], cap = 25) => {
		const { fetchPage, queries } = service(arrays);
		const fetchCapped: FetchPage<Row> = async (query) => {
			const limit = Math.min(cap, query.limit);
			const { lists, pages } = (await fetchPage({ ...query, limit })).read();
			return { at: 0, read: () => ({ lists, pages }) };
		};
		return { fetchPage: fetchCapped, queries };
	};
	const spread = Array.from({ length: 180 }, (_, n) => ({ id: `r${n}`, date: 1001 + n * 5 }));

	test('is read in slices that its pages hold', async () => {
		const { fetchPage, queries } = capped([spread]);
		const parts = await readAll(fetchPage);

		expect(new Set(parts.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(180);
		expect(parts.every(({ unlisted, paged }) => unlisted === 0 && paged === undefined)).toBe(true);
		expect(queries).toHaveLength(11);
	});

	test('is read whole even if another of its arrays is short', async () => {
		const { fetchPage } = capped([spread.slice(0, 30), [{ id: 'other', date: 1500 }]]);
		const parts = await readAll(fetchPage);

		expect(new Set(parts.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(31);
	});

	test('is read row by row if it sends one at a time', async () => {
		const { fetchPage, queries } = capped([spread.slice(0, 5)], 1);
		const parts = await readAll(fetchPage, { from: 1000, to: 1030 });

		expect(new Set(parts.flatMap(({ rows }) => rows)).size).toBe(5);
		expect(parts.every(({ unlisted }) => unlisted === 0)).toBe(true);
		expect(queries).toHaveLength(9);
	});

	test('is asked for a second page once, to tell it from one that counts too many', async () => {
		const { fetchPage, queries } = service([rowsAt(1500, 3)], () => [4]);

		expect(await readAll(fetchPage)).toMatchObject([{ unlisted: 1 }]);
		expect(queries).toEqual([
			{ ...RANGE, page: 1, limit: 50 },
			{ ...RANGE, page: 2, limit: 3 },
		]);
	});
});

test('Batches of 60 rows with one date each are read one after another, not the whole rest in pages', async () => {
	const batches = Array.from({ length: 12 }, (_, n) => rowsAt(60_000 + n * 120_000, 60, `b${n}-`));
	const { fetchPage, queries } = service([batches.flat()]);
	const read: Array<{ rows: number; requests: number }> = [];
	for await (const { rows } of readSlices(fetchPage, { from: 0, to: 1_500_000 }, idOf, dateOf)) {
		if (rows.length > 0) read.push({ rows: rows.length, requests: queries.length });
	}

	expect(read[0].requests).toBe(5);
	expect(Math.max(...read.map(({ rows }) => rows))).toBe(60);
	expect(queries).toHaveLength(125);
});

test('Rows of several dates are not read around the first of them', async () => {
	const rows = Array.from({ length: 180 }, (_, n) => ({ id: `r${n}`, date: 1001 + n * 5 }));
	const parts = await readAll(service([rows]).fetchPage, RANGE, dateOf);

	expect(parts.map(({ from }) => from)).toEqual([1000, 1200, 1400, 1600, 1800]);
});

test.each([1000, 2000])('Rows that share the bound %i are not looked for beyond it', async (date) => {
	const parts = await readAll(service([rowsAt(date, 60)]).fetchPage, RANGE, dateOf);

	expect(parts[0].from).toBe(1000);
	expect(parts.at(-1)?.to).toBe(2000);
	expect(new Set(parts.flatMap(({ rows }) => rows)).size).toBe(60);
});

test.each([
	[1, 147],
	[10, 314],
])('Rows in %i crowded minutes of a day are read in %i requests', async (minutes, requests) => {
	const rows = Array.from({ length: 3000 }, (_, n) => ({
		id: `r${n}`,
		date: (n % minutes) * 3_600_000 + Math.floor((n * 60_000) / 3000),
	}));
	const { fetchPage, queries } = service([rows]);
	const parts = await readAll(fetchPage, { from: 0, to: 86_400_000 });

	expect(new Set(parts.flatMap((part) => part.rows)).size).toBe(3000);
	expect(queries).toHaveLength(requests);
});

test('A service that selects by more than a range asks for is read in pages after about 100 requests', async () => {
	const rows = rowsAt(1500, 180);
	const { fetchPage, queries } = service([rows]);
	const wide: FetchPage<Row> = async (query) => await fetchPage({ ...query, from: 0, to: 86_400_000 });
	const parts = await readAll(wide, { from: 0, to: 86_400_000 });

	expect(new Set(parts.flatMap((part) => part.rows)).size).toBe(180);
	expect(parts.at(-1)).toMatchObject({ from: parts.at(-2)?.to, to: 86_400_000 });
	expect(queries).toHaveLength(137);
});

describe('Reading a millisecond with more than 50 rows', () => {
	const MOMENT = { from: 1500, to: 1501 };

	test('reads it in pages after the response that counted them, once when nothing changes', async () => {
		const rows = [...rowsAt(1500, 60, 'a'), ...rowsAt(1501, 61, 'b')];
		const { fetchPage, queries } = service([rows]);

		expect(await readAll(fetchPage, MOMENT)).toEqual([{ ...MOMENT, rows, unlisted: 0, paged: 'settled' }]);
		expect(queries).toEqual([1, 1, 2, 3].map((page) => ({ ...MOMENT, page, limit: 50 })));
	});

	test('reads rows without an ID each once, because they cannot be recognized', async () => {
		const rows = Array.from({ length: 60 }, () => ({ date: 1500 }));
		const [part] = await readAll(service([rows]).fetchPage, MOMENT);

		expect(part).toMatchObject({ rows, unlisted: 0, paged: 'settled' });
	});

	// Requests: 1 counts the rows, then 2 and 3, 4 and 5, 6 and 7 are the pages of one reading each.
	test.each([
		['a second time when a total changed in the first reading', [3], 5, 0, 'settled'],
		['a second time when a total did not match the rows', [2, 3], 5, 0, 'settled'],
		['a third time when a total changed in two readings', [3, 5], 7, 0, 'settled'],
		['no fourth time when a total changed in each reading', [3, 5, 7], 7, 1, 'unsettled'],
		['no fourth time when no total matched the rows', [2, 3, 4, 5, 6, 7], 7, 1, 'unsettled'],
	])('reads it %s', async (_when, wrong, requests, unlisted, paged) => {
		const rows = rowsAt(1500, 60);
		const { fetchPage, queries } = service([rows], (request) => [wrong.includes(request) ? 61 : 60]);

		expect(await readAll(fetchPage, MOMENT)).toEqual([{ ...MOMENT, rows, unlisted, paged }]);
		expect(queries).toHaveLength(requests);
	});

	test('reads it a second time when a total was lower for a moment, although all rows came', async () => {
		const rows = rowsAt(1500, 60);
		const { fetchPage, queries } = service([rows], (request) => [request === 3 ? 59 : 60]);

		expect(await readAll(fetchPage, MOMENT)).toMatchObject([{ rows, unlisted: 0, paged: 'settled' }]);
		expect(queries).toHaveLength(5);
	});

	test('counts as missing what the highest total counted, even if a later one counted less', async () => {
		const rows = rowsAt(1500, 60);
		const { fetchPage } = service([rows], (request) => [request % 2 === 0 ? 63 : 60]);

		expect(await readAll(fetchPage, MOMENT)).toMatchObject([{ unlisted: 3, paged: 'unsettled' }]);
	});
});
