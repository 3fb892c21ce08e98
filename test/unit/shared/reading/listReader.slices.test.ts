import { NodeApiError, type INode } from 'n8n-workflow';
import { ListReader, type FetchPage, type ListReaderOptions } from '../../../../nodes/shared/reading';

interface Row {
	id?: string;
	date: number;
}

const NODE: INode = { id: '', name: 'List', type: '', typeVersion: 1, position: [0, 0], parameters: {} };
const RANGE = { from: 0, to: 400 };
/** One row a millisecond, so that a stretch is 40 ms long. */
const ROWS: Row[] = Array.from({ length: 400 }, (_, date) => ({ id: `r${date}`, date }));
const STARTS = [0, 40, 80, 120, 160, 200, 240, 280, 320, 360];

/** What happens to the request for the stretch that begins at a time: an error, or rows that it counts besides. */
type Plan = Record<number, Error | number | Promise<Error | number>>;

const failure = (message: string) => new NodeApiError(NODE, { message });

/**
 * Reads 400 rows: the fast pass finds nothing wrong but its first total, so the range is read again in ten stretches.
 * The fast pass outputs only the rows of `known`, so that the stretches have rows to output.
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
			return { lists: [{ total, rows: () => known.slice(first, first + limit) }], at: 1e12 };
		}
		asked.push(from);
		const planned = await plan[from];
		if (planned instanceof Error) throw planned;
		const selected = rows.filter(({ date }) => date >= from && date <= to);
		const lists = [
			{ total: selected.length + (planned ?? 0), rows: () => selected.slice(first, first + limit) },
		];
		return { lists, at: 1e12 };
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

function promised<Value>() {
	let resolve: (value: Value) => void = () => undefined;
	const promise = new Promise<Value>((done) => (resolve = done));
	return { promise, resolve };
}

/** Waits until the stretch from this time is asked for. A reader that never asks for it fails the test. */
async function untilAsked(asked: number[], from: number): Promise<void> {
	for (let turn = 0; turn < 1000 && !asked.includes(from); turn++) await Promise.resolve();
	expect(asked).toContain(from);
}

describe('Reading again in stretches', () => {
	test('asks for each stretch once, counts every request, and outputs each row once', async () => {
		const { reader, asked, requests } = start({});

		expect(await rowsOf(reader)).toEqual(ROWS);
		expect(asked).toEqual(STARTS);
		expect(reader).toMatchObject({ requests: 8 + 10, rows: 400, isReread: true, unlisted: 0, gaps: [] });
		expect(reader.requests).toBe(requests());
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

	test('asks for no further stretch once a limit is filled, beyond the two already started', async () => {
		const known = ROWS.filter(({ date }) => date < 1 || date > 5);
		const { reader, asked } = start({}, { maxRows: 398 }, ROWS, known);

		expect(await rowsOf(reader)).toEqual([...known, ...ROWS.slice(1, 4)]);
		expect(asked).toEqual([0, 45, 85]);
	});
});

describe('A millisecond with more than 50 rows', () => {
	/** 60 rows at each of two times; the service's total for one of them may be wrong in every reading. */
	const pagedAfter = async (...wrong: number[]) => {
		const rows = [...ROWS, ...crowd(100), ...crowd(300)];
		const plan: Plan = Object.fromEntries(wrong.map((date) => [date, 1]));
		const { reader } = start(plan, {}, rows);
		await rowsOf(reader);
		return reader.paged;
	};
	const crowd = (date: number) => Array.from({ length: 60 }, (_, n) => ({ id: `crowd${date}-${n}`, date }));

	test.each([
		['settled when all of them are', [], 'settled'],
		['unsettled when the first one kept changing', [100], 'unsettled'],
		['unsettled when the last one kept changing', [300], 'unsettled'],
	])('makes the list %s', async (_what, wrong, paged) => {
		expect(await pagedAfter(...wrong)).toBe(paged);
	});
});

describe('A stretch that fails', () => {
	const gapsAfter = async (plan: Plan, options?: Partial<ListReaderOptions<Row>>) => {
		const { reader, asked, requests } = start(plan, options);
		await rowsOf(reader);
		const gaps = reader.gaps.map(({ from, to, error }) => [from, to, error.message]);
		return { gaps, asked, reader, requests: requests() };
	};

	test('is a gap with its bounds and error, and the others are read', async () => {
		const error = failure('no answer');
		const { reader, asked, requests } = await gapsAfter({ 80: error });

		expect(reader.gaps).toEqual([{ from: 80, to: 120, error }]);
		expect(asked).toHaveLength(10);
		expect(reader.requests).toBe(requests - 1);
	});

	test('joins the gap before it only when they meet', async () => {
		const apart = await gapsAfter({ 40: failure('one'), 120: failure('two'), 320: failure('three') });
		expect(apart.gaps).toEqual([
			[40, 80, 'one'],
			[120, 160, 'two'],
			[320, 360, 'three'],
		]);

		const joined = await gapsAfter({ 40: failure('one'), 160: failure('two'), 200: 0 });
		expect(joined.gaps).toHaveLength(2);
	});

	test('does not end the export even if every other one fails', async () => {
		const plan: Plan = {};
		for (const from of [0, 80, 160, 240, 320]) plan[from] = failure(`at ${from}`);
		const { gaps, asked } = await gapsAfter(plan);

		expect(asked).toHaveLength(10);
		expect(gaps.map(([from]) => from)).toEqual([0, 80, 160, 240, 320]);
	});

	test('ends the requests when it is the second in a row: the rest is one gap', async () => {
		const { gaps, asked } = await gapsAfter({
			40: failure('one'),
			120: failure('two'),
			160: failure('three'),
		});

		expect(asked).toEqual([0, 40, 80, 120, 160]);
		expect(gaps).toEqual([
			[40, 80, 'one'],
			[120, 400, 'two'],
		]);
	});

	test('comes in the order of time among the gaps, whichever failed first', async () => {
		const late = promised<Error>();
		const last = promised<number>();
		const { reader, asked } = start(
			{ 0: late.promise, 40: failure('second'), 80: last.promise },
			{ concurrency: () => 3 },
		);
		const reading = rowsOf(reader);
		await untilAsked(asked, 120);
		last.resolve(0);
		await untilAsked(asked, 160);
		late.resolve(failure('first'));
		await reading;

		expect(reader.gaps.map(({ from, to, error }) => [from, to, error.message])).toEqual([[0, 80, 'first']]);
	});

	test('passes the latest error on to those not asked for any more', async () => {
		const [third, fourth] = [promised<Error>(), promised<Error>()];
		const { reader, asked } = start(
			{ 0: failure('first'), 80: third.promise, 120: fourth.promise },
			{ concurrency: () => 3 },
		);
		const reading = rowsOf(reader);
		await untilAsked(asked, 200);
		third.resolve(failure('third'));
		fourth.resolve(failure('fourth'));
		await reading;

		expect(reader.gaps.map(({ from, error }) => [from, error.message])).toContainEqual([0, 'first']);
		expect(reader.gaps.at(-1)).toMatchObject({ to: 400, error: { message: 'fourth' } });
	});

	test.each([
		['a mistake of ours', new TypeError('not a function')],
		['a cancelled execution', new Error('stopped')],
	])('fails the export when the error is %s, not the service’s', async (_what, error) => {
		await expect(gapsAfter({ 80: error })).rejects.toBe(error);
	});

	test('fails the export unless what was read may be output', async () => {
		const error = failure('no answer');

		await expect(gapsAfter({ 80: error }, { keepsGoing: false })).rejects.toBe(error);
	});
});
