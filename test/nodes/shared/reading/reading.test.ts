import * as fc from 'fast-check';
import type { Direction } from '../../../../nodes/shared/reading/walk';
import { RequestError } from '../../../../nodes/shared/http/requestErrors';
import { DATE_STYLES } from '../../../support/dateStyles';
import { ANY, ChangingList, ORDERS, read, type Change, type Given, type Row } from './changingList';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const ONCE: Change[] = [{ beforeRequest: 2, kind: 'remove', at: 0.1, to: 0 }];

const sign = (direction: Direction) => (direction === 'newestFirst' ? -1 : 1);
const datesOf = (rows: Array<Pick<Row, 'date'>>) => rows.map(({ date }) => date);
const byDate = (list: ChangingList, direction: Direction = 'newestFirst') =>
	datesOf(list.rows).sort((a, b) => sign(direction) * (a - b));
const pagesOf = (rows: number, cap = 50) => Math.ceil(rows / cap);

type Drawn = { [Key in keyof Given]?: fc.Arbitrary<Given[Key]> };

/** A property of lists that are drawn. */
async function expectForAll(
	drawn: Drawn,
	check: (given: Partial<Given>) => Promise<void>,
	examples: Array<Partial<Given>> = [],
) {
	const property = fc.asyncProperty(fc.record(drawn), check as (given: object) => Promise<void>);
	await fc.assert(property, { examples: examples.map((given) => [given]) });
}

const random = (index: number, salt = 1) => Math.abs(Math.sin(index * 12.9898 + salt) * 43_758.5453) % 1;

const styles = fc.constantFrom(...Object.values(DATE_STYLES)).map((write) => ({ write }));

describe('a list that does not change', () => {
	// D1-EXP-02
	test('is read in the service’s order, with a request for each page, or three if no row has a time', async () => {
		const odd = fc.oneof(fc.constantFrom({}, { withoutTime: 1 }), styles);
		const size = fc.oneof(ANY.size, fc.constantFrom(1000, 5000));
		await expectForAll({ size, order: ANY.order, concurrency: ANY.concurrency, odd }, async (given) => {
			const { list, serials, report } = await read(given);
			const pages = pagesOf(given.size!);
			expect(serials).toEqual([...list.rows].sort(given.order).map(({ serial }) => serial));
			expect(report).toMatchObject({ requests: list.requests, isComplete: true, total: given.size });
			if (given.odd!.withoutTime) expect(list.requests).toBeLessThanOrEqual(3 * pages + 1);
			else expect([list.requests, report.pages]).toEqual([Math.max(1, pages), pages]);
		});
	});

	test('gives the first rows by date in any order of the service, however it writes dates', async () => {
		const { size, order, wanted, direction, span } = ANY;
		await expectForAll({ size, order, wanted, direction, span, odd: styles }, async (given) => {
			const { list, rows, report, isOnce } = await read(given);
			expect(datesOf(rows)).toEqual(byDate(list, given.direction).slice(0, given.wanted));
			expect(isOnce).toBe(true);
			expect(report).toMatchObject({ total: given.size, requests: list.requests, isUndated: false });
			expect(list.requests).toBeLessThanOrEqual(4 * pagesOf(given.size!) + 100);
			expect(report.pages).toBeGreaterThanOrEqual(Math.min(1, rows.length));
			expect(report.pages).toBeLessThanOrEqual(Math.min(list.requests, given.size!));
		});
	});

	test('gives rows without a date last in their slice, says so, and no older row in place of a newer one', async () => {
		const odd = fc.constantFrom(1, 3, 40).map((withoutDate) => ({ withoutDate }));
		await expectForAll({ size: ANY.size, order: ANY.order, wanted: ANY.wanted, odd }, async (given) => {
			const { list, rows, report } = await read(given);
			const [wanted, one] = [given.wanted!, given.odd!.withoutDate!];
			expect(rows).toHaveLength(Math.min(given.size!, wanted));
			const dated = datesOf(rows).filter((date) => !Number.isNaN(date));
			const all = datesOf(list.rows.filter(({ serial }) => serial % one !== one - 1)).sort((a, b) => b - a);
			// One response holds them all.
			if (given.size! <= 50) expect(dated).toHaveLength(Math.min(wanted, all.length));
			expect(dated).toEqual(all.slice(0, dated.length));
			if (dated.length < rows.length) expect(report.isUndated).toBe(true);
		});
	});

	test('can come as one page of 200,000 rows without an ID', async () => {
		const rows = Array.from({ length: 200_000 }, (_, n) => ({ n, date: '2026-03-01T00:00:00Z' }));
		const page = { lists: [{ total: rows.length, rows }], pages: 1, limit: 50, surplus: 0 };
		const fetchPage = async () =>
			await Promise.resolve({ at: 0, read: async () => await Promise.resolve(page) });
		for (const wanted of [undefined, 200_000])
			expect((await read({ fetchPage, wanted })).rows).toHaveLength(200_000);
	});
});

