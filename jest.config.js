const shared = {
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
	testPathIgnorePatterns: ['/node_modules/', '/dist/', '/playground/node_modules/'],
	modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.playground', '<rootDir>/playground/package.json'],
};

/** One project per room of `test/`, so that each can run alone: `npx jest --selectProjects engine`. */
const project = (displayName, more = {}) => ({
	...shared,
	displayName,
	testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
	...more,
});

module.exports = {
	projects: [project('unit'), project('engine'), project('contract'), project('e2e'), project('queue')],
	// The real n8n needs minutes on a cold machine; unit tests finish in milliseconds whatever the limit.
	testTimeout: 30_000,
};
