/** `RUNS=1000 npx jest …` tries each property so often, as every night; a property never takes longer than a test may. */
require('fast-check').configureGlobal({
	numRuns: Number(process.env.RUNS ?? 100),
	interruptAfterTimeLimit: 20_000,
});
