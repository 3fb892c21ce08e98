import * as fc from 'fast-check';
import { RequestError } from '../../../../nodes/shared/http/response';
import type { Direction } from '../../../../nodes/shared/reading/walk';
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

/** A list whose rows are where a function of their index puts them. */
function placed(given: Partial<Given>, place: (index: number) => number, scale = 1) {
	const list = new ChangingList(given);
	for (const [index, row] of list.rows.entries())
		row.date = list.range.from + Math.floor(place(index) * scale);
	return list;
}

const styles = fc.constantFrom(...Object.values(DATE_STYLES)).map((write) => ({ write }));

describe('a list that does not change', () => {
	// D1-EXP-02
	test('is read in the service’s order, in as many requests as pages, or a fourth more if no row has a time', async () => {
		const odd = fc.oneof(fc.constantFrom({}, { withoutTime: 1 }), styles);
		const size = fc.oneof(ANY.size, fc.constantFrom(1000, 5000));
		await expectForAll({ size, order: ANY.order, concurrency: ANY.concurrency, odd }, async (given) => {
			const { list, serials, report } = await read(given);
			const pages = pagesOf(given.size!);
			expect(serials).toEqual([...list.rows].sort(given.order).map(({ serial }) => serial));
			expect(report).toMatchObject({ requests: list.requests, isComplete: true, total: given.size });
			if (given.odd!.withoutTime)
				expect(list.requests).toBeLessThanOrEqual(Math.max(pages + 1, 1.25 * pages));
			else expect([list.requests, report.pages]).toEqual([Math.max(1, pages), pages]);
		});
	});

	test('gives the first rows by date in any order of the service, however it writes dates, ties included', async () => {
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

	test('can come as one page of 200,000 rows', async () => {
		const rows = Array.from({ length: 200_000 }, (_, n) => ({ serial: n, date: '2026-03-01T00:00:00Z' }));
		const fetchPage = async () =>
			await Promise.resolve({ at: 0, read: () => ({ lists: [{ total: rows.length, rows }], pages: 1 }) });
		for (const wanted of [undefined, 200_000])
			expect((await read({ fetchPage, wanted })).rows).toHaveLength(200_000);
	});

	test('says what is left when the consumer stops', async () => {
		const { size, wanted, direction } = { ...ANY, wanted: fc.integer({ min: 1, max: 300 }) };
		await expectForAll({ size, wanted, direction }, async (given) => {
			const { list, rows, report } = await read(given);
			const [near, far] =
				given.direction === 'newestFirst' ? (['to', 'from'] as const) : (['from', 'to'] as const);
			expect(report.isComplete).toBe(report.rest === undefined);
			if (report.rest === undefined) return;
			expect(report.rest[far]).toBe(list.range[far]);
			expect(sign(given.direction!) * (report.rest[near] - rows.at(-1)!.date)).toBeGreaterThanOrEqual(0);
			expect((await read({ range: report.rest, wanted: Infinity }, list)).report.rest).toBeUndefined();
		});
	});

	test('gives a row without an ID on the bound of two slices once', async () => {
		const given: Partial<Given> = { size: 3000, span: 300, odd: { withoutId: 1 } };
		const list = placed(given, (index) => index / 10);
		const { isOnce } = await read({ ...given, wanted: Infinity, direction: 'oldestFirst' }, list);
		expect(isOnce).toBe(true);
	});
});

/** Many lists, of 1000 rows unless set, that are read alike; all rows in the service's order unless some are wanted. */
interface Load extends Partial<Omit<Given, 'wanted' | 'faults'>> {
	wanted?: number[];
	/** Of the week that the rows are in: how short it is. */
	scale?: number;
	/** One request in so many fails. */
	faults?: number;
}

const everyNth = (n: number) => new Set(Array.from({ length: 1000 }, (_, index) => n * (index + 1)));

/** Where rows are: anywhere, in office hours, in batches of a second, in the first hour of a week, and in its last. */
const PLACES: Array<(index: number) => number> = [
	(n) => random(n) * 7 * DAY,
	(n) => Math.floor(random(n) * 5) * DAY + 9 * HOUR + random(n, 2) * 8 * HOUR,
	(n) => random(n % 30) * 6 * DAY + random(n, 2) * 1000,
	(n) => HOUR + random(n) * HOUR,
	(n) => 7 * DAY - random(n) * HOUR,
];

test.each<[which: string, most: number, Load]>([
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
	['rows of which some cannot be read', 1957, { odd: { unreadable: 400 } }],
	['rows when one request in nine fails', 6352, { wanted: [300, Infinity], faults: 9 }],
])('many lists have their %s in at most %i requests together', async (_which, most, load) => {
	const { wanted: wantedOnes = [undefined], scale = 1, faults, ...given } = load;
	const directions: Direction[] = load.wanted ? ['newestFirst', 'oldestFirst'] : ['oldestFirst'];
	let requests = 0;
	let lost = 0;
	for (const place of PLACES)
		for (const order of Object.values(ORDERS))
			for (const direction of directions)
				for (const wanted of wantedOnes) {
					const one: Partial<Given> = { size: 1000, ...given, order, span: 7 * DAY * scale };
					const list = placed({ ...one, faults: faults ? everyNth(faults) : new Set() }, place, scale);
					const { rows } = await read({ wanted, direction, continueOnError: true }, list);
					requests += list.requests;
					const isSorted = load.wanted && !load.odd && !load.faults;
					if (isSorted) expect(datesOf(rows)).toEqual(byDate(list, direction).slice(0, rows.length));
					lost += Math.min(wanted ?? Infinity, list.rows.length) - rows.length;
				}
	expect(requests).toBeLessThanOrEqual(most);
	// Of two rows that cannot be read in each list, some 15 rows around them.
	expect(lost).toBeLessThanOrEqual(load.odd?.unreadable && !load.wanted ? 400 : 0);
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
		expect(list.requests).toBeLessThanOrEqual(4 * pagesOf(list.longest, Math.min(50, list.odd.cap)) + 120);
		const isPlain = Object.keys(odd).length === 0;
		if (outcome instanceof Error) {
			expect(outcome.message).toMatch(/^request \d+ failed$/);
			const numbers = Array.from({ length: list.requests }, (_, index) => index + 1);
			const wasRead = numbers.some((request) => !faults.has(request));
			if (given.continueOnError && isPlain) expect(wasRead).toBe(false);
			return;
		}
		const { report, rows, missing, isOnce, serials } = outcome;
		expect(isOnce).toBe(true);
		const isPaged = report.paged === 'unsettled' || report.unlisted > 0;
		const isCalm = isPlain && faults.size === 0;
		if (isCalm) expect(report.gaps).toEqual([]);
		if (isPlain) expect(report.unlisted).toBeLessThanOrEqual(changes.length);
		const isInGap = ({ date }: Row) => report.gaps.some(({ from, to }) => date >= from && date <= to);
		const unnamed = missing.filter((row) => !isInGap(row));
		const { counting, ignoresPage, rounded, withoutDate } = list.odd;
		const denies = ignoresPage || (typeof counting === 'object' && 'max' in counting);
		if (rows.length < wanted) {
			if (isCalm && changes.length === 0) expect(report.isComplete).toBe(true);
			if (!isPaged && !list.hidesRowsAfter(rows.length)) expect(unnamed).toEqual([]);
			if (!denies) expect(unnamed.length).toBeLessThanOrEqual(changes.length);
			const isDown = [...faults].some((fault) =>
				Array.from({ length: 10 }, (_, n) => fault + n).every((n) => faults.has(n)),
			);
			// Rows of one millisecond are lost together.
			if (isPlain && !isDown && given.span! > 300)
				expect(missing.length).toBeLessThanOrEqual(50 * faults.size);
		} else if (isPlain || (!isPaged && !denies && rounded === 1 && withoutDate === 0)) {
			const isBefore = (a: Row, b: Row) => sign(direction!) * (a.date - b.date) <= 0;
			const isFirst = (row: Row) => list.ever.filter((other) => isBefore(other, row)).length <= wanted;
			const first = list.stayed().filter((row) => isFirst(row) && !isInGap(row));
			expect(serials).toEqual(expect.arrayContaining(first.map(({ serial }) => serial)));
		}
	}

	test('whatever else changes: each row that existed throughout comes once', async () => {
		await expectForAll(changing, expectExactOrNamed);
	}, 60_000);

	test('whatever requests fail: only rows of the gaps are missing, fifty for each request', async () => {
		await expectForAll({ ...changing, faults: ANY.faults }, expectExactOrNamed);
	}, 60_000);

	test('of any service', async () => {
		await expectForAll({ ...changing, faults: ANY.faults, odd: ANY.odd }, expectExactOrNamed, [
			// The only page of the pass fails, so that nothing has shown how many rows a page holds.
			{
				...{ size: 50, order: ORDERS.oldestFirst, faults: new Set([3]), concurrency: 1, wanted: 50 },
				...{ odd: { cap: 49, counting: { max: 30 } }, continueOnError: true, direction: 'newestFirst' },
			},
			// The page that fails would have shown that there are more rows.
			{
				...{ size: 100, wanted: 100, continueOnError: true, direction: 'newestFirst' },
				odd: { cap: 31, counting: { max: 30 }, unreadable: 100 },
			},
		]);
	}, 60_000);
});

describe('a list that changes while it is read', () => {
	test('is read again where pages shifted although no total, no count of rows and no time shows it', async () => {
		const swaps = (beforeRequest: number, count: number, at: number, to: number) =>
			Array.from({ length: count }, (): Change => ({ beforeRequest, kind: 'swap', at, to }));
		const given: Partial<Given> = {
			...{ size: 400, order: ORDERS.oldestFirst, concurrency: 1, odd: { withoutTime: 1 } },
			// Page 3 shows two rows of page 2, and one is lost between them; page 5 then shows two rows more of page 4.
			changes: [...swaps(3, 3, 0, 0.999), ...swaps(5, 2, 0.98, 0)],
		};
		const list = placed(given, (index) => (index + 1) * 60_000);
		const { missing, report } = await read(given, list);
		expect([missing, report.isComplete]).toEqual([[], true]);
	});

	test('is read in pages where more than 50 rows share a millisecond, and says whether they kept changing', async () => {
		const given: Partial<Given> = { size: 180, changes: ONCE, span: 2 };
		const { report, missing, isOnce } = await read(given);
		expect([report.paged, missing, isOnce]).toEqual(['settled', [], true]);
		const three = new ChangingList({ size: 60, changes: ONCE, span: 3 });
		const range = { from: three.range.from, to: three.range.from + 2 };
		expect((await read({ range }, three)).report.paged).toBeUndefined();
		const changes = Array.from({ length: 200 }, (_, index): Change => {
			return { beforeRequest: index + 2, kind: 'swap', at: 0.5, to: 0.2 };
		});
		const other = await read({ ...given, changes });
		expect(other.report).toMatchObject({ paged: 'unsettled', unlisted: 0, isComplete: false });
	});
});

describe('a service that is odd', () => {
	test.each<[string, Given['odd'], unlisted?: number]>([
		['sends at most 25 rows in a page', { cap: 25 }],
		['sends at most 25, but skips as many as asked for', { cap: 25, skipsAsked: true }],
		['counts at most 100 rows and all pages', { counting: { max: 100 } }],
		['counts at most 50 rows and all pages', { counting: { max: 50 } }],
		['counts at most 30 rows, fewer than a page has, and all pages', { counting: { max: 30 } }],
		['rounds dates to the minute', { rounded: 60_000 }],
		['selects by whole minutes', { unit: 60_000 }],
		['sends no dates', { withoutDate: 1 }],
	])('and %s gives all rows, and the newest first, even if the list changes', async (_what, odd) => {
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

	test.each<[string, number, Partial<Given>, object]>([
		['selects by whole days', 76, { size: 180, span: HOUR, odd: { unit: DAY } }, { isComplete: true }],
		['selects by minutes', 76, { size: 180, span: HOUR, odd: { unit: 60_000 } }, { isComplete: true }],
		[
			'counts one row more, by rounded dates',
			20,
			{ span: 300, odd: { counting: { more: 1 }, rounded: 1000 } },
			{},
		],
		['counts one page more', 120, { size: 180, odd: { counting: 'onePageMore' } }, { isComplete: false }],
		[
			'counts three rows more',
			9,
			{ size: 40, odd: { counting: { more: 3 } } },
			{ unlisted: 3, isComplete: false },
		],
		['counts one more in each slice', 40, { size: 180, odd: { counting: { more: 1 } } }, { unlisted: 5 }],
		['counts three more', 2, { size: 40, odd: { counting: { more: 3 } }, wanted: 50 }, { unlisted: 3 }],
		[
			'has all rows that are wanted',
			8,
			{ size: 310, order: ORDERS.byId, wanted: 1000 },
			{ isComplete: true },
		],
	])('and %s is read in at most %i requests, and the report is right', async (_what, most, given, report) => {
		const changes: Change[] = given.odd?.unit ? [{ beforeRequest: 3, kind: 'swap', at: 0.1, to: 0.5 }] : [];
		const found = await read({ size: 99, order: ORDERS.newestFirst, changes, ...given });
		expect([found.missing, found.isOnce]).toEqual([[], true]);
		expect(found.report).toMatchObject(report);
		expect(found.list.requests).toBeLessThanOrEqual(most);
	});
});

describe('a request that fails', () => {
	const continueOnError = true;

	test('is the first one and the reading continues: five slices, and five of the first, give everything', async () => {
		const faults = new Set([1, 2]);
		const { list, report, missing } = await read({ size: 180, faults, continueOnError });
		expect([missing, list.requests, report.isComplete]).toEqual([[], 1 + 5 + 5, true]);
	});

	test('is the first one, and a later slice shows that pages are shorter than the first slice could', async () => {
		const given: Partial<Given> = { size: 180, faults: new Set([1]), odd: { cap: 25 } };
		const list = placed(given, (n) => (n < 5 ? n * HOUR : 9 * DAY + n * 60_000));
		const { missing, report } = await read({ continueOnError }, list);
		expect([missing, report.isComplete]).toEqual([[], true]);
	});

	test('is the first one: the newest rows are still the newest', async () => {
		const { list, rows } = await read({ size: 1000, wanted: 50, faults: new Set([1]), continueOnError });
		expect(datesOf(rows)).toEqual(byDate(list).slice(0, 50));
	});

	test('costs few rows beside the unreadable one, although many were recorded within an hour', async () => {
		const given: Partial<Given> = { size: 400, order: ORDERS.newestFirst, odd: { unreadable: 300 } };
		const list = new ChangingList(given);
		for (const row of list.rows) row.date = list.range.from + ((row.date - list.range.from) % HOUR);
		// A row of a later page, so that the dates of others are known.
		list.rows[299].date = list.range.from + HOUR / 2;
		const { report, missing } = await read({ continueOnError }, list);
		expect(missing.length).toBeLessThanOrEqual(20);
		expect(report).toMatchObject({ gaps: [{ error: expect.any(RequestError) }], isComplete: false });
		const dates = datesOf((await read({ continueOnError, wanted: 300 }, list)).rows);
		expect(dates).toEqual([...dates].sort((a, b) => b - a));
	});

	test('leaves a gap for each of two unreadable rows, and for the pages of a millisecond', async () => {
		const far = await read({
			size: 400,
			order: ORDERS.newestFirst,
			odd: { unreadable: 150 },
			continueOnError,
		});
		expect(far.report).toMatchObject({ gaps: [{}, {}], unlisted: 0 });
		expect(far.list.requests).toBeLessThanOrEqual(40);
		const near = await read({ size: 180, span: 2, faults: new Set([3, 5]), continueOnError });
		expect(near.report.gaps).toHaveLength(1);
	});

	test('is every one: the reading fails with the first', async () => {
		for (const wanted of [undefined, 50]) {
			const reading = read({ size: 400, odd: { unreadable: 1 }, wanted, continueOnError });
			await expect(reading).rejects.toThrow('request 1 failed');
		}
	});

	test('is the tenth in a row: nothing more is asked, and the rest is one gap', async () => {
		const faults = new Set(Array.from({ length: 200 }, (_, n) => n + 41));
		const { list, report, rows, missing } = await read({
			size: 4000,
			faults,
			continueOnError,
			concurrency: 1,
		});
		expect(rows).toHaveLength(2000);
		// One more is requested before the tenth was read.
		expect(list.requests).toBe(40 + 10 + 1);
		expect(report).toMatchObject({ gaps: [{}], unlisted: 0 });
		const [{ from, to }] = report.gaps;
		expect(missing.filter(({ date }) => date < from || date > to)).toEqual([]);
	});

	test.each([
		[undefined, 2400],
		[Infinity, 2800],
	])(
		'is one in four, eleven in all and more: most rows are read, and only gaps lack some',
		async (wanted, least) => {
			const given = { size: 3000, faults: everyNth(4), continueOnError, wanted };
			const { rows, missing, report } = await read(given);
			expect(rows.length).toBeGreaterThanOrEqual(least);
			const isInGap = ({ date }: Row) => report.gaps.some(({ from, to }) => date >= from && date <= to);
			expect(missing.filter((row) => !isInGap(row))).toEqual([]);
		},
	);

	test('fails the reading when the error is a mistake of ours', async () => {
		const list = new ChangingList({ size: 300 });
		const fetchPage: Given['fetchPage'] = async (query) => {
			if (query.page > 1) throw new TypeError('a mistake of ours');
			return await list.fetchPage(query);
		};
		await expect(read({ continueOnError, fetchPage }, list)).rejects.toThrow('a mistake of ours');
	});
});
