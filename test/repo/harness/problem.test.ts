import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { inWords, HarnessProblem } from '../../../harness/problem';
import { runCommand } from '../../../harness/processes/command';
import { describeMissing, findOnPath, POSTGRES, REDIS } from '../../../harness/tools/systemTools';

describe('The console shows', () => {
	test('the message of a known problem, and the stack of an unexpected error', () => {
		expect(inWords(new HarnessProblem('Do this.'))).toBe('Do this.');
		expect(inWords(new TypeError('x is not a function'))).toMatch(/TypeError: x is not a function\n\s+at /);
		expect(inWords('text')).toBe('text');
	});

	test.each([
		['ENOSPC', /^The disk is full\..*\n\(ENOSPC: write\)$/],
		['EACCES', /^You are not allowed to change a folder or file\..*\n/],
		['EROFS', /^The disk is read-only\./],
	])('an explanation of %s', (code, sentence) => {
		expect(inWords(Object.assign(new Error(`${code}: write`), { code, syscall: 'write' }))).toMatch(sentence);
	});

	test('the name of a missing program', async () => {
		const missing = await runCommand('npm-of-nowhere', [], { cwd: '/', env: { PATH: '/nowhere' } }).catch(
			(error: unknown) => error,
		);
		expect(inWords(missing)).toMatch(/^The program "npm-of-nowhere" was not found\. Install it/);
		const npm = await runCommand('npm', [], { cwd: '/', env: { PATH: '/nowhere' } }).catch(
			(error: unknown) => error,
		);
		expect(inWords(npm)).toMatch(/"npm" was not found\. It comes with Node/);
	});
});

describe('System tools', () => {
	test('are found on the path if they are executable', () => {
		const folder = mkdtempSync(join(tmpdir(), 'tools-'));
		try {
			writeFileSync(join(folder, 'tool'), '', { mode: 0o755 });
			writeFileSync(join(folder, 'text'), '', { mode: 0o644 });
			expect(findOnPath('tool', `:/nowhere:${folder}`)).toBe(join(folder, 'tool'));
			expect(findOnPath('text', folder)).toBeUndefined();
			expect(findOnPath('tool', '')).toBeUndefined();
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});

	test('are named with their purpose and how to install them', () => {
		expect(describeMissing([REDIS, POSTGRES])).toBe(
			'Missing: Redis (for queue mode), PostgreSQL (for queue mode). Install it (on Debian or Ubuntu: sudo apt-get install redis-server postgresql) and run the command again.',
		);
	});
});

describe('The repository’s programs', () => {
	const objectionTo = (version: string, platform = 'linux') => {
		const code = `import { objection } from './scripts/objection.mjs'; console.log(objection('${version}', '${platform}') ?? 'none');`;
		const options = { cwd: join(__dirname, '..', '..', '..'), encoding: 'utf8' as const };
		return execFileSync(process.execPath, ['--input-type=module', '-e', code], options).trim();
	};

	test.each(['20.18.1', '20.19.0', '20.18.10', '22.0.0', '24.21.0'])('run on Node %s', (version) => {
		expect(objectionTo(version)).toBe('none');
	});

	test.each(['20.18.0', '20.9.9', '18.99.99', '8.0.0'])('refuse Node %s with a message', (version) => {
		expect(objectionTo(version)).toMatch(`Node ${version} is too old. Install Node 20.18.1 or newer`);
	});

	test('refuse Windows with a message', () => {
		expect(objectionTo('24.0.0', 'win32')).toMatch(/inside the Windows Subsystem for Linux/);
	});
});