/** Many lists, of 1000 rows unless set, that are read alike; all rows in the service's order unless some are wanted. */
interface Load extends Partial<Omit<Given, 'wanted' | 'faults'>> {
	wanted?: Array<number | undefined>;
	/** Of the week that the rows are in: how short it is. */
	scale?: number;
	/** One request in so many fails. */
	faults?: number;
}

const numbers = (count: number, first: number) => Array.from({ length: count }, (_, index) => first + index);

/** Where rows are: anywhere, in office hours, in batches of a second, in the first hour of a week, and in its last. */
const PLACES: Array<(index: number) => number> = [
	(n) => random(n) * 7 * DAY,
	(n) => Math.floor(random(n) * 5) * DAY + 9 * HOUR + random(n, 2) * 8 * HOUR,
	(n) => random(n % 30) * 6 * DAY + random(n, 2) * 1000,
	(n) => HOUR + random(n) * HOUR,
	(n) => 7 * DAY - random(n) * HOUR,
];

// Each number of requests was measured: a single one more fails. Lower it when a reading needs fewer.
test.each<[which: string, most: number, Load, lost?: number]>([
	['first rows', 1257, { wanted: [20, 300] }],
	['first rows of 10,000', 2183, { wanted: [10, 50, 500], size: 10_000 }],
	['first rows of a service that sends 25 in a page', 2593, { wanted: [20, 300], odd: { cap: 25 } }],
	['first rows whose dates are rounded', 4306, { wanted: [20, 300], odd: { rounded: HOUR } }],
	['first rows, one in forty without a date', 1468, { wanted: [20, 300], odd: { withoutDate: 40 } }],
	['first rows, none with a date', 2292, { wanted: [20, 300], odd: { withoutDate: 1 } }],
	['first rows of many in a millisecond', 1701, { wanted: [20, 300], scale: 1e-6 }],
	['first rows, nearly all', 6790, { wanted: [800, 1050, 1200] }],
	['first rows of which some cannot be read', 1415, { wanted: [20, 300], odd: { unreadable: 400 } }],
	['rows, 25 in a page', 1200, { odd: { cap: 25, skipsAsked: true } }],
	['rows that changed', 1350, { changes: ONCE }],
	['rows that changed, 25 in a page', 2700, { changes: ONCE, odd: { cap: 25 } }],
	['rows that changed, many in a millisecond', 2241, { changes: ONCE, scale: 1e-6 }],
	// Of two rows that cannot be read in each list, some 15 rows around them.
	['rows of which some cannot be read', 1957, { odd: { unreadable: 400 } }, 400],
	['rows when one request in nine fails', 6352, { wanted: [300, Infinity], faults: 9 }],
	['rows when one request in four fails', 14_650, { wanted: [undefined, Infinity], faults: 4 }, 10_404],
])('many lists have their %s in at most %i requests together', async (_which, most, load, mostLost = 0) => {
	const { wanted: wantedOnes = [undefined], scale = 1, faults = Infinity, ...given } = load;
	const directions: Direction[] = load.wanted ? ['newestFirst', 'oldestFirst'] : ['oldestFirst'];
	let requests = 0;
	let lost = 0;
	for (const place of PLACES)
		for (const order of Object.values(ORDERS))
			for (const direction of directions)
				for (const wanted of wantedOnes) {
					const { list, rows } = await read({
						...{ size: 1000, ...given, order, direction, wanted, span: 7 * DAY * scale },
						...{
							place: (n) => place(n) * scale,
							faults: new Set(numbers(1000, 1).map((n) => n * faults)),
							continueOnError: true,
						},
					});
					requests += list.requests;
					const isSorted = wanted !== undefined && !load.odd && !load.faults;
					if (isSorted) expect(datesOf(rows)).toEqual(byDate(list, direction).slice(0, wanted));
					lost += Math.min(wanted ?? Infinity, list.rows.length) - rows.length;
				}
	expect(requests).toBeLessThanOrEqual(most);
	expect(lost).toBeLessThanOrEqual(mostLost);
});

