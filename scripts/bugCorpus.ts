/**
 * `npx tsx scripts/bugCorpus.ts [commit …]` takes the fixes of the history back, one at a time, and names the test that
 * notices each: by default every `fix` commit whose part in nodes/ and credentials/ still applies in reverse. It prints
 * a table, and fails if no test notices a bug. If it is killed, `git checkout nodes credentials` restores the sources.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const ROOT = join(__dirname, '..');
const SOURCES = ['nodes', 'credentials'];

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** Takes a commit's part in the sources back. Returns whether it could. */
const takeBack = (commit: string): boolean => {
	const input = `${git('diff', `${commit}^`, commit, '--', ...SOURCES)}\n`;
	return spawnSync('git', ['apply', '--reverse'], { cwd: ROOT, input }).status === 0;
};

interface Results {
	testResults: Array<{
		name: string;
		assertionResults: Array<{ status: string; fullName: string }>;
	}>;
}

/** Runs the tests that reach these files until one fails. Returns its name. */
function firstFailure(files: string[]): string | undefined {
	const folder = mkdtempSync(join(tmpdir(), 'bug-corpus-'));
	const output = join(folder, 'results.json');
	const jest = ['jest', '--selectProjects', 'nodes', '--bail', '--json', `--outputFile=${output}`];
	try {
		const { status } = spawnSync('npx', [...jest, '--findRelatedTests', ...files], { cwd: ROOT });
		if (status === 0) return undefined;
		const { testResults }: Results = JSON.parse(readFileSync(output, 'utf8'));
		for (const { name, assertionResults } of testResults) {
			const failed = assertionResults.find((one) => one.status === 'failed');
			if (failed) return `${relative(join(ROOT, 'test'), name)}: ${failed.fullName}`;
		}
		return 'a test file that no longer loads';
	} finally {
		rmSync(folder, { recursive: true });
	}
}

if (git('status', '--porcelain', ...SOURCES) !== '')
	throw new Error('Commit the changes of the sources first.');
const given = process.argv.slice(2);
const fixes = git('log', '--format=%h', '--extended-regexp', '--grep=^fix[(:]', '--', ...SOURCES).split('\n');
console.log('| Fix | Noticed by |\n| --- | --- |');
for (const commit of given.length > 0 ? given : fixes) {
	if (!takeBack(commit)) {
		if (given.length > 0) console.log(`| ${commit} | – (no longer applies in reverse) |`);
		continue;
	}
	try {
		const found = firstFailure(git('diff', '--name-only', '--', ...SOURCES).split('\n'));
		console.log(`| ${git('log', '-1', '--format=%h %s', commit)} | ${found ?? '**nothing**'} |`);
		if (found === undefined) process.exitCode = 1;
	} finally {
		git('checkout', '--quiet', '--', ...SOURCES);
		git('clean', '--quiet', '--force', '-d', '--', ...SOURCES);
	}
}
