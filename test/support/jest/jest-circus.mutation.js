// A mutant is killed by its first failing test: the rest of this file and all later files are skipped.
// Stryker accepts a test runner only if its name contains `jest-circus`.
const { createEmptyTestResult } = require('@jest/test-result');
const { default: runTestFile } = require('jest-circus/runner');
const progress = require('./mutationProgress');

/** Not of the test's clock, which may be a fake one: Stryker derives its time limit from how long tests take. */
const now = process.hrtime.bigint.bind(process.hrtime);

/** A file without a result would be an error. */
const SKIPPED = { fullName: '', status: 'pending', failureMessages: [] };

module.exports = async (globalConfig, config, environment, runtime, testPath, ...rest) => {
	if (progress.hasFailed)
		return { ...createEmptyTestResult(), testFilePath: testPath, testResults: [SKIPPED] };
	const handle = environment.handleTestEvent?.bind(environment);
	let startedAt = now();
	environment.handleTestEvent = async (event, state) => {
		if (event.name === 'test_start') startedAt = now();
		if (event.name === 'test_done') event.test.duration = Number((now() - startedAt) / 1_000_000n);
		if (event.name === 'test_done' && event.test.errors.length > 0) progress.hasFailed = true;
		if (progress.hasFailed && event.name === 'test_start') event.test.mode = 'skip';
		if (progress.hasFailed && event.name === 'run_describe_start') event.describeBlock.mode = 'skip';
		await handle?.(event, state);
	};
	return await runTestFile(globalConfig, config, environment, runtime, testPath, ...rest);
};
