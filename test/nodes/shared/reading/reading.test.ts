import * as fc from 'fast-check';
import { RequestError } from '../../../../nodes/shared/http/response';
import type { Direction } from '../../../../nodes/shared/reading/walk';
import { DATE_STYLES } from '../../../support/dateStyles';
import {
	changes,
	ChangingList,
	concurrencies,
	faults as failures,
	oddities,
	ORDERS,
	orders,
	read,
	readFirst,
	sizes,
	spans,
	type Change,
	type Oddities,
	type Row,
} from './changingList';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const ONCE: Change[] = [{ beforeRequest: 2, kind: 'remove', at: 0.1, to: 0 }];

const directions = fc.constantFrom<Direction>('newestFirst', 'oldestFirst');
const limits = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom(1, 50, 51, 100, Infinity));
const sign = (direction: Direction) => (direction === 'newestFirst' ? -1 : 1);
const datesOf = (rows: Array<Pick<Row, 'date'>>) => rows.map(({ date }) => date);
const byDate = (list: ChangingList, direction: Direction = 'newestFirst') =>
	datesOf(list.rows).sort((a, b) => sign(direction) * (a - b));

/** Rows that existed throughout and were not output. */
function missing(list: ChangingList, serials: number[]): number[] {
	const output = new Set(serials);
	return [...list.stayed()].filter((serial) => !output.has(serial));
}

function expectOnce(list: ChangingList, serials: number[]): void {
	expect(new Set(serials).size).toBe(serials.length);
	expect(missing(list, serials)).toEqual([]);
}

/** Many lists, of 1000 rows unless set, that are read alike; all rows in the service's order unless some are wanted. */
interface Load {
	wanted?: number[];
	changes?: Change[];
	odd?: Partial<Oddities>;
	/** Of the week that the rows are in: how short it is. */
	scale?: number;
	/** One request in so many fails. */
	faults?: number;
	size?: number;
}

/** A list whose rows are where a function of their index puts them. */
function placed(
	size: number,
	place: (index: number) => number,
	span = 7 * DAY,
	listed = ORDERS.byId,
	{ changes: drifts = [], odd, scale = 1, faults = Infinity }: Load = {},
) {
	const failing = Array.from({ length: 1000 }, (_, n) => n + 1).filter((n) => n % faults === 0);
	const list = new ChangingList(size, listed, drifts, span * scale, new Set(failing), odd);
	for (const [index, row] of list.rows.entries())
		row.date = list.range.from + Math.floor(place(index) * scale);
	return list;
}

const random = (index: number, salt = 1) => Math.abs(Math.sin(index * 12.9898 + salt) * 43_758.5453) % 1;

