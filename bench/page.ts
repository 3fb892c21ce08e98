import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

const PAGE = join(__dirname, '..', 'docs', 'reference', 'benchmarks.md');

/** A section is out of date when more of its measured lines than this have changed since. */
const MAX_CHANGED_SHARE = 0.1;

/** Says in one sentence when, at which commit and on which CPU a benchmark ran. */
export function provenance(measured: string[]): string {
	const commit = git('log', '-1', '--format=%h', '--', ...measured);
	const changes = git('status', '--porcelain', '--', ...measured) === '' ? '' : ' with uncommitted changes';
	const date = new Date().toISOString().slice(0, 10);
	const cores = cpus();
	const cpu = cores[0].model.replaceAll(/\((R|TM)\)/gi, '').trim();
	return `Measured on ${date} at commit ${commit}${changes}, on ${cores.length} CPU cores (${cpu}).`;
}

/** The share of the measured lines that changed since a section was written. */
export function changedShare(section: string, measured: string[]): number {
	const commit = /Measured on \S+ at commit ([0-9a-f]+)/.exec(section)?.[1];
	if (commit === undefined) throw new Error('The section names no commit.');
	const lines = (numstat: string) =>
		numstat
			.split('\n')
			.map((line) => Number(line.split('\t')[0]) || 0)
			.reduce((sum, added) => sum + added, 0);
	const empty = git('hash-object', '-t', 'tree', '/dev/null');
	const all = lines(git('diff', '--numstat', empty, 'HEAD', '--', ...measured));
	try {
		return lines(git('diff', '--numstat', '-M', commit, 'HEAD', '--', ...measured)) / all;
	} catch {
		return 1;
	}
}

export const isOutOfDate = (share: number): boolean => share > MAX_CHANGED_SHARE;

const git = (...args: string[]): string =>
	execFileSync('git', args, { cwd: join(__dirname, '..'), encoding: 'utf8', stdio: 'pipe' }).trim();

const mark = (name: string) => [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];

/** One section of docs/reference/benchmarks.md. */
export function readSection(name: string): string {
	const text = readFileSync(PAGE, 'utf8');
	const [begin, end] = mark(name).map((each) => text.indexOf(each));
	return text.slice(begin, end);
}

/** Replaces a section of docs/reference/benchmarks.md, which already has its marks. */
export function writeSection(name: string, markdown: string): void {
	const text = readFileSync(PAGE, 'utf8');
	const [begin, end] = mark(name);
	const [before, after] = [text.indexOf(begin), text.indexOf(end)];
	if (before < 0 || after < 0) throw new Error(`${PAGE} has no section ${begin}.`);
	writeFileSync(PAGE, `${text.slice(0, before)}${begin}\n\n${markdown}\n\n${text.slice(after)}`);
}
