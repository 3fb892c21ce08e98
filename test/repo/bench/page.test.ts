import { execFileSync } from 'node:child_process';
import { changedShare, isOutOfDate } from '../../../bench/page';

const git = (...args: string[]) => execFileSync('git', args, { cwd: __dirname, encoding: 'utf8' }).trim();

test('a section is out of date when the measured code has changed since', () => {
	const [now, empty] = [git('rev-parse', 'HEAD'), git('hash-object', '-t', 'tree', '/dev/null')];
	const shareSince = (commit: string) =>
		changedShare(`Measured on 2026-01-01 at commit ${commit}.`, ['nodes']);
	expect([now, empty, 'deadbeef'].map(shareSince)).toEqual([0, 1, 1]);
	expect([isOutOfDate(0.1), isOutOfDate(0.11)]).toEqual([false, true]);
});
