// `npm run mutation` breaks the nodes in thousands of places, and a test must notice each. PART=ConversationIntelligenceTrigger
// breaks one folder of `nodes/`, `-- --mutate nodes/shared/http/limiter.ts` one file. See test/MUTATION.md.
const { PART = '*', STATIC } = process.env;

export default {
	mutate: PART === 'credentials' ? ['credentials/*.ts'] : [`nodes/${PART}/**/*.ts`],
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	// The sequencer finds the tests that reach a mutant.
	jest: { configFile: 'test/support/jest/mutation.config.js', enableFindRelatedTests: false },
	coverageAnalysis: 'perTest',
	// Values computed at load time are mostly panel texts. STATIC=1 breaks them too, with every test.
	ignoreStatic: !STATIC,
	incremental: true,
	incrementalFile: `node_modules/.cache/stryker/${PART.replaceAll(/\W/g, '-')}.json`,
	ignorePatterns: ['dist', '.playground', '.stryker-tmp', 'coverage'],
	// A leftover copy of the repository would be linted and counted.
	cleanTempDir: 'always',
	concurrency: 2,
	// Ends endless loops. A test that waits fails by jest's own limit.
	timeoutMS: 5_000,
	reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	thresholds: { high: 95, low: 90, break: null },
};
