import { RequestError } from '../../../../nodes/shared/http/requestErrors';
import { Reading, joinedSlices } from '../../../../nodes/shared/reading/reading';
import { readInPages } from '../../../../nodes/shared/reading/pagePass';
import type { PageQuery } from '../../../../nodes/shared/exportApi/client';

const SLICE = { from: 1500, to: 1501 };
const MINUTE = 60_000;

/** A row that appeared in the list so many minutes after 1970. */
const row = (conversationId: string, minute: number) => ({
	conversationId,
	processedDate: new Date(minute * MINUTE).toISOString(),
});
/** So many rows that were there more than a minute before the first response. */
const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => row(`r${n}`, 8.9));
const NEW = row('new', 20);
const SECOND = [1, 2, 3, 1, 2, 3];
const THIRD = [1, 2, 1, 2, 1, 2];

/** A list, ten rows of it in a page, as it is when a request comes; undefined if that fails. */
type List = (
	request: number,
) => { rows: object[]; total?: number; pages?: number; minute?: number } | undefined;

async function readAll(list: List, room = Infinity) {
	const requested: number[] = [];
	const page = async (_list: object, { page: number, limit }: PageQuery) => {
		const shown = list(requested.push(number));
		if (!shown) throw FAILED;
		const { rows, total = rows.length, pages = Math.ceil(total / limit), minute = 10 } = shown;
		const lists = [{ total, rows: rows.slice((number - 1) * limit, number * limit) }];
		const read = async () => await Promise.resolve({ lists, pages, limit, surplus: 0 });
		return await Promise.resolve({ at: minute * MINUTE, read });
	};
	const options = { range: SLICE, concurrency: 1, continueOnError: true };
	const reading = new Reading({ client: { page }, list: { arrays: ['conversations'] }, ...options });
	const all = readInPages(reading, SLICE, 10, () => room-- > 0);
	let step = await all.next();
	while (step.done !== true) step = await all.next();
	return { ...step.value, requested };
}

const FAILED = new RequestError({ code: 'request_failed', message: 'failed' });

test.each<[string, number[], List]>([
	[
		'again if a later row is a minute old',
		SECOND,
		(n) => ({ rows: [...rowsOf(24), row('r', 9)], minute: 10 * n }),
	],
	['again if one more is counted, however old', SECOND, (n) => ({ rows: rowsOf(n === 1 ? 24 : 25) })],
	['once if only the first page has a new row', [1, 2, 3], () => ({ rows: [NEW, ...rowsOf(24)] })],
	['a third time if the second lacks a row', THIRD, (n) => ({ rows: [...rowsOf(n <= 2 ? 12 : 11), NEW] })],
	['a third time for another row', THIRD, (n) => ({ rows: [...rowsOf(12), n <= 2 ? NEW : row('r', 20)] })],
])('reads %s, until rows repeat', async (_what, requested, list) => {
	expect(await readAll(list)).toEqual({ requested, unlisted: 0, paged: 'settled' });
});

test.each([
	[25, 28, 1, 3, [1, 2, 3]],
	[25, 20, 3, 0, [1, 2, 3]],
	[10, 10, 2, 0, [1, 2]],
	// One more is requested before the empty one was read.
	[10, 10, 9, 0, [1, 2, 3]],
	[20, 20, 9, 0, [1, 2, 3, 4, 5]],
])(
	'%i rows, counted as %i on %i pages, lack %i and are read three times as %j',
	async (count, total, pages, unlisted, once) => {
		const requested = [...once, ...once, ...once];
		const result = await readAll(() => ({ rows: rowsOf(count), total, pages }));
		expect(result).toEqual({ requested, unlisted, paged: 'unsettled' });
	},
);

test('ends with the error of a page, and counts nothing as unlisted', async () => {
	const result = await readAll((n) => (n === 2 ? undefined : { rows: rowsOf(25) }));
	expect(result).toEqual({ requested: [1, 2, 3], unlisted: 0, error: FAILED });
});

test('makes no request that there is no room for', async () => {
	const result = await readAll(() => ({ rows: rowsOf(25) }), 2);
	expect(result).toEqual({ requested: [1, 2], unlisted: 0, paged: 'unsettled' });
});

test('ends after twice as many pages as at first, and one, if the list grows as fast as it is read', async () => {
	const { requested } = await readAll((n) => ({ rows: rowsOf(20 + 10 * n), total: 20, pages: 2 + n }));
	// The next reading begins with the first page again.
	expect(requested.indexOf(1, 1)).toBe(2 * 3 + 1);
});

test('slices that touch are joined, oldest first', () => {
	const slices = [6, 0, 5, 2].map((from) => ({ from, to: from + 1 }));
	expect(joinedSlices(slices).map(({ from, to }) => `${from}-${to}`)).toEqual(['0-1', '2-3', '5-7']);
});
