import { requestFailure } from './requestFailure';
import {
	ListReader,
	type FetchPage,
	type ListReaderOptions,
	type PageQuery,
} from '../../../../nodes/shared/reading';
import { respond } from './respond';

interface Row {
	id?: string;
	/** When it appeared in the list. */
	at?: number;
}

/** A page of each array: its rows and its total. */
type Page = Array<{ rows: Row[]; total: number }>;

const RANGE = { from: 1000, to: 2000 };
const SENT_AT = 1_000_000;

const named = (name: string, first: number, last: number, at?: number): Row[] =>
	Array.from({ length: last - first + 1 }, (_, index) => ({ id: `${name}${first + index}`, at }));
const idsOf = (rows: Row[]) => rows.map(({ id }) => id);

/** Reads a service that responds to the n-th request for the whole range with the n-th page. Further requests fail. */
function start(pages: Page[], options: Partial<ListReaderOptions<Row>> = {}) {
	const queries: PageQuery[] = [];
	const fetchPage: FetchPage<Row> = async (query) => {
		queries.push({ ...query });
		if (queries.length > pages.length) throw requestFailure('a request too many');
		return await Promise.resolve(respond(pages[queries.length - 1], { at: SENT_AT, limit: query.limit }));
	};
	const reader = new ListReader<Row>({
		range: RANGE,
		fetchPage,
		idOf: ({ id }) => id,
		dateOf: () => 1500,
		appearedAt: ({ at = 0 }) => at,
		concurrency: () => 1,
		...options,
	});
	return { reader, queries };
}

async function batchesOf(reader: ListReader<Row>) {
	const batches: Row[][] = [];
	for await (const batch of reader.batches()) batches.push([...batch]);
	return batches;
}

test('has read nothing before it starts', () => {
	const { reader, queries } = start([]);

	expect(reader).toMatchObject({ requests: 0, rows: 0, totals: [], total: 0, pages: 0, unlisted: 0 });
	expect(reader).toMatchObject({ isReread: false, paged: undefined, gaps: [] });
	expect(queries).toEqual([]);
});

describe('Rows', () => {
	test.each([
		[0, []],
		[1, [1]],
		[9, [9]],
		[10, [10]],
		[11, [10, 1]],
		[20, [10, 10]],
		[25, [10, 10, 5]],
	])('of which there are %d are output in batches of %j', async (count, lengths) => {
		const rows = named('r', 1, count);
		const batches = await batchesOf(start([[{ rows, total: count }]]).reader);

		expect(batches.map(({ length }) => length)).toEqual(lengths);
		expect(batches.flat()).toEqual(rows);
	});

	test('without an ID are all output, because none can be taken for another', async () => {
		const rows = [{}, {}, {}];
		const { reader, queries } = start([[{ rows, total: 3 }]]);

		expect((await batchesOf(reader)).flat()).toEqual(rows);
		expect(queries).toHaveLength(1);
	});

	test('outputs a row that two arrays contain once', async () => {
		const { reader } = start([
			[
				{ rows: named('r', 1, 3), total: 3 },
				{ rows: named('r', 3, 5), total: 3 },
			],
		]);
		const ids: unknown[] = [];
		await expect(
			(async () => {
				for await (const batch of reader.batches()) ids.push(...idsOf(batch));
			})(),
		).rejects.toThrow('a request too many');
		expect(ids).toEqual(idsOf(named('r', 1, 5)));
	});
});

describe('A limit', () => {
	test('that the first page of two arrays fills needs no second page', async () => {
		const { reader, queries } = start(
			[
				[
					{ rows: named('a', 1, 50), total: 70 },
					{ rows: named('b', 1, 50), total: 70 },
				],
			],
			{ maxRows: 60 },
		);

		expect(idsOf((await batchesOf(reader)).flat())).toEqual(
			idsOf([...named('a', 1, 50), ...named('b', 1, 10)]),
		);
		expect(queries).toEqual([{ ...RANGE, page: 1, limit: 50 }]);
		expect(reader.isReread).toBe(false);
	});

	test.each([
		['complete when it is as long as the list', 20, true],
		['incomplete when it is shorter than the list', 21, false],
	])('makes a list %s, even for a reader that stops there', async (_what, total, isComplete) => {
		const { reader } = start([[{ rows: named('a', 1, 20), total }]], { maxRows: 20 });
		let rows = 0;
		for await (const batch of reader.batches()) if ((rows += batch.length) === 20) break;

		expect(reader.isComplete).toBe(isComplete);
	});

	test('that is reached does not make a list complete that changed meanwhile', async () => {
		const pages = [[{ rows: named('a', 1, 50), total: 61 }], [{ rows: named('a', 51, 60), total: 60 }]];
		const { reader } = start(pages, { maxRows: 60 });

		expect((await batchesOf(reader)).flat()).toHaveLength(60);
		expect(reader.isComplete).toBe(false);
	});

	test('below 50 is the limit of the request', async () => {
		const { reader, queries } = start([[{ rows: named('a', 1, 20), total: 70 }]], { maxRows: 20 });

		expect((await batchesOf(reader)).flat()).toHaveLength(20);
		expect(queries).toEqual([{ ...RANGE, page: 1, limit: 20 }]);
	});

	test('is filled from one more page when rows came twice', async () => {
		const { reader, queries } = start(
			[
				[{ rows: named('r', 1, 50), total: 100 }],
				// Ten new rows before them have shifted the others.
				[{ rows: named('r', 41, 90), total: 110 }],
				[{ rows: named('r', 91, 100), total: 110 }],
			],
			{ maxRows: 95 },
		);

		expect(idsOf((await batchesOf(reader)).flat())).toEqual(idsOf(named('r', 1, 95)));
		expect(queries.map(({ page }) => page)).toEqual([1, 2, 3]);
		expect(reader).toMatchObject({ requests: 3, isReread: false });
	});
});

