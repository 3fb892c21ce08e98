import { readInPages, type PagesOptions } from '../../../../nodes/shared/reading/readInPages';
import type { FetchPage, PageQuery } from '../../../../nodes/shared/exportApi/page';
import { respond } from './respond';

interface Row {
	id: string;
	/** When it appeared in the list. */
	at: number;
}

const SLICE = { from: 1500, to: 1501 };
const LIMIT = 10;

/** So many old rows, then a new one. */
const rowsOf = (count: number, at = 0): Row[] =>
	Array.from({ length: count }, (_, n) => ({ id: `r${n}`, at }));

/** Reads a service whose list, and what it counts, can depend on the number of the request. */
async function readAll(
	list: (request: number) => { rows: Row[]; total?: number; pages?: number; at?: number },
	options: Partial<PagesOptions<Row>> = {},
) {
	const queries: PageQuery[] = [];
	const fetchPage: FetchPage<Row> = async (query) => {
		queries.push(query);
		const { rows, total = rows.length, pages, at = 1000 } = list(queries.length);
		const first = (query.page - 1) * query.limit;
		const page = rows.slice(first, first + query.limit);
		return await Promise.resolve(respond([{ total, rows: page }], { at, limit: query.limit, pages }));
	};
	const reading = readInPages(fetchPage, SLICE, {
		idOf: ({ id }) => id,
		limit: LIMIT,
		isOld: ({ at }, openedAt) => at < openedAt,
		...options,
	});
	const rows: Row[] = [];
	let step = await reading.next();
	for (; step.done !== true; step = await reading.next()) rows.push(...step.value);
	return { ...step.value, rows, pages: queries.map(({ page }) => page), queries };
}

test('reads each page once if nothing is new, whatever order the pages come in', async () => {
	const { rows, pages, queries, ...result } = await readAll(() => ({ rows: rowsOf(25) }));
	expect(rows).toEqual(rowsOf(25));
	expect(pages).toEqual([1, 2, 3]);
	expect(queries[0]).toEqual({ ...SLICE, page: 1, limit: LIMIT });
	expect(result).toEqual({ unlisted: 0, paged: 'settled' });
});

test('reads again when a row of a later page is new, and is settled with the same rows', async () => {
	const rows = [...rowsOf(24), { id: 'new', at: 1000 }];
	expect(await readAll(() => ({ rows }))).toMatchObject({ pages: [1, 2, 3, 1, 2, 3], paged: 'settled' });
});

test('compares rows with the first response, not with that of their page', async () => {
	const list = (request: number) => ({ rows: [...rowsOf(24), { id: 'new', at: 1500 }], at: 1000 * request });
	expect(await readAll(list)).toMatchObject({ pages: [1, 2, 3, 1, 2, 3], paged: 'settled' });
});

test('does not read again for a new row of the first page, which can have shifted nothing', async () => {
	const rows = [{ id: 'new', at: 2000 }, ...rowsOf(24)];
	expect(await readAll(() => ({ rows }))).toMatchObject({ pages: [1, 2, 3], paged: 'settled' });
});

test('reads a third time when the second reading lacks a row of the first', async () => {
	const fresh = (count: number) => [...rowsOf(count), { id: 'new', at: 2000 }];
	const list = (request: number) => ({ rows: fresh(request <= 2 ? 12 : 11) });
	expect(await readAll(list)).toMatchObject({ pages: [1, 2, 1, 2, 1, 2], paged: 'settled' });
});

test('is unsettled when each of three readings shows other rows', async () => {
	const list = (request: number) => ({ rows: [...rowsOf(24), { id: `new ${request}`, at: 2000 }] });
	expect(await readAll(list)).toMatchObject({ pages: [1, 2, 3, 1, 2, 3, 1, 2, 3], paged: 'unsettled' });
});

test.each([
	[10, [1, 2, 1, 2, 1, 2]],
	[20, [1, 2, 3, 1, 2, 3, 1, 2, 3]],
])(
	'ends with the page that has no new row after %i if the service counts too many pages',
	async (count, pages) => {
		const list = () => ({ rows: rowsOf(count), pages: 9 });
		expect(await readAll(list)).toMatchObject({ pages, unlisted: 0, paged: 'unsettled' });
	},
);

test('ends after twice as many pages as at first, and one, if the list grows as fast as it is read', async () => {
	const list = (request: number) => ({ rows: rowsOf(20 + 10 * request), total: 20, pages: 2 + request });
	const { pages } = await readAll(list);
	// The next reading begins with the first page again.
	expect(pages.indexOf(1, 1)).toBe(2 * 3 + 1);
});

test('makes no request that there is no room for', async () => {
	let room = 2;
	const result = await readAll(() => ({ rows: rowsOf(25) }), { hasRoom: () => room-- > 0 });
	expect(result).toMatchObject({ pages: [1, 2], unlisted: 0, paged: 'unsettled' });
});