describe('a list that does not change', () => {
	// D1-EXP-02
	test('is read in the service’s order with exactly as many requests as pages', async () => {
		await fc.assert(
			fc.asyncProperty(sizes, orders, concurrencies, async (size, order, concurrency) => {
				const list = new ChangingList(size, order);
				const { serials, report } = await read(list, { concurrency });
				expect(serials).toEqual([...list.rows].sort(order).map(({ serial }) => serial));
				expect(list.requests).toBe(Math.max(1, Math.ceil(size / 50)));
				const pages = Math.ceil(size / 50);
				expect(report).toMatchObject({ requests: list.requests, pages, isComplete: true, total: size });
			}),
		);
	});

	test('is read in at most 1.25 times its pages where no row says when it appeared', async () => {
		for (const size of [60, 230, 1000, 5000]) {
			const odd = { withoutTime: 1 };
			const list = new ChangingList(size, ORDERS.byId, [], undefined, undefined, odd);
			const { report, serials } = await read(list, { concurrency: 20 });
			expect(serials).toEqual([...list.rows].sort(ORDERS.byId).map(({ serial }) => serial));
			expect(list.requests).toBeLessThanOrEqual(1.25 * Math.ceil(size / 50));
			expect(report).toMatchObject({ isComplete: true, total: size, pages: list.requests });
		}
	});

	test('is read alike, in as many requests, however the service writes its dates', async () => {
		const style = fc.constantFrom(...Object.values(DATE_STYLES));
		await fc.assert(
			fc.asyncProperty(
				sizes,
				orders,
				limits,
				directions,
				style,
				async (size, order, wanted, direction, write) => {
					const outcome = async (odd: Partial<Oddities>) => {
						const [all, first] = [1, 2].map(
							() => new ChangingList(size, order, [], undefined, undefined, odd),
						);
						const { serials } = await read(all);
						const { rows, report } = await readFirst(first, wanted, { direction });
						return { serials, rows, isUndated: report.isUndated, requests: [all.requests, first.requests] };
					};
					const usual = await outcome({});
					expect(await outcome({ write })).toEqual(usual);
					expect(usual.isUndated).toBe(false);
				},
			),
		);
	});

	test('says that its order is not known where a date cannot be read', async () => {
		const list = new ChangingList(230, ORDERS.byId, [], undefined, undefined, { write: () => '01/03/2026' });
		expect((await readFirst(list, 10)).report.isUndated).toBe(true);
	});

	test('can come as one page of 200,000 rows', async () => {
		const rows = Array.from({ length: 200_000 }, (_, n) => ({ serial: n, date: '2026-03-01T00:00:00Z' }));
		const fetchPage = async () =>
			await Promise.resolve({ at: 0, read: () => ({ lists: [{ total: rows.length, rows }], pages: 1 }) });
		const list = new ChangingList(0, ORDERS.byId);
		expect((await read(list, { fetchPage })).serials).toHaveLength(200_000);
		expect((await readFirst(list, 200_000, { fetchPage })).rows).toHaveLength(200_000);
	});

	test('gives the first rows by date in any order of the service, ties and one millisecond included', async () => {
		await fc.assert(
			fc.asyncProperty(
				sizes,
				orders,
				limits,
				directions,
				spans,
				async (size, listed, wanted, direction, span) => {
					const list = new ChangingList(size, listed, [], span);
					const { rows, report } = await readFirst(list, wanted, { direction });
					expect(datesOf(rows)).toEqual(byDate(list, direction).slice(0, wanted));
					expect(new Set(rows.map(({ serial }) => serial)).size).toBe(rows.length);
					expect(report).toMatchObject({ total: size, requests: list.requests });
					expect(list.requests).toBeLessThanOrEqual(4 * Math.ceil(size / 50) + 100);
					expect(report.pages).toBeGreaterThanOrEqual(Math.min(1, rows.length));
					expect(report.pages).toBeLessThanOrEqual(Math.min(list.requests, size));
				},
			),
		);
	});

	test('is read as a whole if all rows are wanted: one request more than pages', async () => {
		for (const order of Object.values(ORDERS)) {
			const list = new ChangingList(310, order);
			const { rows, report } = await readFirst(list, 1000);
			expect(datesOf(rows)).toEqual(byDate(list));
			expect(list.requests).toBe(1 + 7);
			expect(report.isComplete).toBe(true);
		}
	});

	const CLUSTERS: Array<[string, number, (index: number) => number]> = [
		['in office hours', 10_000, (n) => Math.floor(random(n) * 5) * DAY + 9 * HOUR + random(n, 2) * 8 * HOUR],
		['in batches of a second', 9000, (n) => random(n % 30) * 6 * DAY + random(n, 2) * 1000],
		['in the first hour of a week', 2000, (n) => HOUR + random(n) * HOUR],
		['in the last hour of a week', 2000, (n) => 7 * DAY - random(n) * HOUR],
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
		const directions: Direction[] = load.wanted ? ['newestFirst', 'oldestFirst'] : ['oldestFirst'];
		const options = { continueOnError: true };
		let requests = 0;
		let lost = 0;
		for (const place of [
			(n: number) => random(n) * 7 * DAY,
			...CLUSTERS.map(([, , clustered]) => clustered),
		]) {
			for (const listed of Object.values(ORDERS)) {
				for (const direction of directions) {
					for (const wanted of load.wanted ?? [undefined]) {
						const list = placed(load.size ?? 1000, place, 7 * DAY, listed, load);
						const { serials, rows = [] } = await (wanted === undefined
							? { rows: undefined, ...(await read(list, options)) }
							: readFirst(list, wanted, { direction, ...options }));
						requests += list.requests;
						const isPlain = load.odd === undefined && load.faults === undefined;
						if (isPlain) expect(datesOf(rows)).toEqual(byDate(list, direction).slice(0, rows.length));
						lost += Math.min(wanted ?? Infinity, list.rows.length) - serials.length;
					}
				}
			}
		}
		expect(requests).toBeLessThanOrEqual(most);
		// Of two rows that cannot be read in each list, some 15 rows around them.
		expect(lost).toBeLessThanOrEqual(load.odd?.unreadable && !load.wanted ? 400 : 0);
	});

	test('gives rows without a date last in their slice, and never an older row in place of a newer one', async () => {
		await fc.assert(
			fc.asyncProperty(
				sizes,
				orders,
				limits,
				fc.constantFrom(1, 3, 40),
				async (size, listed, wanted, one) => {
					const list = new ChangingList(size, listed, [], undefined, undefined, { withoutDate: one });
					const { rows } = await readFirst(list, wanted);
					expect(rows).toHaveLength(Math.min(size, wanted));
					const dated = datesOf(rows).filter((date) => !Number.isNaN(date));
					const all = list.rows.filter(({ serial }) => serial % one !== one - 1);
					// One response holds them all.
					if (size <= 50) expect(dated).toHaveLength(Math.min(wanted, all.length));
					expect(dated).toEqual(
						datesOf(all)
							.sort((a, b) => b - a)
							.slice(0, dated.length),
					);
				},
			),
		);
	});

	test('gives a row without an ID on the bound of two slices once', async () => {
		const list = placed(3000, (index) => index / 10, 300);
		for (const row of list.rows) row.id = undefined;
		const { serials } = await readFirst(list, Infinity, { direction: 'oldestFirst' });
		expect(new Set(serials).size).toBe(serials.length);
	});

	test.each(['newestFirst', 'oldestFirst'] as const)(
		'says what is left, %s, when the consumer stops',
		async (direction) => {
			const list = new ChangingList(1000, ORDERS.byId);
			const { rows, report } = await readFirst(list, 50, { direction });
			const { from, to } = report.rest!;
			const [near, far] = direction === 'newestFirst' ? [to, from] : [from, to];
			expect(far).toBe(direction === 'newestFirst' ? list.range.from : list.range.to);
			expect(sign(direction) * (near - rows.at(-1)!.date)).toBeGreaterThanOrEqual(0);
			const rest = await readFirst(list, Infinity, { range: { from, to } });
			expect(rest.report.rest).toBeUndefined();
			expect(report.isComplete).toBe(false);
		},
	);
});

