import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { inWords, HarnessProblem } from '../../../harness/problem';
import { runCommand } from '../../../harness/processes/command';
import { describeMissing, POSTGRES, REDIS } from '../../../harness/tools';

test('the console shows the message of a known problem, and the stack of an unexpected error', () => {
	expect(inWords(new HarnessProblem('Do this.'))).toBe('Do this.');
	expect(inWords(new TypeError('x is not a function'))).toMatch(/TypeError: x is not a function\n\s+at /);
	const full = Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC', syscall: 'write' });
	expect(inWords(full)).toMatch(/^The disk is full\..*\n\(ENOSPC: write\)$/);
});

test('the console names a missing program', async () => {
	const missing: unknown = await runCommand('npm', [], { cwd: '/', env: { PATH: '/nowhere' } }).catch(
		(e) => e,
	);
	expect(inWords(missing)).toMatch(/"npm" was not found\. It comes with Node/);
});

test('missing system tools are named with their purpose and how to install them', () => {
	expect(describeMissing([REDIS, POSTGRES])).toBe(
		'Missing: Redis (for queue mode), PostgreSQL (for queue mode). Install it (on Debian or Ubuntu: sudo apt-get install redis-server postgresql) and run the command again.',
	);
});

test.each([
	['20.18.1', 'linux', 'none'],
	['22.0.0', 'linux', 'none'],
	['20.18.0', 'linux', 'Node 20.18.0 is too old. Install Node 20.18.1 or newer'],
	['24.0.0', 'win32', 'inside the Windows Subsystem for Linux'],
])('on Node %s and %s, the programs object: %s', (version, platform, objection) => {
	const code = `import { objection } from './scripts/check.mjs'; console.log(objection('${version}', '${platform}') ?? 'none');`;
	const options = { cwd: join(__dirname, '..', '..', '..'), encoding: 'utf8' as const };
	expect(execFileSync(process.execPath, ['--input-type=module', '-e', code], options)).toContain(objection);
});
