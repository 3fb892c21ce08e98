import { requestFailure } from './requestFailure';
import { ListReader, type FetchPage, type ListReaderOptions } from '../../../../nodes/shared/reading';
import { respond } from './respond';

interface Row {
	id?: string;
	date: number;
}

const RANGE = { from: 0, to: 400 };
/** One row a millisecond, so that a slice is 40 ms long. */
const ROWS: Row[] = Array.from({ length: 400 }, (_, date) => ({ id: `r${date}`, date }));
const STARTS = [0, 40, 80, 120, 160, 200, 240, 280, 320, 360];

/** What happens to the request for the slice that begins at a time: an error, or rows that it counts besides. */
type Plan = Record<number, Error | number>;

const failure = (message: string) => requestFailure(message);

/**
 * Reads 400 rows: the fast pass finds nothing wrong but its first total, so the range is read again in ten slices.
 * The fast pass outputs only the rows of `known`, so that the slices have rows to output.
 */
function start(plan: Plan, options: Partial<ListReaderOptions<Row>> = {}, rows = ROWS, known = rows) {
	const asked: number[] = [];
	let requests = 0;
	const fetchPage: FetchPage<Row> = async ({ from, to, page, limit }) => {
		requests++;
		const isWhole = from === RANGE.from && to === RANGE.to;
		const first = (page - 1) * limit;
		if (isWhole) {
			const total = rows.length + (page === 1 ? 1 : 0);
			return respond([{ total, rows: known.slice(first, first + limit) }], { at: 1e12, limit });
		}
		asked.push(from);
		const planned = plan[from];
		if (planned instanceof Error) throw planned;
		const selected = rows.filter(({ date }) => date >= from && date <= to);
		const total = selected.length + (planned ?? 0);
		return respond([{ total, rows: selected.slice(first, first + limit) }], { at: 1e12, limit });
	};
	const reader = new ListReader<Row>({
		range: RANGE,
		fetchPage,
		idOf: ({ id }) => id,
		dateOf: ({ date }) => date,
		appearedAt: () => 0,
		concurrency: () => 1,
		keepsGoing: true,
		...options,
	});
	return { reader, asked, requests: () => requests };
}

async function rowsOf(reader: ListReader<Row>) {
	const rows: Row[] = [];
	for await (const batch of reader.batches()) rows.push(...batch);
	return rows;
}

describe('Reading again in slices', () => {
	test('asks for each slice once, counts every request, and outputs each row once', async () => {
		const { reader, asked, requests } = start({});

		expect(await rowsOf(reader)).toEqual(ROWS);
		expect(asked).toEqual(STARTS);
		expect(reader).toMatchObject({ isReread: true, unlisted: 0 });
		expect({ rows: reader.rows, gaps: reader.gaps, isComplete: reader.isComplete }).toEqual({
			rows: 400,
			gaps: [],
			isComplete: true,
		});
		expect(reader.requests).toBe(8 + 10);
		expect(requests()).toBe(8 + 10);
	});

	test('outputs rows without an ID only where they came first', async () => {
		const rows = ROWS.map(({ date }) => ({ date }));

		expect(await rowsOf(start({}, {}, rows).reader)).toEqual(rows);
	});

	test('adds up the rows that the service counted but did not list', async () => {
		const { reader } = start({ 0: 2, 120: 1, 360: 3 });
		await rowsOf(reader);

		expect(reader.unlisted).toBe(6);
	});

	test('asks for no further slice once a limit is filled, beyond the two already started', async () => {
		const known = ROWS.filter(({ date }) => date < 1 || date > 5);
		const { reader, asked } = start({}, { maxRows: 398 }, ROWS, known);

		expect(await rowsOf(reader)).toEqual([...known, ...ROWS.slice(1, 4)]);
		expect(asked).toEqual([0, 45, 85]);
	});
});

