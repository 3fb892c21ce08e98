// `npm run mutation`: breaks the nodes in thousands of places, and a test must notice. PART=ConversationIntelligenceTrigger breaks one
// folder of `nodes/` and runs the tests at its path; `-- --mutate nodes/shared/transport/retryPolicy.ts` breaks one file.
const { PART = '*', STATIC } = process.env;

export default {
	mutate: [`nodes/${PART}/**/*.ts`, ...(PART === '*' ? ['credentials/*.ts'] : [])],
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	// Engine tests load nodes by the manifest, which jest's search for related tests cannot see.
	jest: { configFile: 'test/support/jest/mutation.config.js', enableFindRelatedTests: false },
	coverageAnalysis: 'perTest',
	// What is computed once at loading is mostly the panel's words; STATIC=1 breaks that too, which runs every test.
	ignoreStatic: !STATIC,
	incremental: true,
	incrementalFile: `node_modules/.cache/stryker/${PART === '*' ? 'all' : PART}.json`,
	ignorePatterns: ['dist', '.playground', '.stryker-tmp', 'coverage'],
	// A copy of the tree that stayed behind would be linted and counted.
	cleanTempDir: 'always',
	concurrency: 2,
	// For endless loops; a test that waits fails by jest's own limit.
	timeoutMS: 5_000,
	reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	thresholds: { high: 95, low: 90, break: null },
};