describe('a list that is exact, or whose report names what is missing', () => {
	const { size, order, changes, span, concurrency, continueOnError, direction } = ANY;
	const wanted = fc.option(ANY.wanted, { nil: undefined });
	const changing = { size, order, changes, span, concurrency, continueOnError, direction, wanted };

	/** What may be missing is at most what the faults hit: rows of failed pages, and those that moved meanwhile. */
	async function expectExactOrNamed(given: Partial<Given>): Promise<void> {
		const { faults = new Set(), odd = {}, changes = [], wanted = Infinity, direction } = given;
		const list = new ChangingList(given);
		const outcome = await read(given, list).catch((error: Error) => error);
		// Every row is on a page, however the service counts.
		const most = 4 * pagesOf(list.longest, list.odd.status ? list.shortest : list.odd.cap) + 120;
		// What fails is asked for in five shorter slices or pages.
		expect(list.requests).toBeLessThanOrEqual(most + 5 * list.failed);
		const isPlain = Object.keys(odd).length === 0;
		if (outcome instanceof Error) {
			expect(outcome.message).toMatch(/^request \d+ failed$/);
			const wasRead = numbers(list.requests, 1).some((request) => !faults.has(request));
			if (given.continueOnError && isPlain) expect(wasRead).toBe(false);
			return;
		}
		const { report, rows, missing, unnamed, isOnce } = outcome;
		expect(isOnce).toBe(true);
		const isPaged = report.paged === 'unsettled' || report.unlisted > 0;
		const isCalm = isPlain && faults.size === 0;
		if (isCalm) expect(report.gaps).toEqual([]);
		if (isPlain) expect(report.unlisted).toBeLessThanOrEqual(changes.length);
		const { counting, ignoresPage, rounded, withoutDate } = list.odd;
		const denies = ignoresPage || (typeof counting === 'object' && 'max' in counting);
		if (rows.length < wanted) {
			if (isCalm && changes.length === 0) expect(report.isComplete).toBe(true);
			if (!isPaged && !list.hidesRowsAfter(rows.length)) expect(unnamed).toEqual([]);
			// An odd service is at least said to have more.
			const more = isPlain ? 0 : report.paged === 'unsettled' ? Infinity : report.unlisted;
			if (!denies) expect(unnamed.length).toBeLessThanOrEqual(changes.length + more);
			const isDown = [...faults].some((fault) => numbers(10, fault).every((n) => faults.has(n)));
			// Rows of one millisecond are lost together.
			if (isPlain && !isDown && given.span! > 300)
				expect(missing.length).toBeLessThanOrEqual(50 * faults.size);
		} else if (isPlain || (!isPaged && !denies && rounded === 1 && withoutDate === 0)) {
			const isBefore = (a: Row, b: Row) => sign(direction!) * (a.date - b.date) <= 0;
			const isFirst = (row: Row) => list.ever.filter((other) => isBefore(other, row)).length <= wanted;
			expect(unnamed.filter(isFirst)).toEqual([]);
		}
	}

	const UNREAD: Array<Partial<Given>> = [
		// The only page of the pass fails, so that nothing has shown how many rows a page holds.
		{ size: 50, order: ORDERS.oldestFirst, odd: { cap: 49, counting: { max: 30 } }, faults: new Set([3]) },
		// The page that fails would have shown that there are more rows.
		{ size: 100, odd: { cap: 31, counting: { max: 30 }, unreadable: 100 } },
		// Pages that are counted but do not exist use up the requests before the last slice is read.
		{
			...{ size: 5, wanted: 100, order: ORDERS.oldestFirst, direction: 'oldestFirst', concurrency: 9 },
			...{ faults: new Set([3, 10, 31]), odd: { cap: 4, counting: { more: 1000 }, unit: 1000, status: 502 } },
		},
	];
	const examples = UNREAD.map((given): Partial<Given> => {
		return { wanted: given.size, continueOnError: true, direction: 'newestFirst', concurrency: 1, ...given };
	});

	test.each<[string, Drawn, examples: Array<Partial<Given>>]>([
		['whatever else changes: each row that existed throughout comes once', {}, []],
		['whatever requests fail: only rows of the gaps are missing, fifty for each', { faults: ANY.faults }, []],
		['of any service', { faults: ANY.faults, odd: ANY.odd }, examples],
	])('%s', async (_what, drawn, examples) => {
		await expectForAll({ ...changing, ...drawn }, expectExactOrNamed, examples);
	});
});

