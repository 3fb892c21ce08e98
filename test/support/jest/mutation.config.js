// One project instead of five, because Stryker sets its environment only for the root of a configuration.
const { projects } = require('../../../jest.config');

const { PART = '*', TESTS } = process.env;
const engine = projects.find(({ displayName }) => displayName === 'nodes');
// Every node uses `shared`.
const parts = PART === 'shared' ? '*' : PART;

module.exports = {
	...engine,
	testEnvironment: require.resolve('./environment'),
	rootDir: '../../..',
	roots: ['<rootDir>/nodes', '<rootDir>/test'],
	setupFiles: [require.resolve('./mutationSetup')],
	testRunner: require.resolve('./jest-circus.mutation'),
	testSequencer: require.resolve('./mutationSequencer'),
	// Limits the time of a mutant that makes a test wait forever.
	testTimeout: 15_000,
	// The generated pages import nodes as tsx wants it.
	moduleNameMapper: { '(.*\\.node)\\.js$': '$1' },
	// TESTS selects test files, e.g. `nodes/shared/*`, for a quick lower bound of the score.
	testMatch: [...(TESTS?.split(' ') ?? [`nodes/${parts}/**/*`]), 'support/jest/generated'].map(
		(tests) => `<rootDir>/test/${tests}.test.ts`,
	),
};
