const shared = {
	testEnvironment: 'node',
	// Before each test, so that none inherits what a failed one replaced.
	restoreMocks: true,
	// For tsx, a file whose name ends in .node would be a native module.
	moduleNameMapper: { '^(\\..*\\.node)\\.js$': '$1' },
	transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
	testPathIgnorePatterns: ['/node_modules/', '/dist/'],
	modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.playground', '<rootDir>/.stryker-tmp'],
};

/** One project per room of `test/`, so that each can run alone: `npx jest --selectProjects nodes`. */
const project = (displayName, more = {}) => ({
	...shared,
	displayName,
	testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
	...more,
});

/** For the projects without an n8n of their own: packages are loaded once for all test files, not once for each. */
const sharingPackages = {
	testEnvironment: '<rootDir>/test/support/jest/environment.js',
	runtime: '<rootDir>/test/support/jest/runtime.js',
	setupFiles: ['<rootDir>/test/support/jest/properties.js'],
};

/** For the projects that run a real n8n with the packed package: both are made once, before the first test file. */
const withN8n = { globalSetup: '<rootDir>/test/support/globalSetup.ts' };

module.exports = {
	projects: [
		project('nodes', {
			...sharingPackages,
			globalSetup: '<rootDir>/test/support/engine/globalSetup.ts',
		}),
		project('service', sharingPackages),
		project('repo', sharingPackages),
		project('n8n', { ...withN8n, testMatch: ['<rootDir>/test/n8n/*.test.ts'] }),
		project('queue', { ...withN8n, testMatch: ['<rootDir>/test/n8n/queue/*.test.ts'] }),
		project('nightly', { ...withN8n, testMatch: ['<rootDir>/test/n8n/nightly/**/*.test.ts'] }),
	],
	// For `--coverage` with the tests that need no real n8n. CI enforces the thresholds.
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageThreshold: { './nodes/': { branches: 95, statements: 99 } },
	coverageReporters: ['json-summary', 'json', 'text'],
	// By default, jest would use only one of two cores.
	maxWorkers: '100%',
	// A worker frees hundreds of megabytes of packages at its end. After jest's 500 ms, it would say that tests leak.
	workerGracefulExitTimeout: 10_000,
	// A real n8n needs minutes on a cold machine. Unit tests finish in milliseconds anyway.
	testTimeout: 30_000,
};