/** From a request on, so many rows are removed, and as many appear elsewhere. */
const swaps = (beforeRequest: number, count: number, at: number, to: number) =>
	Array.from({ length: count }, (): Change => ({ beforeRequest, kind: 'swap', at, to }));

test.each<Given['odd']>([
	{ cap: 25 },
	{ cap: 25, skipsAsked: true },
	{ counting: { max: 100 } },
	{ counting: { max: 50 } },
	// Fewer than a page has.
	{ counting: { max: 30 } },
	{ rounded: 60_000 },
	{ unit: 60_000 },
	{ withoutDate: 1 },
])('a service with %j gives all rows, and the newest first, even if the list changes', async (odd) => {
	for (const changes of [[], ONCE]) {
		const { report, missing, isOnce } = await read({ size: 180, order: ORDERS.newestFirst, changes, odd });
		expect([missing, isOnce, report.isComplete]).toEqual([[], true, true]);
	}
	if (odd.rounded || odd.withoutDate) return;
	for (const size of [40, 180]) {
		const { list, rows } = await read({ size, odd, wanted: 60 });
		expect(datesOf(rows)).toEqual(byDate(list).slice(0, 60));
	}
});

const COMPLETE = { isComplete: true };
const LACKS_3 = { unlisted: 3, isComplete: false };
const FIRST = new Set([1]);
/** Page 3 shows two rows of page 2, and one is lost between them; page 5 then shows two rows more of page 4. */
const SHIFTED: Partial<Given> = {
	...{ size: 400, order: ORDERS.oldestFirst, concurrency: 1, place: (n) => (n + 1) * 60_000 },
	...{ changes: [...swaps(3, 3, 0, 0.999), ...swaps(5, 2, 0.98, 0)], odd: { withoutTime: 1 } },
};
/** A later slice shows that pages are shorter than the first slice could. */
const DENSE: Partial<Given> = { odd: { cap: 25 }, place: (n) => (n < 5 ? n * HOUR : 9 * DAY + n * 60_000) };
const WHOLE_DAYS: Partial<Given> = { span: HOUR, odd: { unit: DAY }, changes: swaps(3, 1, 0.1, 0.5) };
const DOWN: Partial<Given> = { size: 4000, concurrency: 1, faults: new Set(numbers(200, 41)) };

