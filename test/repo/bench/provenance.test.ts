import { execFileSync } from 'node:child_process';
import { changedShare, isOutOfDate, provenance } from '../../../bench/provenance';

const MEASURED = ['nodes/shared/http'];
const git = (...args: string[]) => execFileSync('git', args, { cwd: __dirname, encoding: 'utf8' }).trim();

test('a section that was just measured is up to date', () => {
	expect(provenance(MEASURED)).toMatch(/^Measured on \d{4}-\d\d-\d\d at commit [0-9a-f]+/);
	const share = changedShare(`Measured on 2026-01-01 at commit ${git('rev-parse', 'HEAD')}, on 2.`, MEASURED);
	expect(share).toBe(0);
});

test('a section from before the measured code existed is out of date', () => {
	const empty = git('hash-object', '-t', 'tree', '/dev/null');
	const share = changedShare(`Measured on 2026-01-01 at commit ${empty}.`, MEASURED);
	expect(share).toBe(1);
	expect([isOutOfDate(share), isOutOfDate(0.1)]).toEqual([true, false]);
});

test('a section without a commit is refused', () => {
	expect(() => changedShare('Measured long ago.', MEASURED)).toThrow('The section names no commit.');
});
