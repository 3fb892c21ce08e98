import { backfillYear } from '../../support/backfill';

test('archives 2,000 transcripts of a year with two workers, although one is killed in the middle', async () => {
	const { ids, sizes } = await backfillYear(2000);
	expect([...sizes.keys()].sort()).toEqual([...ids].sort());
	expect(Math.min(...sizes.values())).toBeGreaterThan(100);
}, 1_500_000);
