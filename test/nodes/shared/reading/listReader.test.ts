import { RequestError } from '../../../../nodes/shared/http';
import * as fc from 'fast-check';
import {
	changes,
	ChangingList,
	concurrencies,
	ORDERS,
	orders,
	read,
	faults as failures,
	oddities,
	sizes,
	spans,
	type Change,
	type Oddities,
} from './changingList';

describe('a list that does not change', () => {
	// D1-EXP-02
	test('is read in the service’s order with exactly as many requests as pages', async () => {
		await fc.assert(
			fc.asyncProperty(sizes, orders, concurrencies, async (size, order, concurrency) => {
				const list = new ChangingList(size, order);
				const { serials } = await read(list, { concurrency: () => concurrency });
				expect(serials).toEqual([...list.rows].sort(order).map(({ serial }) => serial));
				expect(list.requests).toBe(Math.max(1, Math.ceil(size / 50)));
			}),
		);
	});

	test('stops at a limit without requesting a page for later rows', async () => {
		await fc.assert(
			fc.asyncProperty(sizes, fc.integer({ min: 1, max: 500 }), async (size, maxRows) => {
				const list = new ChangingList(size, ORDERS.newestFirst);
				const { serials } = await read(list, { maxRows });
				const expected = [...list.rows].sort(ORDERS.newestFirst).slice(0, maxRows);
				expect(serials).toEqual(expected.map(({ serial }) => serial));
				const pages = Math.ceil(Math.min(size, maxRows) / Math.min(50, maxRows));
				expect(list.requests).toBe(Math.max(1, pages));
			}),
		);
	});
});

describe('a list that changes while it is read', () => {
	test('outputs every row that existed throughout exactly once, whatever else changes', async () => {
		await fc.assert(
			fc.asyncProperty(
				sizes,
				orders,
				concurrencies,
				changes,
				spans,
				async (size, order, concurrency, drifts, span) => {
					const list = new ChangingList(size, order, drifts, span);
					const { serials } = await read(list, { concurrency: () => concurrency });
					expect(new Set(serials).size).toBe(serials.length);
					expect(missing(list, serials)).toEqual([]);
				},
			),
		);
	});

	test.each(['remove', 'insert', 'swap'] as const)(
		'reads 1,000 rows with a %s after every third response in at most three times as many requests',
		async (kind) => {
			for (let seed = 1; seed <= 20; seed++) {
				const drifts = Array.from({ length: 30 }, (_, index): Change => {
					const chance = (salt: number) => Math.abs(Math.sin(seed * 1000 + index * 10 + salt));
					return { beforeRequest: index * 3 + 4, kind, at: chance(1) * 0.99, to: chance(2) * 0.99 };
				});
				const list = new ChangingList(1000, ORDERS.newestFirst, drifts);
				const { serials } = await read(list);
				expect(new Set(serials).size).toBe(serials.length);
				expect(missing(list, serials)).toEqual([]);
				expect(list.requests).toBeLessThanOrEqual(60);
			}
		},
	);

	test('notices a removal and an insertion that leave every total unchanged', async () => {
		// Page 1 loses a row, so the first row of page 2 moves to it. The new row is added at the end.
		const list = new ChangingList(100, ORDERS.oldestFirst, [
			{ beforeRequest: 2, kind: 'swap', at: 0, to: 0.999 },
		]);
		const { serials, reader } = await read(list);
		expect(reader.isReread).toBe(true);
		expect(missing(list, serials)).toEqual([]);
	});

	test('notices a row that came and went unseen, because another row is listed twice', async () => {
		const list = new ChangingList(150, ORDERS.oldestFirst, [
			{ beforeRequest: 2, kind: 'swap', at: 0, to: 0.999 },
			{ beforeRequest: 3, kind: 'swap', at: 0.999, to: 0.0001 },
		]);
		const { serials } = await read(list, { concurrency: () => 1 });
		expect(new Set(serials).size).toBe(serials.length);
		expect(missing(list, serials)).toEqual([]);
	});

	test('fills a limit if the service has enough rows', async () => {
		await fc.assert(
			fc.asyncProperty(sizes, fc.integer({ min: 1, max: 300 }), changes, async (size, maxRows, drifts) => {
				const list = new ChangingList(size, ORDERS.newestFirst, drifts);
				const { serials } = await read(list, { maxRows });
				expect(new Set(serials).size).toBe(serials.length);
				expect(serials.length).toBeLessThanOrEqual(maxRows);
				expect(serials.length).toBeGreaterThanOrEqual(Math.min(maxRows, list.stayed().size));
			}),
		);
	});

	test('reads more than 50 rows of one millisecond in pages, and reports it', async () => {
		const list = new ChangingList(
			180,
			ORDERS.byId,
			[{ beforeRequest: 2, kind: 'remove', at: 0.1, to: 0 }],
			2,
		);
		const { serials, reader } = await read(list);
		expect(missing(list, serials)).toEqual([]);
		expect(reader.paged).toBe('settled');
	});

	test('reports a millisecond whose rows keep changing as unsettled', async () => {
		const drifts = Array.from({ length: 200 }, (_, index): Change => {
			return { beforeRequest: index + 2, kind: 'insert', at: 0, to: 0.2 };
		});
		const { reader } = await read(new ChangingList(180, ORDERS.byId, drifts, 2));
		expect(reader.paged).toBe('unsettled');
	});
});

