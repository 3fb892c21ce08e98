import * as fc from 'fast-check';
import { RowWalk } from '../../../nodes/shared/export/rowWalk';

/** Walks a list from which the given places are removed just before the given requests; gives what a file would hold. */
async function walk(size: number, maxRows: number, removals: Array<{ before: number; at: number }>) {
	const list = Array.from({ length: size }, (_, index) => ({ id: `row-${index}` }));
	let requests = 0;
	const rowWalk = new RowWalk<{ id: string }>({
		concurrency: 1,
		maxRows,
		idOf: ({ id }) => id,
		fetchPage: async (page, limit) => {
			requests++;
			for (const { at } of removals.filter(({ before }) => before === requests)) list.splice(at, 1);
			const rows = list.slice((page - 1) * limit, page * limit);
			return [{ rows: () => rows, total: list.length }];
		},
	});
	const written: string[] = [];
	for await (const { fresh } of rowWalk.batches()) written.push(...fresh.map(({ id }) => id));
	return { written, left: list.length };
}

describe('A walk under a Limit', () => {
	test('writes no row more than the Limit when a removal makes it read again', async () => {
		const { written } = await walk(300, 120, [{ before: 3, at: 10 }]);

		expect(written).toHaveLength(120);
	});

	test('whatever is removed, a file holds each row once, as many as the Limit or the service has', async () => {
		const removal = fc.record({
			before: fc.integer({ min: 2, max: 8 }),
			at: fc.integer({ min: 0, max: 90 }),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 101, max: 400 }),
				fc.integer({ min: 1, max: 450 }),
				fc.array(removal, { maxLength: 4 }),
				async (size, maxRows, removals) => {
					const { written, left } = await walk(size, maxRows, removals);

					expect(new Set(written).size).toBe(written.length);
					expect(written.length).toBeLessThanOrEqual(maxRows);
					expect(written.length).toBeGreaterThanOrEqual(Math.min(maxRows, left));
				},
			),
		);
	});
});
