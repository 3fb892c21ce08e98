import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** The measured files. Commits that do not change them leave the figures valid. */
const MEASURED = ['nodes', 'credentials', 'sandbox'];

/** Says in one sentence when, at which commit and on which CPU a benchmark ran. */
export function provenance(): string {
	const git = (...args: string[]) =>
		execFileSync('git', [...args, '--', ...MEASURED], {
			cwd: join(__dirname, '..'),
			encoding: 'utf8',
		}).trim();
	const commit = git('log', '-1', '--format=%h');
	const changes = git('status', '--porcelain') === '' ? '' : ' with uncommitted changes';
	const date = new Date().toISOString().slice(0, 10);
	const cores = cpus();
	const cpu = cores[0].model.replaceAll(/\((R|TM)\)/gi, '').trim();
	return `Measured on ${date} at commit ${commit}${changes}, on ${cores.length} CPU cores (${cpu}).`;
}
