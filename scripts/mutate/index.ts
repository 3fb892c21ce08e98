/**
 * `npx tsx scripts/mutate [D1-EXP …]` breaks the sandbox's rules one by one, each in a fresh copy of the
 * repository, and runs the contract tests that name the rule. The run fails if no such test notices a
 * mutation. Arguments select mutations by the start of their rule.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { tagsIn } from '../apiReference';
import { root, scan } from '../conformance/scan';
import { allMutations } from './all';
import { edited, type Mutation } from './mutation';

const jest = join(dirname(require.resolve('jest/package.json')), 'bin', 'jest.js');
const configName = 'one-project.config.js';
/** Only the contract project, because the others need files that are not copied. */
const config = `const { projects, ...shared } = require('./jest.config.js');
module.exports = { ...shared, ...projects.find(({ displayName }) => displayName === 'contract') };
`;
const needed = [
	'sandbox',
	'nodes',
	'harness',
	'playground',
	'scripts/conformance',
	'test',
	'package.json',
	'jest.config.js',
	'tsconfig.json',
];

interface JestReport {
	numPassedTests: number;
	testResults: Array<{
		message: string;
		assertionResults: Array<{ title: string; status: string }>;
	}>;
}

/** Runs test files in a copy and returns the titles of failed tests. @throws Error when a file cannot run */
function failuresIn(copy: string, files: string[]): string[] {
	const output = join(copy, 'report.json');
	const args = ['--config', configName, '--json', '--outputFile', output, '--runTestsByPath', ...files];
	const { stderr } = spawnSync(process.execPath, [jest, ...args], {
		cwd: copy,
		encoding: 'utf8',
		maxBuffer: Infinity,
	});
	if (!existsSync(output)) throw new Error(`jest could not run: ${stderr.slice(0, 1000)}`);
	const report = JSON.parse(readFileSync(output, 'utf8')) as JestReport;
	const broken = report.testResults.find((result) => result.assertionResults.length === 0);
	if (broken) throw new Error(`A test file could not run: ${broken.message.slice(0, 500)}`);
	return report.testResults
		.flatMap((result) => result.assertionResults)
		.filter(({ status }) => status === 'failed')
		.map(({ title }) => title);
}

function inCopy<Result>(work: (copy: string) => Result): Result {
	const copy = mkdtempSync(join(tmpdir(), 'mutate-'));
	try {
		for (const path of needed) cpSync(join(root, path), join(copy, path), { recursive: true });
		symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
		writeFileSync(join(copy, configName), config);
		return work(copy);
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}

/** Returns the titles of failed tests, and whether one of them names the broken rule. */
function run(mutation: Mutation, files: string[]) {
	return inCopy((copy) => {
		const path = join(copy, mutation.file);
		writeFileSync(path, edited(mutation, readFileSync(path, 'utf8')));
		const failed = failuresIn(copy, files);
		return { failed, isKilled: failed.some((title) => tagsIn(title).includes(mutation.rule)) };
	});
}

function main(prefixes: string[]): void {
	const chosen = allMutations.filter(
		({ rule }) => prefixes.length === 0 || prefixes.some((at) => rule.startsWith(at)),
	);
	const tests = scan('test/contract');
	const filesFor = (rule: string) => [
		...new Set(tests.filter(({ rules }) => rules.includes(rule)).map(({ file }) => file)),
	];
	const everyFile = [...new Set(chosen.flatMap(({ rule }) => filesFor(rule)))];
	const already = inCopy((copy) => failuresIn(copy, everyFile));
	if (already.length > 0) throw new Error(`These tests fail without a mutation: ${already.join('; ')}`);

	console.log('| Rule | Mutation | Tests that failed | |\n| --- | --- | --- | --- |');
	let survivors = 0;
	for (const mutation of chosen) {
		const { failed, isKilled } = run(mutation, filesFor(mutation.rule));
		if (!isKilled) survivors++;
		const first = failed.find((title) => tagsIn(title).includes(mutation.rule)) ?? failed[0] ?? '–';
		const more = failed.length > 1 ? ` and ${failed.length - 1} more` : '';
		const verdict = isKilled ? 'killed' : '**SURVIVED**';
		console.log(
			`| ${mutation.rule} | ${mutation.what} | ${first.replace(/\|/g, '\\|')}${more} | ${verdict} |`,
		);
	}
	console.log(`\n${chosen.length} mutations, ${chosen.length - survivors} killed, ${survivors} survived.`);
	if (survivors > 0 || chosen.length === 0) process.exitCode = 1;
}

try {
	main(process.argv.slice(2));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