describe('A millisecond with more than 50 rows', () => {
	/** 60 rows at each of two times; the service's total for one of them may be wrong in every reading. */
	const readAfter = async (...wrong: number[]) => {
		const rows = [...ROWS, ...crowd(100), ...crowd(300)];
		const plan: Plan = Object.fromEntries(wrong.map((date) => [date, 1]));
		const { reader } = start(plan, {}, rows);
		await rowsOf(reader);
		return reader;
	};
	const crowd = (date: number) => Array.from({ length: 60 }, (_, n) => ({ id: `crowd${date}-${n}`, date }));

	test.each([
		['settled when all of them are', [], { paged: 'settled', unlisted: 0, requests: 62 }],
		['unsettled when the first one kept changing', [99], { paged: 'unsettled', unlisted: 1, requests: 66 }],
		['unsettled when the last one kept changing', [299], { paged: 'unsettled', unlisted: 1, requests: 66 }],
	])('makes the list %s', async (_what, wrong, expected) => {
		expect(await readAfter(...wrong)).toMatchObject(expected);
	});
});

describe('A slice that fails', () => {
	const gapsAfter = async (plan: Plan, options?: Partial<ListReaderOptions<Row>>) => {
		const { reader, asked, requests } = start(plan, options);
		await rowsOf(reader);
		const gaps = reader.gaps.map(({ from, to, error }) => [from, to, error.message]);
		return { gaps, asked, reader, requests: requests() };
	};

	test('is cut twice, and what still fails is a gap with its bounds and error', async () => {
		const error = failure('no response');
		const { reader, asked, requests } = await gapsAfter({ 80: error });

		expect(reader.gaps).toEqual([{ from: 80, to: 81, error }]);
		expect(reader.isComplete).toBe(false);
		expect(asked).toHaveLength(10 + 5 + 5);
		expect(reader.requests).toBe(requests);
	});

	test('is cut by the dates of its rows first, into pieces of eight, and then evenly', async () => {
		const rows = ROWS.map(({ id, date }) => ({ id, date: Math.floor(date ** 2 / 400) }));
		const { reader, asked } = start({ 359: failure('no response') }, {}, rows);
		await rowsOf(reader);

		const after = asked.slice(asked.indexOf(359) + 1);
		// Its rows are two milliseconds apart; then evenly, because each piece has few.
		expect(after).toEqual([359, 374, 390, 359, 362, 365, 368, 371]);
	});

	test('joins the gap before it only when they meet', async () => {
		const errors = [40, 120, 121, 320].map((from) => [from, failure(`at ${from}`)] as const);
		const { gaps } = await gapsAfter(Object.fromEntries(errors));

		expect(gaps).toEqual([
			[40, 41, 'at 40'],
			[120, 123, 'at 120'],
			[320, 321, 'at 320'],
		]);
	});

	test('does not end the export even if every other one fails', async () => {
		const plan: Plan = {};
		for (const from of [0, 80, 160, 240, 320]) plan[from] = failure(`at ${from}`);
		const { gaps, asked } = await gapsAfter(plan);

		expect(asked).toHaveLength(10 + 5 * (5 + 5));
		expect(gaps.map(([from]) => from)).toEqual([0, 80, 160, 240, 320]);
	});

	test('ends the requests when it is the tenth in a row: the rest is one gap', async () => {
		const { gaps, asked } = await gapsAfter(
			Object.fromEntries(ROWS.map(({ date }) => [date, failure('down')])),
		);

		expect(asked.length).toBeLessThanOrEqual(12);
		expect(gaps).toEqual([[0, 400, 'down']]);
	});

	test.each([
		['a mistake of ours', new TypeError('not a function')],
		['a cancelled execution', new Error('stopped')],
	])('fails the export when the error is %s, not the service’s', async (_what, error) => {
		await expect(gapsAfter({ 80: error })).rejects.toBe(error);
	});

	test('fails the export unless what was read may be output', async () => {
		const error = failure('no response');

		await expect(gapsAfter({ 80: error }, { keepsGoing: false })).rejects.toBe(error);
	});
});
