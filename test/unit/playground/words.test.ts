import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { inWords, PlaygroundProblem } from '../../../playground/problem';
import { runCommand } from '../../../playground/processes/command';
import { describeMissing, findOnPath, POSTGRES, REDIS } from '../../../playground/tools/systemTools';

describe('What the console shows of an error', () => {
	test('a problem’s sentence, and the stack of what nobody foresaw', () => {
		expect(inWords(new PlaygroundProblem('Do this.'))).toBe('Do this.');
		expect(inWords(new TypeError('x is not a function'))).toMatch(/TypeError: x is not a function\n\s+at /);
		expect(inWords('text')).toBe('text');
	});

	test.each([
		['ENOSPC', /^The disk is full\..*\n\(ENOSPC: write\)$/],
		['EACCES', /^You are not allowed to change a folder or file\..*\n/],
		['EROFS', /^The disk is read-only\./],
	])('a sentence for %s', (code, sentence) => {
		expect(inWords(Object.assign(new Error(`${code}: write`), { code, syscall: 'write' }))).toMatch(sentence);
	});

	test('the name of a program that is not there', async () => {
		const missing = await runCommand('npm-of-nowhere', [], { cwd: '/' }).catch((error: unknown) => error);
		expect(inWords(missing)).toMatch(/^The program "npm-of-nowhere" was not found\. Install it/);
		const npm = await runCommand('npm', [], { cwd: '/', env: { PATH: '/nowhere' } }).catch(
			(error: unknown) => error,
		);
		expect(inWords(npm)).toMatch(/"npm" was not found\. It comes with Node/);
	});
});

describe('System tools', () => {
	test('are looked for in the path, executable only', () => {
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

	test('are named with what they are for and how to get them', () => {
		expect(describeMissing([REDIS, POSTGRES])).toBe(
			'Missing: Redis (for queue mode), PostgreSQL (for queue mode). Install it (on Debian or Ubuntu: sudo apt-get install redis-server postgresql) and run the command again.',
		);
	});
});

describe('Programs of the repository', () => {
	const objectionTo = (version: string, platform = 'linux') => {
		const code = `import { objection } from './scripts/objection.mjs'; console.log(objection('${version}', '${platform}') ?? 'none');`;
		const options = { cwd: join(__dirname, '..', '..', '..'), encoding: 'utf8' as const };
		return execFileSync(process.execPath, ['--input-type=module', '-e', code], options).trim();
	};

	test.each(['20.18.1', '20.19.0', '20.18.10', '22.0.0', '24.21.0'])('run on Node %s', (version) => {
		expect(objectionTo(version)).toBe('none');
	});

	test.each(['20.18.0', '20.9.9', '18.99.99', '8.0.0'])('refuse Node %s in a sentence', (version) => {
		expect(objectionTo(version)).toMatch(`Node ${version} is too old. Install Node 20.18.1 or newer`);
	});

	test('refuse Windows in a sentence', () => {
		expect(objectionTo('24.0.0', 'win32')).toMatch(/inside the Windows Subsystem for Linux/);
	});
});
