const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const progress = require('./mutationProgress');

/**
 * Loads only the test files with tests that reach the mutant, fastest first. Stryker selects tests by name, so jest
 * would load every test file. Names and times come from Stryker's dry run, which has no mutants. Every test concerns code
 * that runs at loading: then those files come first that noticed the most such mutants.
 */
module.exports = class MutationSequencer extends Sequencer {
	constructor({ contexts, globalConfig }) {
		super({ contexts, globalConfig });
		this.pattern = globalConfig.testNamePattern && new RegExp(globalConfig.testNamePattern, 'i');
		this.notes = join(globalConfig.rootDir, '.first-run.json');
	}

	sort(tests) {
		progress.hasFailed = false;
		const files = existsSync(this.notes) ? JSON.parse(readFileSync(this.notes, 'utf8')) : {};
		const isConcerned = ({ path }) =>
			!files[path] || !this.pattern || files[path].names.some((name) => this.pattern.test(name));
		const duration = ({ path }) => files[path]?.duration ?? 0;
		const kills = ({ path }) => (this.pattern ? 0 : (files[path]?.kills ?? 0));
		return tests.filter(isConcerned).sort((a, b) => kills(b) - kills(a) || duration(a) - duration(b));
	}

	cacheResults(tests, { testResults }) {
		if (existsSync(this.notes)) {
			if (!this.pattern) this.noteKill(testResults);
			return;
		}
		const files = testResults.map(({ testFilePath, testResults: results }) => [
			testFilePath,
			{
				duration: results.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
				names: results.map(({ fullName }) => fullName),
			},
		]);
		writeFileSync(this.notes, JSON.stringify(Object.fromEntries(files)));
	}

	noteKill(testResults) {
		const killer = testResults.find(({ numFailingTests }) => numFailingTests > 0);
		if (killer === undefined) return;
		const files = JSON.parse(readFileSync(this.notes, 'utf8'));
		const file = files[killer.testFilePath];
		file.kills = (file.kills ?? 0) + 1;
		writeFileSync(this.notes, JSON.stringify(files));
	}
};
