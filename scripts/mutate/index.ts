/**
 * `npm run mutate [-- D1-EXP …]`: breaks one rule of the sandbox after the other, each in a fresh copy of the
 * tree, and runs the contract suite's files that name the rule. A mutation that no such test notices fails the
 * run. An argument chooses the mutations whose rule starts with it.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { tagsIn } from '../../test/contract/rules';
import { root, scan } from '../conformance/scan';
import { type Mutation, mutations } from './mutations';
import { crmMutations } from './mutationsCrm';
import { webhookMutations } from './mutationsWebhook';

const jest = join(dirname(require.resolve('jest/package.json')), 'bin', 'jest.js');
const needed = ['sandbox', 'nodes', 'test/contract', 'package.json', 'jest.config.js', 'tsconfig.json'];

interface JestReport {
	numPassedTests: number;
	testResults: Array<{
		message: string;
		assertionResults: Array<{ title: string; status: string }>;
	}>;
}

/** Runs test files in a copy; the titles of those that failed. @throws Error when a file could not run at all */
function failuresIn(copy: string, files: string[]): string[] {
	const output = join(copy, 'report.json');
	const args = [
		'--selectProjects',
		'contract',
		'--json',
		'--outputFile',
		output,
		'--runTestsByPath',
		...files,
	];
	spawnSync(process.execPath, [jest, ...args], { cwd: copy, stdio: 'ignore' });
	const report = JSON.parse(readFileSync(output, 'utf8')) as JestReport;
	const broken = report.testResults.find((result) => result.assertionResults.length === 0);
	if (broken) throw new Error(`A test file did not run: ${broken.message.slice(0, 500)}`);
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
		return work(copy);
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}

/** @throws Error when the code to edit is not there exactly once: the mutation has to follow the sandbox */
function edit(copy: string, { file, find, replace, what }: Mutation): void {
	const path = join(copy, file);
	const parts = readFileSync(path, 'utf8').split(find);
	if (parts.length !== 2)
		throw new Error(`"${what}": ${file} holds the code to edit ${parts.length - 1} times.`);
	writeFileSync(path, parts.join(replace));
}

/** Titles of failed tests, and whether one of them names the broken rule. */
function run(mutation: Mutation, files: string[]) {
	return inCopy((copy) => {
		edit(copy, mutation);
		const failed = failuresIn(copy, files);
		return { failed, isKilled: failed.some((title) => tagsIn(title).includes(mutation.rule)) };
	});
}

function main(prefixes: string[]): void {
	const all = [...mutations, ...webhookMutations, ...crmMutations];
	const chosen = all.filter(
		({ rule }) => prefixes.length === 0 || prefixes.some((at) => rule.startsWith(at)),
	);
	const tests = scan('test/contract');
	const filesFor = (rule: string) => [
		...new Set(tests.filter(({ rules }) => rules.includes(rule)).map(({ file }) => file)),
	];
	const everyFile = [...new Set(chosen.flatMap(({ rule }) => filesFor(rule)))];
	const already = inCopy((copy) => failuresIn(copy, everyFile));
	if (already.length > 0) throw new Error(`Without any mutation these tests fail: ${already.join('; ')}`);

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
