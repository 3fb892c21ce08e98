import * as fc from 'fast-check';
import {
	cutByDates,
	readStretches,
	type FetchPage,
	type PageQuery,
	type Stretch,
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
		['40 rows at the start, which would be no stretch', [dates(40, 1000, 0)], []],
		['40 rows at the end, which would be no stretch', [dates(40, 2000, 0)], []],
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
		const stretches = cutByDates(RANGE, lists);

		expect(stretches.map(({ from }) => from)).toEqual([1000, ...bounds]);
		expect(stretches.map(({ to }) => to)).toEqual([...bounds, 2000]);
	});

	test('covers the range without a gap, with at most 40 rows of an array after each start', () => {
		const lists = fc.array(fc.array(fc.integer({ min: 900, max: 2100 }), { maxLength: 300 }), {
			maxLength: 3,
		});
		fc.assert(
			fc.property(lists, (list) => {
				const stretches = cutByDates(RANGE, list);

				expect(stretches[0].from).toBe(1000);
				expect(stretches.at(-1)?.to).toBe(2000);
				for (const [index, { from, to }] of stretches.entries()) {
					expect(from).toBeLessThan(to);
					expect(from).toBe(index === 0 ? 1000 : stretches[index - 1].to);
					for (const all of list) {
						expect(all.filter((date) => date > from && date < to).length).toBeLessThanOrEqual(40);
					}
				}
			}),
		);
	});
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
			rows: () => rows.slice(first, first + query.limit),
		}));
		return await Promise.resolve({ lists, at: 0 });
	};
	return { fetchPage, queries };
}

const rowsAt = (date: number, count: number, name = 'r') =>
	Array.from({ length: count }, (_, index) => ({ id: `${name}${index}`, date }));
const idOf = ({ id }: Row) => id;

async function readAll(fetchPage: FetchPage<Row>, range: Stretch = RANGE) {
	const parts = [];
	for await (const part of readStretches(fetchPage, range, idOf)) parts.push(part);
	return parts;
}

describe('Reading a range in stretches', () => {
	test('reads 50 rows in one request, because one answer holds them', async () => {
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
	])('cuts a range with %d rows into %d stretches of equal length, oldest first', async (count, pieces) => {
		const { fetchPage, queries } = service([[]], (request) => (request === 1 ? [count] : undefined));
		const read = await readAll(fetchPage, { from: 1000, to: 1600 });

		expect(read.map(({ from, to }) => [from, to])).toEqual(
			Array.from({ length: pieces }, (_, n) => [1000 + (n * 600) / pieces, 1000 + ((n + 1) * 600) / pieces]),
		);
		expect(queries).toHaveLength(1 + pieces);
	});

	test('says how many rows were counted but not listed, and how many more were listed than counted', async () => {
		const arrays = [rowsAt(1500, 3, 'a'), rowsAt(1500, 4, 'b')];
		const unlisted = async (...totals: number[]) => {
			const [part, ...others] = await readAll(service(arrays, () => totals).fetchPage);
			expect(others).toEqual([]);
			return part.unlisted;
		};

		expect(await unlisted(3, 4)).toBe(0);
		expect(await unlisted(5, 4)).toBe(2);
		expect(await unlisted(3, 1)).toBe(-3);
	});

	test('goes on after a stretch that may be skipped, and throws the error of one that may not', async () => {
		const { fetchPage } = service([[...rowsAt(1100, 30, 'a'), ...rowsAt(1900, 30, 'b')]]);
		const failing: FetchPage<Row> = async (query) => {
			if (query.from === 1000 && query.to === 1500) throw new Error('no answer');
			return await fetchPage(query);
		};
		const skipped: unknown[] = [];
		const skips = (...args: unknown[]) => skipped.push(args) > 0;
		const read = [];
		for await (const part of readStretches(failing, RANGE, idOf, skips)) read.push(part);

		expect(read).toMatchObject([{ from: 1500, to: 2000, rows: rowsAt(1900, 30, 'b') }]);
		expect(skipped).toEqual([[{ from: 1000, to: 1500 }, new Error('no answer')]]);
		await expect(readAll(failing)).rejects.toThrow('no answer');
	});
});

describe('Reading a millisecond with more than 50 rows', () => {
	const MOMENT = { from: 1500, to: 1501 };

	test('reads it in pages after the answer that counted them, once when nothing changes', async () => {
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
