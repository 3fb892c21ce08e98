import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { installHost } from '../../../../harness/install/install';
import { takeLock } from '../../../../harness/install/lock';

/** A fake npm that records its commands, and fails with the content of a file if there is one. */
const NPM = `#!/bin/sh
echo "$1" >> "$FAKE/calls"
[ "$1" = install ] && mkdir -p node_modules/n8n && echo {} > node_modules/n8n/package.json
[ -f "$FAKE/$1" ] || exit 0
cat "$FAKE/$1" >&2
exit 1
`;

// The test must not depend on free disk space.
jest.mock('../../../../harness/install/requirements', () => ({
	...jest.requireActual('../../../../harness/install/requirements'),
	requireDiskSpace: () => {},
}));

describe('Installing n8n', () => {
	const env = { ...process.env };
	let fake: string;
	let parent: string;
	let folder: string;

	beforeEach(() => {
		fake = mkdtempSync(join(tmpdir(), 'install-'));
		parent = join(fake, 'cache');
		folder = join(parent, 'host-1');
		mkdirSync(parent);
		// With these tools, no network request is needed.
		for (const tool of ['npm', 'python3', 'make', 'g++']) {
			writeFileSync(join(fake, tool), NPM);
			chmodSync(join(fake, tool), 0o755);
		}
		process.env.FAKE = fake;
		process.env.PATH = [fake, env.PATH].join(delimiter);
	});
	afterEach(() => {
		jest.restoreAllMocks();
		process.env = { ...env };
		rmSync(fake, { recursive: true, force: true });
	});

	const install = async () => await installHost(folder, () => {});
	const fail = (command: string, message: string) => writeFileSync(join(fake, command), message);
	const succeed = (command: string) => rmSync(join(fake, command));
	const calls = () => readFileSync(join(fake, 'calls'), 'utf8').trim().split('\n');

	test('leaves only a complete folder', async () => {
		await install();
		expect(calls()).toEqual(['view', 'install', 'rebuild']);
		expect(readdirSync(parent)).toEqual(['host-1']);
		expect(existsSync(join(folder, 'node_modules', 'n8n', 'package.json'))).toBe(true);
	});

	test('continues with the driver if only the driver failed', async () => {
		fail('rebuild', 'warn getaddrinfo ENOTFOUND github.com\ngyp ERR! stack Error: not found: make');
		await expect(install()).rejects.toThrow(/Python 3, make or a C\+\+ compiler is missing/);
		expect(existsSync(folder)).toBe(false);
		succeed('rebuild');
		await install();
		expect(calls()).toEqual(['view', 'install', 'rebuild', 'rebuild']);
		expect(existsSync(join(folder, 'node_modules', 'n8n', 'package.json'))).toBe(true);
	});

	test('starts over if the download failed', async () => {
		fail('install', 'npm error code ENOTFOUND');
		await expect(install()).rejects.toThrow(/registry cannot be reached/);
		expect(readdirSync(parent)).toEqual([]);
		succeed('install');
		await install();
		expect(calls()).toEqual(['view', 'install', 'view', 'install', 'rebuild']);
	});

	test('removes interrupted installations of other versions, but not running ones', async () => {
		const [left, busy] = ['.unfinished-host-0', '.unfinished-host-2'].map((name) => join(parent, name));
		for (const each of [left, busy]) mkdirSync(each);
		const release = takeLock(join(parent, 'host-2'))!;
		await install();
		release();
		expect(existsSync(left)).toBe(false);
		expect(existsSync(busy)).toBe(true);
	});

	test('names missing build tools before the download', async () => {
		process.env.PATH = fake;
		jest.spyOn(process, 'getuid').mockReturnValue(1000);
		rmSync(join(fake, 'make'));
		jest.spyOn(global, 'fetch').mockRejectedValue(new TypeError('fetch failed'));
		for (const name of Object.keys(process.env)) if (/proxy/i.test(name)) delete process.env[name];
		await expect(install()).rejects.toThrow(
			/^Missing: make \(for compiling n8n’s database driver\)\. Install it .*apt-get install make\)/,
		);
		expect(existsSync(join(fake, 'calls'))).toBe(false);
	});
});
