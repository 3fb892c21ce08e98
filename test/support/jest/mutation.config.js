// One project instead of five: Stryker sets its environment for the root of a configuration only.
const { projects } = require('../../../jest.config');

const { PART = '*' } = process.env;
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
	testTimeout: 8_000,
	testMatch: [
		`<rootDir>/test/unit/${PART}/**/*.test.ts`,
		`<rootDir>/test/engine/${engineTests}/**/*.test.ts`,
	],
};
