// One project, because Stryker sets its environment only for the root of a configuration.
const { projects } = require('../../../jest.config');

const { PART = '' } = process.env;

module.exports = {
	...projects.find(({ displayName }) => displayName === 'nodes'),
	testEnvironment: require.resolve('./environment'),
	rootDir: '../../..',
	roots: ['<rootDir>/nodes', '<rootDir>/test'],
	testSequencer: require.resolve('./mutationSequencer'),
	// Every node uses `shared`.
	testMatch: [`<rootDir>/test/nodes/${PART.startsWith('shared') ? '' : PART}**/*.test.ts`],
	// Limits the time of a mutant that makes a test wait for ever.
	testTimeout: 15_000,
};