describe('a list that changes while it is read', () => {
	test('outputs every row that existed throughout exactly once, whatever else changes', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.tuple(sizes, orders, changes, spans),
				concurrencies,
				async ([size, order, drifts, span], concurrency) => {
					const list = new ChangingList(size, order, drifts, span);
					expectOnce(list, (await read(list, { concurrency })).serials);
				},
			),
		);
	}, 60_000);

	test('gives every row that existed throughout and belongs to the first rows wanted, once', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.tuple(sizes, orders, changes, spans),
				limits,
				directions,
				async ([size, listed, drifts, span], wanted, direction) => {
					const list = new ChangingList(size, listed, drifts, span);
					const ever = new Map<number, Row>();
					const fetchPage: ChangingList['fetchPage'] = async (query) => {
						for (const row of list.rows) ever.set(row.serial, row);
						const response = await list.fetchPage(query);
						for (const row of list.rows) ever.set(row.serial, row);
						return response;
					};
					const { serials } = await readFirst(list, wanted, { direction, fetchPage });
					expect(new Set(serials).size).toBe(serials.length);
					const stayed = list.stayed();
					const first = [...ever.values()].filter(({ serial, date }) => {
						const before = [...ever.values()].filter((other) => sign(direction) * (other.date - date) <= 0);
						return stayed.has(serial) && before.length <= wanted;
					});
					expect(serials).toEqual(expect.arrayContaining(first.map(({ serial }) => serial)));
				},
			),
		);
	}, 60_000);

	test('takes at most 1.3 more requests a page', async () => {
		for (const order of Object.values(ORDERS)) {
			const list = new ChangingList(5000, order, ONCE);
			const { serials, report } = await read(list);
			expectOnce(list, serials);
			expect(list.requests).toBeLessThanOrEqual(100 + 130);
			expect(report.pages).toBe(100);
		}
	});

	test('is read again where pages shifted although no total, no count of rows and no time shows it', async () => {
		const swaps = (beforeRequest: number, count: number, at: number, to: number) =>
			Array.from({ length: count }, (): Change => ({ beforeRequest, kind: 'swap', at, to }));
		// Page 3 shows two rows of page 2, and one is lost between them; page 5 then shows two rows more of page 4.
		const drifts = [...swaps(3, 3, 0, 0.999), ...swaps(5, 2, 0.98, 0)];
		const odd = { withoutTime: 1 };
		const list = new ChangingList(400, ORDERS.oldestFirst, drifts, undefined, undefined, odd);
		for (const [index, row] of list.rows.entries()) row.date = list.range.from + (index + 1) * 60_000;
		const { serials, report } = await read(list, { concurrency: 1 });
		expectOnce(list, serials);
		expect(report.isComplete).toBe(true);
	});

	test('is read in pages where more than 50 rows share a millisecond, and says whether they kept changing', async () => {
		const list = new ChangingList(180, ORDERS.byId, ONCE, 2);
		const { serials, report } = await read(list);
		expectOnce(list, serials);
		expect(report.paged).toBe('settled');
		const three = new ChangingList(60, ORDERS.byId, ONCE, 3);
		const range = { from: three.range.from, to: three.range.from + 2 };
		expect((await read(three, { range })).report.paged).toBeUndefined();
		const drifts = Array.from({ length: 200 }, (_, index): Change => {
			return { beforeRequest: index + 2, kind: 'swap', at: 0.5, to: 0.2 };
		});
		const other = await read(new ChangingList(180, ORDERS.byId, drifts, 2));
		expect(other.report).toMatchObject({ paged: 'unsettled', unlisted: 0, isComplete: false });
	});
});