describe('any service', () => {
	test('gives every row that existed throughout exactly once, or the reader says that the list is not complete', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.tuple(sizes, orders, changes, spans, failures, oddities),
				concurrencies,
				fc.boolean(),
				async ([size, order, drifts, span, faults, odd], concurrency, keepsGoing) => {
					const list = new ChangingList(size, order, drifts, span, faults, odd);
					const outcome = await read(list, { keepsGoing, concurrency: () => concurrency }).catch(
						(error: Error) => error,
					);
					// Every row is on a page, however the service counts.
					const pages = Math.ceil(list.longest / Math.min(50, list.odd.cap));
					expect(list.requests).toBeLessThanOrEqual(4 * pages + 120);
					if (outcome instanceof Error) {
						expect(outcome.message).toMatch(/^request \d+ failed$/);
						return;
					}
					const { reader, serials } = outcome;
					if (!reader.isComplete || list.hidesRowsAfter(serials.length)) return;
					expect(new Set(serials).size).toBe(serials.length);
					expect(missing(list, serials)).toEqual([]);
				},
			),
		);
	});

	test.each<[string, Partial<Oddities>]>([
		['sends at most 25 rows in a page', { cap: 25 }],
		['counts at most 100 rows and all pages', { counting: { max: 100 } }],
		['counts one page more than there is', { counting: 'onePageMore' }],
		['rounds dates to the minute', { rounded: 60_000 }],
		['sends no dates', { withoutDate: 1 }],
	])('that %s gives all rows, and they are complete', async (_what, odd) => {
		const list = new ChangingList(180, ORDERS.newestFirst, [], undefined, undefined, odd);
		const { reader, serials } = await read(list);
		expect(missing(list, serials)).toEqual([]);
		expect(serials).toHaveLength(180);
		expect(reader.isComplete).toBe(odd.counting !== 'onePageMore');
	});

	test.each<[string, Partial<Oddities>]>([
		['selects by whole days', { unit: 86_400_000 }],
		['selects by whole minutes', { unit: 60_000 }],
	])('that %s gives all rows although it changes, in few requests', async (_what, odd) => {
		const drifts: Change[] = [{ beforeRequest: 3, kind: 'swap', at: 0.1, to: 0.5 }];
		const list = new ChangingList(180, ORDERS.newestFirst, drifts, 3_600_000, undefined, odd);
		const { reader, serials } = await read(list);
		expect(missing(list, serials)).toEqual([]);
		expect(reader.isComplete).toBe(true);
		expect(list.requests).toBeLessThanOrEqual(4 * 4 + 60);
	});
});