test.each<[string, number, Partial<Given>, report?: object]>([
	['shifts, which no total, no count of rows and no time shows', 22, SHIFTED, COMPLETE],
	['has 180 rows in two milliseconds', 12, { changes: ONCE, span: 2 }, { paged: 'settled', ...COMPLETE }],
	[
		'has 60 rows in three',
		5,
		{ size: 60, changes: ONCE, span: 2, place: (n) => n % 3 },
		{ paged: undefined },
	],
	['is selected by whole days', 70, WHOLE_DAYS, COMPLETE],
	[
		'is counted as one more, by rounded dates',
		9,
		{ span: 300, odd: { counting: { more: 1 }, rounded: 1000 } },
	],
	['is counted as one page more', 76, { odd: { counting: 'onePageMore' } }, { isComplete: false }],
	['is counted as one more in each slice', 9, { odd: { counting: { more: 1 } } }, { unlisted: 5 }],
	['is short, and counted as three more', 3, { size: 40, odd: { counting: { more: 3 } } }, LACKS_3],
	[
		'is counted as what is wanted',
		2,
		{ size: 40, odd: { counting: { more: 3 } }, wanted: 43 },
		{ unlisted: 3 },
	],
	['has all rows that are wanted', 8, { size: 310, order: ORDERS.byId, wanted: 1000 }, COMPLETE],
	// Five slices, and five of the first.
	['fails for two requests', 11, { order: ORDERS.byId, faults: new Set([1, 2]) }, COMPLETE],
	['fails at first', 4, { size: 1000, wanted: 50, faults: FIRST }],
	['fails at first, and has short pages', 19, { ...DENSE, faults: FIRST }, COMPLETE],
	['has two unreadable rows', 36, { size: 400, odd: { unreadable: 150 } }, { gaps: [{}, {}], unlisted: 0 }],
	['has unreadable pages of a millisecond', 8, { span: 2, faults: new Set([3, 5]) }, { gaps: [{}] }],
	// One more is requested before the tenth failure was read.
	['fails for ten requests in a row', 51, DOWN, { requests: 51, rows: 2000, gaps: [{}], unlisted: 0 }],
])(
	'a list that %s is read in %i requests, and the report is right',
	async (_what, most, given, expected = {}) => {
		const all = { size: 180, order: ORDERS.newestFirst, continueOnError: true, ...given };
		const { list, rows, report, unnamed, isOnce } = await read(all);
		expect(isOnce).toBe(true);
		if (given.wanted) expect(datesOf(rows)).toEqual(byDate(list).slice(0, given.wanted));
		else expect(unnamed).toEqual([]);
		expect(report).toMatchObject(expected);
		expect(list.requests).toBeLessThanOrEqual(most);
	},
);

test('a gateway that refuses large responses loses nothing, whatever changes and however it is read', async () => {
	const odd = fc.record({ maxRows: fc.oneof(fc.integer({ min: 1, max: 49 }), fc.constantFrom(10, 20)) });
	const { size, order, changes, direction, span, concurrency } = ANY;
	const wanted = fc.oneof(fc.constant(undefined), ANY.wanted);
	const drawn = { size, order, changes, direction, span, concurrency, wanted, odd };
	await expectForAll(drawn, async (given) => {
		const { list, rows, missing, report, isOnce } = await read(given);
		expect(isOnce).toBe(true);
		if (given.wanted === undefined) expect([missing, report.gaps]).toEqual([[], []]);
		else if (given.changes!.length === 0 && given.odd!.maxRows! >= 10) {
			expect(datesOf(rows)).toEqual(byDate(list, given.direction).slice(0, given.wanted));
		}
	});
});

test('rows of a millisecond that keep changing are named', async () => {
	const changes = Array.from({ length: 200 }, (_, n) => swaps(n + 2, 1, 0.5, 0.2)).flat();
	const { report } = await read({ size: 180, span: 2, changes });
	expect(report).toMatchObject({ paged: 'unsettled', unlisted: 0, isComplete: false });
});

test.each([undefined, 50])(
	'a reading of which every request fails, fails with the first: of %p rows',
	async (wanted) => {
		const reading = read({ size: 400, odd: { unreadable: 1 }, wanted, continueOnError: true });
		await expect(reading).rejects.toThrow('request 1 failed');
	},
);

test('a page that cannot be read in shorter pages either fails with its own error', async () => {
	const list = new ChangingList({ size: 300 });
	const fetchPage: Given['fetchPage'] = async (query) => {
		if (query.limit < 50) throw new RequestError({ code: 'request_failed', message: 'shorter page' });
		if (query.page > 1) throw new RequestError({ code: 'service_failed', message: 'page' }, { status: 502 });
		return await list.fetchPage(query);
	};
	await expect(read({ fetchPage }, list)).rejects.toThrow(/^page$/);
});

test('a mistake of ours ends the reading', async () => {
	const list = new ChangingList({ size: 300 });
	const fetchPage: Given['fetchPage'] = async (query) => {
		if (query.page > 1) throw new TypeError('a mistake of ours');
		return await list.fetchPage(query);
	};
	await expect(read({ continueOnError: true, fetchPage }, list)).rejects.toThrow('a mistake of ours');
});
