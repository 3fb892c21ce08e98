import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { DRIVER_CAUSES, nodeHeaders } from '../../../../harness/install/driver';
import { hostFolder } from '../../../../harness/install/location';
import { explainFailure } from '../../../../harness/install/npm';

const failed = (stderr: string) => ({ code: 1, stdout: '', stderr });

describe('The folder of the installed n8n', () => {
	const usual = join(homedir(), '.cache', 'n8n-nodes-conversation-intelligence');

	test.each([
		['is in PLAYGROUND_CACHE', { PLAYGROUND_CACHE: '/x' }, '/x'],
		['is in the cache folder', { XDG_CACHE_HOME: '/y' }, '/y/n8n-nodes-conversation-intelligence'],
		['is in the home folder by default', {}, usual],
		['is in the home folder if the variables are empty', { PLAYGROUND_CACHE: '', XDG_CACHE_HOME: '' }, usual],
	])('%s', (_, env, parent) => {
		expect(dirname(hostFolder(env))).toBe(parent);
	});
});

describe('A failure of npm', () => {
	test.each([
		['npm error code ENOTFOUND', /registry cannot be reached/],
		['npm error code E404', /lacks one of n8n’s packages/],
		['npm error ENOSPC: no space left on device, write', /disk is full/],
		['npm error code EROFS', /read-only/],
	])('is explained for the download output %s', (output, sentence) => {
		expect(explainFailure('npm install', failed(output))).toMatch(sentence);
	});

	const unreached = 'prebuild-install warn install getaddrinfo ENOTFOUND github.com';
	test.each([
		['gyp ERR! find Python Could not find any Python installation to use', /Python 3, make or a C\+\+/],
		['gyp ERR! stack Error: not found: make', /Python 3, make or a C\+\+/],
		['make: g++: No such file or directory\nmake: g++: not found\ngyp ERR! build error', /C\+\+ compiler/],
		[
			'gyp info find Python using Python version 3.11.7 found at "/usr/bin/python3"\ngyp ERR! stack FetchError: request to https://nodejs.org/download/release/v24.0.0/node-v24.0.0-headers.tar.gz failed, reason: getaddrinfo ENOTFOUND nodejs.org',
			/headers .* nodejs\.org/,
		],
		[
			'gyp info find Python using Python version 3.11.7 found at "/usr/bin/python3"\nsqlite3.c:1: fatal error: error writing to x.o: No space left on device (ENOSPC)\ngyp ERR! build error',
			/disk is full/,
		],
	])('is explained for the build output %s', (output, sentence) => {
		const message = explainFailure('npm rebuild', failed(`${unreached}\n${output}`), DRIVER_CAUSES);
		expect(message).toMatch(sentence);
		expect(message).not.toMatch(/registry/);
	});

	test('is quoted if its cause is unknown', () => {
		const message = explainFailure('npm rebuild', failed(`${unreached}\nnpm error strange`), DRIVER_CAUSES);
		expect(message).toBe('npm rebuild failed (exit code 1):\nnpm error strange');
	});
});

test('Node’s headers are found in the first folder that has them', () => {
	const folder = mkdtempSync(join(tmpdir(), 'headers-'));
	try {
		const [without, withThem] = [join(folder, 'a'), join(folder, 'b')];
		mkdirSync(join(withThem, 'include', 'node'), { recursive: true });
		expect(nodeHeaders([without, withThem])).toBeUndefined();
		writeFileSync(join(withThem, 'include', 'node', 'node.h'), '');
		expect(nodeHeaders([without, withThem])).toBe(withThem);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
});
