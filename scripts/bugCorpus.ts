/**
 * `npx tsx scripts/bugCorpus.ts [commit …]` takes the fixes of the history back, one at a time, and names the test that
 * notices each: by default every `fix` commit whose part in nodes/ and credentials/ still applies in reverse. It prints
 * a table, and fails if no test notices a bug. If it is killed, `git checkout nodes credentials` restores the sources.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const SOURCES = ['nodes', 'credentials'];

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** Takes a commit's part in the sources back. Returns whether it could. */
const takeBack = (commit: string): boolean => {
	const input = `${git('diff', `${commit}^`, commit, '--', ...SOURCES)}\n`;
	return spawnSync('git', ['apply', '--reverse'], { cwd: ROOT, input }).status === 0;
};

/** Runs the tests that reach these files until one fails. Returns its name. */
function firstFailure(files: string[]): string | undefined {
	const jest = ['jest', '--selectProjects', 'nodes', '--bail', '--findRelatedTests', ...files];
	const { status, stderr } = spawnSync('npx', jest, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 });
	if (status === 0) return undefined;
	const [, file] = /^FAIL nodes (\S+)/m.exec(stderr) ?? [];
	const [, test] = /^ {2}● (.+)$/m.exec(stderr) ?? [];
	if (file === undefined || test === undefined) throw new Error(`jest ended without a result:\n${stderr}`);
	return `${file}: ${test}`;
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
