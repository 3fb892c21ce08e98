/**
 * `npx tsx scripts/bugCorpus.ts [commit …]` takes the fixes of the history back, one at a time, and names the test that
 * notices each: by default every `fix` commit whose part in nodes/ and credentials/ can still be reverted. It prints
 * a table, and fails if no test notices a bug. If it is killed, `git reset --hard` restores the sources.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const SOURCES = ['nodes', 'credentials'];

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** Takes a commit's part in the sources back, also of files that were moved since. Returns whether it could. */
const takeBack = (commit: string): boolean => {
	spawnSync('git', ['revert', '--no-commit', commit], { cwd: ROOT });
	if (git('diff', '--name-only', '--diff-filter=U', '--', ...SOURCES) !== '') return false;
	git('checkout', '--quiet', 'HEAD', '--', '.', ...SOURCES.map((folder) => `:!${folder}`));
	return true;
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

if (git('status', '--porcelain') !== '') throw new Error('Commit your changes first.');
const given = process.argv.slice(2);
const fixes = git('log', '--format=%h', '--extended-regexp', '--grep=^fix[(:]', '--', ...SOURCES).split('\n');
console.log('| Fix | Noticed by |\n| --- | --- |');
for (const commit of given.length > 0 ? given : fixes) {
	try {
		if (takeBack(commit)) {
			const found = firstFailure(git('diff', 'HEAD', '--name-only', '--', ...SOURCES).split('\n'));
			console.log(`| ${git('log', '-1', '--format=%h %s', commit)} | ${found ?? '**nothing**'} |`);
			if (found === undefined) process.exitCode = 1;
		} else if (given.length > 0) console.log(`| ${commit} | – (can no longer be reverted) |`);
	} finally {
		git('reset', '--quiet', '--hard', 'HEAD');
		git('clean', '--quiet', '--force', '-d', '--', ...SOURCES);
	}
}
