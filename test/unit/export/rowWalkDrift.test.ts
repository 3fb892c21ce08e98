import * as fc from 'fast-check';
import { RowWalk } from '../../../nodes/shared/export/rowWalk';
import { concurrencies, DriftingList, ids, walk, type Row } from './driftingList';

describe('A walk over pages that move', () => {
	const drifts = (insert: fc.Arbitrary<boolean>) =>
		fc.array(
			fc.record({
				beforeRequest: fc.integer({ min: 2, max: 8 }),
				at: fc.double({ min: 0, max: 0.999, noNaN: true }),
				insert,
			}),
			{ maxLength: 6 },
		);

	test.each([
		['rows that appear', fc.constant(true)],
		['rows that are removed', fc.constant(false)],
	])('with %s it ends with exactly the rows of the service, in order', async (_what, insert) => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 101, max: 400 }),
				concurrencies,
				drifts(insert),
				async (size, concurrency, happenings) => {
					const list = new DriftingList(size, happenings);
					// The drifts end with the eighth request, so a pass that starts after it is undisturbed.
					const { rows, written, walk: rowWalk } = await walk(list, { concurrency, maxPasses: 9 });

					expect(rowWalk.consistent).toBe(true);
					expect([...rows].sort()).toEqual(ids(list).sort());
					expect(new Set(written).size).toBe(written.length);
					expect(new Set(written)).toEqual(new Set([...written, ...rows]));
					expect(rowWalk.vanished).toBe(rowWalk.pass > 1 ? written.length - rows.length : 0);
				},
			),
			{ numRuns: 200 },
		);
	});

	test('with both at once it never doubles a row, and loses none without saying so', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 101, max: 400 }),
				concurrencies,
				drifts(fc.boolean()),
				async (size, concurrency, happenings) => {
					const list = new DriftingList(size, happenings);
					const { rows, walk: rowWalk } = await walk(list, { concurrency, maxPasses: 9 });

					expect(new Set(rows).size).toBe(rows.length);
					// A removal and an insertion between the same two answers leave every total as it was.
					const isHidden = happenings.some(
						(a) => a.insert && happenings.some((b) => !b.insert && b.beforeRequest === a.beforeRequest),
					);
					const isExact = [...rows].sort().join() === ids(list).sort().join();
					expect(isExact || isHidden || !rowWalk.consistent).toBe(true);
				},
			),
			{ numRuns: 200 },
		);
	});

	test('a page that grows at the end while it is read is read further, without starting over', async () => {
		const list = new DriftingList(100, [{ beforeRequest: 2, at: 0.9999, insert: true }]);
		const { rows, walk: rowWalk } = await walk(list, { concurrency: 1 });

		expect([...rows].sort()).toEqual(ids(list).sort());
		expect(rowWalk.pass).toBe(1);
		expect(list.requests).toBe(3);
	});

	test('a service that never agrees with itself is read three times, and the difference is reported', async () => {
		const list = new DriftingList(120);
		const fetchPage = async (page: number, limit: number) => {
			const [answer] = await list.fetch(page, limit);
			return [{ ...answer, total: 125 }];
		};
		const rowWalk = new RowWalk<Row>({ fetchPage, idOf: ({ id }) => id, concurrency: 2 });
		let count = 0;
		for await (const { fresh } of rowWalk.batches()) count += fresh.length;

		expect(count).toBe(120);
		expect(rowWalk).toMatchObject({ consistent: false, pass: 3, missing: 5, rows: 120, requests: 9 });
	});

	test('a page that stalls, always the same rows, comes to an end', async () => {
		const same = Array.from({ length: 50 }, (_, index) => ({ id: `row-${index}` }));
		const rowWalk = new RowWalk<Row>({
			fetchPage: async () => [{ rows: () => same, total: 500 }],
			idOf: ({ id }) => id,
			concurrency: 4,
		});
		let count = 0;
		for await (const { rows } of rowWalk.batches()) count += rows.length;

		expect(rowWalk).toMatchObject({ consistent: false, rows: 50, missing: 450, requests: 30 });
		expect(count).toBe(150);
	});
});