describe('a request that fails', () => {
	const faulty = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 });

	test('fails the export instead of shortening the list', async () => {
		await fc.assert(
			fc.asyncProperty(sizes, changes, faulty, async (size, drifts, faults) => {
				const list = new ChangingList(size, ORDERS.oldestFirst, drifts, undefined, new Set(faults));
				const outcome = await read(list).catch((error: Error) => error);
				if (outcome instanceof Error) expect(outcome.message).toMatch(/^request \d+ failed$/);
				else expect(missing(list, outcome.serials)).toEqual([]);
			}),
		);
	});

	test('with Return What Was Read, omits only rows of the reported gaps, and reading the gaps completes the list', async () => {
		await fc.assert(
			fc.asyncProperty(sizes, changes, faulty, async (size, drifts, faults) => {
				const list = new ChangingList(size, ORDERS.oldestFirst, drifts, undefined, new Set(faults));
				const outcome = await read(list, { keepsGoing: true }).catch((error: Error) => error);
				if (outcome instanceof Error) {
					expect(faults).toContain(1);
					return;
				}
				const all = new Set(outcome.serials);
				expect(all.size).toBe(outcome.serials.length);
				const { gaps } = outcome.reader;
				list.fetchPage = new ChangingListView(list).fetchPage;
				for (const { from, to } of gaps) {
					const rest = await read(list, { range: { from, to } });
					for (const serial of rest.serials) all.add(serial);
				}
				expect(missing(list, [...all])).toEqual([]);
			}),
		);
	});
});

describe('With Return What Was Read', () => {
	test('a first page that fails is read in five slices', async () => {
		const list = new ChangingList(180, ORDERS.newestFirst, [], undefined, new Set([1]));
		const { reader, serials } = await read(list, { keepsGoing: true });
		expect(missing(list, serials)).toEqual([]);
		expect(list.requests).toBe(1 + 5);
		expect(reader.isComplete).toBe(true);
	});

	test('an unreadable row costs few others, although many were recorded within an hour', async () => {
		const list = new ChangingList(400, ORDERS.byId, [], undefined, undefined, { unreadable: 400 });
		for (const row of list.rows) row.date = list.range.from + ((row.date - list.range.from) % 3_600_000);
		const { reader, serials } = await read(list, { keepsGoing: true });
		expect(missing(list, serials).length).toBeLessThanOrEqual(4);
		expect(reader.gaps).toHaveLength(1);
		expect(reader.isComplete).toBe(false);
	});

	test('a moment with an unreadable row is a gap with its bounds and error', async () => {
		const list = new ChangingList(180, ORDERS.oldestFirst, [], 2, undefined, { unreadable: 60 });
		const { reader } = await read(list, { keepsGoing: true });
		const { from, to } = list.range;
		expect(reader.gaps).toEqual([{ from, to, error: expect.any(RequestError) as RequestError }]);
		expect(reader.gaps[0].error.message).toMatch(/^request \d+ failed$/);
	});
});

/** The rows of the list in one hour, or in one millisecond, which no slice divides. */
function within(
	milliseconds: number,
	size: number,
	drifts: Change[] = [],
	odd: Partial<Oddities> = {},
	failed: number[] = [],
) {
	const list = new ChangingList(size, ORDERS.newestFirst, drifts, undefined, new Set(failed), odd);
	for (const row of list.rows) row.date = list.range.from + ((row.date - list.range.from) % milliseconds);
	return list;
}

