// One project instead of five: Stryker sets its environment for the root of a configuration only.
const { projects, testTimeout } = require('../../../jest.config');

const { PART = '*' } = process.env;
const engine = projects.find(({ displayName }) => displayName === 'engine');
// Every node uses `shared`.
const engineTests = PART === 'shared' ? '*' : `{${PART},conformance}`;

module.exports = {
	...engine,
	testEnvironment: require.resolve('./environment'),
	rootDir: '../../..',
	testTimeout,
	testMatch: [
		`<rootDir>/test/unit/${PART}/**/*.test.ts`,
		`<rootDir>/test/engine/${engineTests}/**/*.test.ts`,
	],
};
