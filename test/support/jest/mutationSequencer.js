const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Loads only test files with tests that reach the mutant. Stryker selects tests by their names in its first run, without mutants. */
module.exports = class MutationSequencer extends Sequencer {
	constructor(options) {
		super(options);
		const { testNamePattern, rootDir } = options.globalConfig;
		this.pattern = testNamePattern && new RegExp(testNamePattern, 'i');
		this.notes = join(rootDir, '.first-run.json');
	}

	sort(tests) {
		if (!this.pattern || !existsSync(this.notes)) return tests;
		const names = JSON.parse(readFileSync(this.notes, 'utf8'));
		return tests.filter(({ path }) => !names[path] || names[path].some((name) => this.pattern.test(name)));
	}

	cacheResults(_tests, { testResults }) {
		if (existsSync(this.notes)) return;
		const names = testResults.map((file) => [
			file.testFilePath,
			file.testResults.map(({ fullName }) => fullName),
		]);
		writeFileSync(this.notes, JSON.stringify(Object.fromEntries(names)));
	}
};