const EVERY_THIRD = Array.from({ length: 30 }, (_, index): Change => {
	return { beforeRequest: index * 3 + 4, kind: 'swap', at: 0.9, to: 0.1 };
});
const ONCE: Change[] = [{ beforeRequest: 2, kind: 'remove', at: 0.1, to: 0 }];
const HOUR = 3_600_000;
const first = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('the requests that a list costs', () => {
	test.each<[string, ChangingList, object]>([
		['that does not change', new ChangingList(400, ORDERS.byId), { requests: 8, rows: 400 }],
		['that changes once', new ChangingList(400, ORDERS.byId, ONCE), { requests: 18, rows: 399 }],
		[
			'that changes all the time',
			new ChangingList(400, ORDERS.byId, EVERY_THIRD),
			{ requests: 18, rows: 402 },
		],
		['with all rows in an hour', within(HOUR, 400, ONCE), { requests: 24, rows: 399 }],
		['with all rows at one moment', within(1, 180, ONCE), { requests: 65, rows: 180, paged: 'settled' }],
		[
			'without IDs at one moment',
			within(1, 180, ONCE, { withoutId: 1 }),
			{ requests: 54, rows: 179, paged: 'settled', isComplete: false },
		],
		[
			'whose one moment keeps changing',
			within(
				1,
				180,
				EVERY_THIRD.map((change) => ({ ...change, to: 0 })),
			),
			{ requests: 73, rows: 201, paged: 'unsettled', isComplete: false },
		],
		[
			'in pages of 25',
			new ChangingList(400, ORDERS.byId, ONCE, undefined, undefined, { cap: 25 }),
			{ requests: 36, rows: 399 },
		],
		[
			'that counts one row more',
			new ChangingList(400, ORDERS.byId, [], undefined, undefined, { counting: { more: 1 } }),
			{ requests: 19, rows: 400, unlisted: 10, isComplete: false },
		],
		[
			'that counts 1,000 rows more',
			new ChangingList(4000, ORDERS.byId, [], undefined, undefined, { counting: { more: 1000 } }),
			{ requests: 420, rows: 4000, paged: 'unsettled', isComplete: false },
		],
		[
			'that selects by whole days',
			new ChangingList(4000, ORDERS.byId, ONCE, undefined, undefined, { unit: 24 * HOUR }),
			{ requests: 370, rows: 3999, paged: 'settled' },
		],
		[
			'with an unreadable row',
			within(HOUR, 400, [], { unreadable: 400 }),
			{ requests: 46, rows: 384, gaps: 1, isComplete: false },
		],
		[
			'with ten unreadable rows',
			new ChangingList(4000, ORDERS.byId, [], undefined, undefined, { unreadable: 400 }),
			{ requests: 166, rows: 3943, gaps: 5, isComplete: false },
		],
		[
			'with an unreadable row at one moment',
			within(1, 180, [], { unreadable: 180 }),
			{ requests: 64, rows: 150, gaps: 1, paged: 'settled', isComplete: false },
		],
		['whose first page fails', within(HOUR, 400, [], {}, [1]), { requests: 37, rows: 400 }],
		[
			'whose first ten requests fail',
			within(HOUR, 400, [], {}, first(10)),
			{ requests: 66, rows: 400, gaps: 1, isComplete: false },
		],
		[
			'whose service goes down',
			new ChangingList(4000, ORDERS.byId, [], undefined, new Set(first(200).map((n) => n + 40))),
			{ requests: 56, rows: 2000, gaps: 1, isComplete: false },
		],
		[
			'whose service goes down at one moment',
			within(
				1,
				1800,
				ONCE,
				{},
				first(200).map((n) => n + 40),
			),
			{ requests: 56, rows: 1799, gaps: 2, isComplete: false },
		],
	])('%s', async (_what, list, expected) => {
		const outcome = await read(list, { keepsGoing: true }).catch((error: Error) => error.message);
		if (typeof outcome === 'string') {
			expect({ requests: list.requests, error: outcome }).toEqual(expected);
			return;
		}
		const { reader, serials } = outcome;
		const { gaps, paged, isComplete, unlisted } = reader;
		expect(gaps.every(({ error }) => error instanceof RequestError)).toBe(true);
		expect(new Set(serials).size).toBe(serials.length);
		expect({
			requests: list.requests,
			rows: serials.length,
			gaps: gaps.length,
			paged,
			unlisted,
			isComplete,
		}).toEqual({ gaps: 0, unlisted: 0, isComplete: true, ...expected });
	});
});

/** The list as it is now, without changes or faults. */
class ChangingListView extends ChangingList {
	constructor(list: ChangingList) {
		super(0, ORDERS.oldestFirst);
		this.rows = list.rows;
	}
}

/** Rows that existed throughout and were not output. */
function missing(list: ChangingList, serials: number[]): number[] {
	const read = new Set(serials);
	return [...list.stayed()].filter((serial) => !read.has(serial));
}