describe('any service', () => {
	test('gives every row that existed throughout exactly once, or the report says that the list is not complete', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.tuple(sizes, orders, changes, spans, failures, oddities),
				concurrencies,
				fc.boolean(),
				fc.option(limits, { nil: undefined }),
				async ([size, order, drifts, span, faults, odd], concurrency, continueOnError, wanted) => {
					const list = new ChangingList(size, order, drifts, span, faults, odd);
					const options = { continueOnError, concurrency };
					const reading = wanted === undefined ? read(list, options) : readFirst(list, wanted, options);
					const outcome = await reading.catch((error: Error) => error);
					// Every row is on a page, however the service counts.
					const pages = Math.ceil(list.longest / Math.min(50, list.odd.cap));
					expect(list.requests).toBeLessThanOrEqual(4 * pages + 120);
					if (outcome instanceof Error) {
						expect(outcome.message).toMatch(/^request \d+ failed$/);
						return;
					}
					const { report, serials } = outcome;
					const isCalm = faults.size === 0 && drifts.length === 0;
					if (isCalm && Object.keys(odd).length === 0) expect(report.isComplete).toBe(true);
					if (!report.isComplete || list.hidesRowsAfter(serials.length)) return;
					expect(new Set(serials).size).toBe(serials.length);
					if (wanted === undefined || serials.length < wanted) expect(missing(list, serials)).toEqual([]);
				},
			),
			// The only page of the pass fails, so that nothing has shown how many rows a page holds.
			{
				examples: [
					[
						[50, ORDERS.oldestFirst, [], 864_000_000, new Set([3]), { cap: 49, counting: { max: 30 } }],
						1,
						true,
						50,
					],
				],
			},
		);
	}, 60_000);

	test.each<[string, Partial<Oddities>]>([
		['sends at most 25 rows in a page', { cap: 25 }],
		['sends at most 25, but skips as many as asked for', { cap: 25, skipsAsked: true }],
		['counts at most 100 rows and all pages', { counting: { max: 100 } }],
		['counts at most 30 rows, fewer than a page has, and all pages', { counting: { max: 30 } }],
		['counts one page more than there is', { counting: 'onePageMore' }],
		['rounds dates to the minute', { rounded: 60_000 }],
		['sends no dates', { withoutDate: 1 }],
	])('that %s gives all rows, and they are complete, even if the list changes', async (_what, odd) => {
		for (const drifts of [[], ONCE]) {
			const list = new ChangingList(180, ORDERS.newestFirst, drifts, undefined, undefined, odd);
			const { report, serials } = await read(list);
			expectOnce(list, serials);
			expect(report.isComplete).toBe(odd.counting !== 'onePageMore');
		}
	});

	test.each<Partial<Oddities>>([
		{ cap: 25 },
		{ cap: 25, skipsAsked: true },
		{ counting: { max: 50 } },
		{ counting: { max: 30 } },
	])('with %j gives the newest ones first, too', async (odd) => {
		for (const size of [40, 180]) {
			const list = new ChangingList(size, ORDERS.byId, [], undefined, undefined, odd);
			expect(datesOf((await readFirst(list, 60)).rows)).toEqual(byDate(list).slice(0, 60));
		}
	});

	test.each([DAY, 60_000])(
		'that selects by whole units of %i milliseconds gives all rows although it changes, in few requests',
		async (unit) => {
			const drifts: Change[] = [{ beforeRequest: 3, kind: 'swap', at: 0.1, to: 0.5 }];
			const list = new ChangingList(180, ORDERS.newestFirst, drifts, HOUR, undefined, { unit });
			const { report, serials } = await read(list);
			expectOnce(list, serials);
			expect(report.isComplete).toBe(true);
			expect(list.requests).toBeLessThanOrEqual(4 * 4 + 60);
		},
	);

	test('whose rounded dates tell no rows apart is read in few requests, although it counts a row too many', async () => {
		const odd: Partial<Oddities> = { counting: { more: 1 }, rounded: 1000 };
		const list = new ChangingList(99, ORDERS.oldestFirst, [], 300, new Set(), odd);
		expectOnce(list, (await read(list)).serials);
		expect(list.requests).toBeLessThanOrEqual(20);
	});

	test('that counts more rows than it lists has them in the report', async () => {
		const odd = { counting: { more: 3 } };
		const list = new ChangingList(40, ORDERS.byId, [], undefined, undefined, odd);
		expect((await read(list)).report).toMatchObject({ unlisted: 3, isComplete: false });
		expect((await readFirst(list, 50)).report).toMatchObject({ unlisted: 3, requests: 2 });
	});
});

