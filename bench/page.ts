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
	const linesSince = (from: string) =>
		git('diff', '--numstat', '-M', from, 'HEAD', '--', ...measured)
			.split('\n')
			.reduce((sum, line) => sum + (Number(line.split('\t')[0]) || 0), 0);
	try {
		return linesSince(commit) / linesSince(git('hash-object', '-t', 'tree', '/dev/null'));
	} catch {
		// A commit that is not here any more.
		return 1;
	}
}

export const isOutOfDate = (share: number): boolean => share > MAX_CHANGED_SHARE;

const git = (...args: string[]): string =>
	execFileSync('git', args, { cwd: join(__dirname, '..'), encoding: 'utf8', stdio: 'pipe' }).trim();

/** A section of docs/reference/benchmarks.md, with its marks. */
const sectionOf = (name: string) => new RegExp(`(<!-- bench:${name} -->)[^]*?(<!-- /bench:${name} -->)`);

export function readSection(name: string): string {
	const [section] = sectionOf(name).exec(readFileSync(PAGE, 'utf8')) ?? [];
	if (section === undefined) throw new Error(`${PAGE} has no section ${name}.`);
	return section;
}

export function writeSection(name: string, markdown: string): void {
	const written = (_section: string, begin: string, end: string) => `${begin}\n\n${markdown}\n\n${end}`;
	writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(sectionOf(name), written));
}
