// `npm run mutation` breaks the nodes in thousands of places, and a test must notice each. PART=ConversationIntelligenceTrigger
// breaks one folder of `nodes/` and runs the tests at its path. `-- --mutate nodes/shared/http/limiter.ts` breaks one file.
// ONLY=standard uses Stryker's own mutators alone, ONLY=values ours. SAMPLE=10 makes every tenth mutant.
import { addValueMutators, sampleMutants } from './scripts/valueMutators.mjs';

const { PART = '*', STATIC, ONLY, SAMPLE = '1' } = process.env;
if (ONLY !== 'standard') addValueMutators(ONLY === 'values');
if (SAMPLE !== '1') sampleMutants(Number(SAMPLE));

const CREDENTIALS = ['credentials/*.ts'];

export default {
	mutate:
		PART === 'credentials' ? CREDENTIALS : [`nodes/${PART}/**/*.ts`, ...(PART === '*' ? CREDENTIALS : [])],
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	// Nearly every test is related to `nodes/shared`: the sequencer finds those that reach a mutant.
	jest: { configFile: 'test/support/jest/mutation.config.js', enableFindRelatedTests: false },
	coverageAnalysis: 'perTest',
	// Values computed at load time are mostly panel texts. STATIC=1 breaks them too, with every test.
	ignoreStatic: !STATIC,
	// A sample must not replace the results of all.
	incremental: SAMPLE === '1',
	incrementalFile: `node_modules/.cache/stryker/${PART === '*' ? 'all' : PART}${ONLY ?? ''}.json`,
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