describe('a request that fails', () => {
	const faulty = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 });

	test('if the reading continues, omits only rows of the gaps, and reading the gaps completes the list', async () => {
		await fc.assert(
			fc.asyncProperty(sizes, changes, faulty, fc.boolean(), async (size, drifts, faults, ordered) => {
				const list = new ChangingList(size, ORDERS.oldestFirst, drifts, undefined, new Set(faults));
				const options = { continueOnError: true };
				const reading = ordered ? readFirst(list, Infinity, options) : read(list, options);
				const outcome = await reading.catch((error: Error) => error);
				if (outcome instanceof Error) {
					// Only when nothing could be read.
					for (let request = 1; request <= list.requests; request++) expect(faults).toContain(request);
					return;
				}
				const all = new Set(outcome.serials);
				expect(all.size).toBe(outcome.serials.length);
				const inARow = faults.some((fault) =>
					Array.from({ length: 10 }, (_, n) => fault + n).every((n) => faults.includes(n)),
				);
				if (!inARow) expect(missing(list, outcome.serials).length).toBeLessThanOrEqual(50 * faults.length);
				const now = new ChangingList(0, ORDERS.oldestFirst);
				now.rows = list.rows;
				for (const { from, to } of outcome.report.gaps) {
					const rest = await read(now, { range: { from, to } });
					for (const serial of rest.serials) all.add(serial);
				}
				expect(missing(list, [...all])).toEqual([]);
			}),
		);
	});

	test('is the first one and the reading continues: five slices, and five of the first, give everything', async () => {
		const list = new ChangingList(180, ORDERS.newestFirst, [], undefined, new Set([1, 2]));
		const { report, serials } = await read(list, { continueOnError: true });
		expectOnce(list, serials);
		expect(list.requests).toBe(1 + 5 + 5);
		expect(report.isComplete).toBe(true);
	});

	test('costs few rows beside the unreadable one, although many were recorded within an hour', async () => {
		const list = new ChangingList(400, ORDERS.newestFirst, [], undefined, undefined, { unreadable: 300 });
		for (const row of list.rows) row.date = list.range.from + ((row.date - list.range.from) % HOUR);
		// A row of a later page, so that the dates of others are known.
		list.rows[299].date = list.range.from + HOUR / 2;
		const { report, serials } = await read(list, { continueOnError: true });
		expect(missing(list, serials).length).toBeLessThanOrEqual(20);
		const dates = datesOf((await readFirst(list, 300, { continueOnError: true })).rows);
		expect(dates).toEqual([...dates].sort((a, b) => b - a));
		expect(report.gaps).toEqual([
			{ from: expect.any(Number), to: expect.any(Number), error: expect.any(RequestError) },
		]);
		expect(report.isComplete).toBe(false);
	});

	test('leaves a gap for each of two unreadable rows, and for the pages of a millisecond', async () => {
		const far = new ChangingList(400, ORDERS.newestFirst, [], undefined, undefined, { unreadable: 150 });
		const { report, serials } = await read(far, { continueOnError: true });
		expect(report).toMatchObject({ gaps: [expect.any(Object), expect.any(Object)], unlisted: 0 });
		expect(serials).not.toContain(undefined);
		expect(far.requests).toBeLessThanOrEqual(40);
		const near = new ChangingList(180, ORDERS.byId, [], 2, new Set([3, 5]));
		expect((await read(near, { continueOnError: true })).report.gaps).toHaveLength(1);
	});

	test('is the first one: the newest rows are still the newest', async () => {
		const list = new ChangingList(1000, ORDERS.byId, [], undefined, new Set([1]));
		const { rows } = await readFirst(list, 50, { continueOnError: true });
		expect(datesOf(rows)).toEqual(byDate(list).slice(0, 50));
	});

	test('is every one: the reading fails with the first', async () => {
		for (const start of [read, (list: ChangingList, options: object) => readFirst(list, 50, options)]) {
			const list = new ChangingList(400, ORDERS.byId, [], undefined, undefined, { unreadable: 1 });
			await expect(start(list, { continueOnError: true })).rejects.toThrow('request 1 failed');
		}
	});

	test('is the tenth in a row: nothing more is asked, and the rest is one gap', async () => {
		const faults = new Set(Array.from({ length: 200 }, (_, n) => n + 41));
		const list = new ChangingList(4000, ORDERS.byId, [], undefined, faults);
		const { report, serials } = await read(list, { continueOnError: true, concurrency: 1 });
		expect(serials).toHaveLength(2000);
		// One more is requested before the tenth was read.
		expect(list.requests).toBe(40 + 10 + 1);
		expect(report).toMatchObject({ gaps: [expect.any(Object)], unlisted: 0 });
		const [{ from, to }] = report.gaps;
		const rest = await read(Object.assign(new ChangingList(0, ORDERS.byId), { rows: list.rows }), {
			range: { from, to },
		});
		expect(missing(list, [...serials, ...rest.serials])).toEqual([]);
	});

	test.each([false, true])(
		'is one in four, eleven in all and more: most rows are read, and only gaps lack some (sorted: %s)',
		async (sorted) => {
			const faults = new Set(Array.from({ length: 1000 }, (_, n) => 4 * n + 4));
			const list = new ChangingList(3000, ORDERS.byId, [], undefined, faults);
			const options = { continueOnError: true };
			const { serials, report } = await (sorted ? readFirst(list, Infinity, options) : read(list, options));
			expect(serials.length).toBeGreaterThanOrEqual(sorted ? 2800 : 2400);
			const known = new Set(serials);
			const isInGap = ({ date }: Row) => report.gaps.some(({ from, to }) => date >= from && date <= to);
			expect(list.rows.filter((row) => !known.has(row.serial) && !isInGap(row))).toEqual([]);
		},
	);

	test('is for the page that would show that there are more rows: the list is not called complete', async () => {
		const odd = { cap: 31, counting: { max: 30 }, unreadable: 100 };
		const list = new ChangingList(100, ORDERS.byId, [], undefined, undefined, odd);
		const { report, serials } = await readFirst(list, 100, { continueOnError: true });
		expect(report.isComplete).toBe(false);
		expect(serials.length).toBeGreaterThanOrEqual(90);
	});

	test('fails the reading when the error is a mistake of ours', async () => {
		const list = new ChangingList(300, ORDERS.byId);
		const fetchPage: ChangingList['fetchPage'] = async (query) => {
			if (query.page > 1) throw new TypeError('a mistake of ours');
			return await list.fetchPage(query);
		};
		await expect(read(list, { continueOnError: true, fetchPage })).rejects.toThrow('a mistake of ours');
	});
});