describe('A list is read again in slices', () => {
	/** Whether it is read again after these pages, because then it asks for one more. */
	const isReread = async (pages: Page[]) => {
		const { reader } = start(pages, { keepsGoing: true });
		await batchesOf(reader);
		return reader.isReread;
	};
	const page = (rows: Row[], total: number): Page => [{ rows, total }];
	const slack = SENT_AT - 60_000;

	test.each([
		['more than a minute before the first response', slack - 1, false],
		['a minute before the first response', slack, true],
		['after the first response', SENT_AT + 1, true],
		['at an unknown time', NaN, true],
	])('if one of 51 appeared %s: %j', async (_when, at, expected) => {
		expect(await isReread([page(named('r', 1, 50, 0), 51), page(named('r', 51, 51, at), 51)])).toBe(expected);
	});

	test.each([1, 49, 50])('never if it has %d rows, because one response is exact', async (count) => {
		expect(await isReread([page(named('r', 1, count, SENT_AT + 1), count)])).toBe(false);
	});

	test('if fewer rows came in one page than it counted', async () => {
		expect(await isReread([page(named('r', 1, 3), 4)])).toBe(true);
	});

	test('if a total changed and changed back while as many rows came as it says', async () => {
		const other = { rows: named('b', 1, 1), total: 1 };
		const third = { rows: [], total: 1 };
		// The first row went before page 2, so row 51 moved to page 1. An older row then got into page 3.
		const pages = (second: number): Page[] => [
			[{ rows: named('a', 1, 50), total: 150 }, other],
			[{ rows: named('a', 52, 101), total: second }, third],
			[{ rows: named('a', 102, 151), total: 150 }, third],
		];

		expect(await isReread(pages(149))).toBe(true);
		expect(await isReread(pages(150))).toBe(false);
	});
});

describe('A page that fails', () => {
	test('fails the export without another request', async () => {
		const { reader, queries } = start([[{ rows: named('r', 1, 50), total: 60 }]]);

		await expect(batchesOf(reader)).rejects.toThrow('a request too many');
		expect(queries).toHaveLength(2);
		expect(reader.isReread).toBe(false);
	});

	test('fails the export when it is the first and nothing can be read in slices either', async () => {
		const { reader, queries } = start([], { keepsGoing: true });

		await expect(batchesOf(reader)).rejects.toThrow('a request too many');
		expect(queries.length).toBeLessThanOrEqual(12);
	});

	test('fails the export when the error is not the service’s', async () => {
		const idOf = ({ id }: Row) => {
			if (id === 'r51') throw new TypeError('a mistake of ours');
			return id;
		};
		const pages = [[{ rows: named('r', 1, 50), total: 51 }], [{ rows: named('r', 51, 51), total: 51 }]];
		const { reader, queries } = start(pages, { keepsGoing: true, idOf });

		await expect(batchesOf(reader)).rejects.toThrow('a mistake of ours');
		expect(queries).toHaveLength(2);
	});
});

test('A first page that fails with 504 is not taken for a refusal, which would end the reading', async () => {
	let requests = 0;
	const fetchPage: FetchPage<Row> = async ({ limit }) => {
		if (++requests === 1) throw requestFailure('late', 504);
		return await Promise.resolve(respond([{ rows: named('a', requests, requests), total: 1 }], { limit }));
	};
	const { reader } = start([], { fetchPage, keepsGoing: true });

	expect((await batchesOf(reader)).flat()).toEqual(named('a', 2, 6));
});
