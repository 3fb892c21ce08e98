import { backfillYear } from '../../support/backfill';

test('archives 20,000 transcripts of a year with two workers, although one is killed in the middle', async () => {
	const { ids, sizes } = await backfillYear(20_000);
	expect([...sizes.keys()].sort()).toEqual([...ids].sort());
	expect(Math.min(...sizes.values())).toBeGreaterThan(100);
}, 9_000_000);
