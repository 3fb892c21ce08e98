// One project instead of five: Stryker sets its environment for the root of a configuration only.
const { projects } = require('../../../jest.config');

const { PART = '*', TESTS } = process.env;
const engine = projects.find(({ displayName }) => displayName === 'engine');
// Every node uses `shared`.
const engineTests = PART === 'shared' ? '*' : `{${PART},conformance}`;

module.exports = {
	...engine,
	testEnvironment: require.resolve('./environment'),
	rootDir: '../../..',
	roots: ['<rootDir>/nodes', '<rootDir>/test'],
	setupFiles: [...engine.setupFiles, require.resolve('./mutationSetup')],
	testRunner: require.resolve('./jest-circus.mutation'),
	testSequencer: require.resolve('./mutationSequencer'),
	// A mutant that makes a test wait for ever costs this long.
	testTimeout: 5_000,
	// TESTS names those that are about one part, e.g. `unit/shared/*`: a lower bound of the score, sooner.
	testMatch: (TESTS?.split(' ') ?? [`unit/${PART}/**/*`, `engine/${engineTests}/**/*`]).map(
		(tests) => `<rootDir>/test/${tests}.test.ts`,
	),
};
