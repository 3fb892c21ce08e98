// One project, because Stryker sets its environment only for the root of a configuration.
const { projects } = require('../../../jest.config');

const { PART = 'shared' } = process.env;
// Every node uses `shared`.
const folder = PART.startsWith('shared') ? '' : `${PART}/`;

module.exports = {
	...projects.find(({ displayName }) => displayName === 'nodes'),
	testEnvironment: require.resolve('./environment'),
	rootDir: '../../..',
	roots: ['<rootDir>/nodes', '<rootDir>/test'],
	testSequencer: require.resolve('./mutationSequencer'),
	testMatch: [`<rootDir>/test/nodes/${folder}**/*.test.ts`],
	// Limits the time of a mutant that makes a test wait for ever.
	testTimeout: 15_000,
};
