import { RequestError } from '../../../../nodes/shared/http/response';
import { Reading, joinedSlices } from '../../../../nodes/shared/reading/reading';
import { readInPages } from '../../../../nodes/shared/reading/pagePass';
import type { PageQuery } from '../../../../nodes/shared/exportApi/client';

const SLICE = { from: 1500, to: 1501 };
const LIMIT = 10;
const MINUTE = 60_000;

/** A row that appeared in the list so many minutes after 1970. */
const row = (conversationId: string, minute: number) => ({
	conversationId,
	processedDate: new Date(minute * MINUTE).toISOString(),
});

/** So many rows that were there a minute before the first response. */
const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => row(`r${n}`, 8.9));

type Shown = { rows: object[]; total?: number; pages?: number; minute?: number };
/** A service whose list, and what it counts, can depend on the number of the request. */
type Service = (request: number) => Shown | RequestError;

async function readAll(list: Service, room = Infinity) {
	const pages: number[] = [];
	const page = async (_list: object, query: PageQuery) => {
		pages.push(query.page);
		const shown = list(pages.length);
		if (shown instanceof RequestError) throw shown;
		const { rows, total = rows.length, minute = 10 } = shown;
		const first = (query.page - 1) * query.limit;
		const lists = [{ total, rows: rows.slice(first, first + query.limit) }];
		const counted = shown.pages ?? Math.ceil(total / query.limit);
		return await Promise.resolve({ at: minute * MINUTE, read: () => ({ lists, pages: counted }) });
	};
	const reading = new Reading({
		client: { page },
		list: { arrays: ['conversations'] },
		range: SLICE,
		concurrency: 1,
		continueOnError: true,
	});
	const all = readInPages(reading, SLICE, LIMIT, () => room-- > 0);
	let step = await all.next();
	while (step.done !== true) step = await all.next();
	return { ...step.value, pages };
}

const NEW = row('new', 20);
const SECOND = [1, 2, 3, 1, 2, 3];
const THIRD = [1, 2, 1, 2, 1, 2];

test.each<[string, number[], Service]>([
	[
		'again when a later row is a minute old',
		SECOND,
		(n) => ({ rows: [...rowsOf(24), row('r', 9)], minute: 10 * n }),
	],
	['again when one more is counted, however old', SECOND, (n) => ({ rows: rowsOf(n === 1 ? 24 : 25) })],
	['once if only the first page has a new row', [1, 2, 3], () => ({ rows: [NEW, ...rowsOf(24)] })],
	['a third time when the second lacks a row', THIRD, (n) => ({ rows: [...rowsOf(n <= 2 ? 12 : 11), NEW] })],
	['a third time for another row', THIRD, (n) => ({ rows: [...rowsOf(12), n <= 2 ? NEW : row('r', 20)] })],
])('reads %s, until rows repeat', async (_what, pages, list) => {
	expect(await readAll(list)).toMatchObject({ pages, paged: 'settled' });
});

test.each([
	[28, 1, 3],
	[20, 3, 0],
])('counted as %i rows on %i pages, 25 rows lack %i', async (total, pages, unlisted) => {
	expect(await readAll(() => ({ rows: rowsOf(25), total, pages }))).toMatchObject({ unlisted });
});

test('ends with the error of a page, and counts nothing as unlisted', async () => {
	const error = new RequestError({ code: 'request_failed', message: 'failed' });
	const result = await readAll((request) => (request === 2 ? error : { rows: rowsOf(25) }));
	expect(result).toEqual({ unlisted: 0, error, pages: [1, 2, 3] });
});

test.each([
	[10, 2, [1, 2]],
	// One more is requested before the empty one was read.
	[10, 9, [1, 2, 3]],
	[20, 9, [1, 2, 3, 4]],
])('%i rows counted on %i pages are read three times as pages %j', async (count, counted, pages) => {
	const result = await readAll(() => ({ rows: rowsOf(count), pages: counted }));
	expect(result).toEqual({ unlisted: 0, paged: 'unsettled', pages: [...pages, ...pages, ...pages] });
});

test('ends after twice as many pages as at first, and one, if the list grows as fast as it is read', async () => {
	const list = (request: number) => ({ rows: rowsOf(20 + 10 * request), total: 20, pages: 2 + request });
	const { pages } = await readAll(list);
	// The next reading begins with the first page again.
	expect(pages.indexOf(1, 1)).toBe(2 * 3 + 1);
});

test('makes no request that there is no room for', async () => {
	const result = await readAll(() => ({ rows: rowsOf(25) }), 2);
	expect(result).toMatchObject({ pages: [1, 2], unlisted: 0, paged: 'unsettled' });
});

test('slices that touch are joined, oldest first', () => {
	const slices = [6, 0, 5, 2].map((from) => ({ from, to: from + 1 }));
	expect(joinedSlices(slices).map(({ from, to }) => `${from}-${to}`)).toEqual(['0-1', '2-3', '5-7']);
});
