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

import { installHost } from '../../../playground/host/install';
import { takeLock } from '../../../playground/host/lock';

/** Stands in for npm: notes its commands, and fails with the words that lie in a file. */
const NPM = `#!/bin/sh
echo "$1" >> "$FAKE/calls"
[ "$1" = install ] && mkdir -p node_modules/n8n && echo {} > node_modules/n8n/package.json
[ -f "$FAKE/$1" ] || exit 0
cat "$FAKE/$1" >&2
exit 1
`;

// Whether the disk has 5 GB left is not this test's matter.
jest.mock('../../../playground/host/requirements', () => ({
	...jest.requireActual('../../../playground/host/requirements'),
	requireDiskSpace: () => {},
}));

describe('The installation of n8n', () => {
	const env = { ...process.env };
	let fake: string;
	let parent: string;
	let folder: string;

	beforeEach(() => {
		fake = mkdtempSync(join(tmpdir(), 'install-'));
		parent = join(fake, 'cache');
		folder = join(parent, 'host-1');
		mkdirSync(parent);
		// With the tools there, nothing is looked for in the network.
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
	const fail = (command: string, words: string) => writeFileSync(join(fake, command), words);
	const succeed = (command: string) => rmSync(join(fake, command));
	const calls = () => readFileSync(join(fake, 'calls'), 'utf8').trim().split('\n');

	test('is whole or not there', async () => {
		await install();
		expect(calls()).toEqual(['view', 'install', 'rebuild']);
		expect(readdirSync(parent)).toEqual(['host-1']);
		expect(existsSync(join(folder, 'node_modules', 'n8n', 'package.json'))).toBe(true);
	});

	test('goes on with the driver when only the driver failed', async () => {
		fail('rebuild', 'warn getaddrinfo ENOTFOUND github.com\ngyp ERR! stack Error: not found: make');
		await expect(install()).rejects.toThrow(/Python 3, make or a C\+\+ compiler is missing/);
		expect(existsSync(folder)).toBe(false);
		succeed('rebuild');
		await install();
		expect(calls()).toEqual(['view', 'install', 'rebuild', 'rebuild']);
		expect(existsSync(join(folder, 'node_modules', 'n8n', 'package.json'))).toBe(true);
	});

	test('begins anew when the download failed', async () => {
		fail('install', 'npm error code ENOTFOUND');
		await expect(install()).rejects.toThrow(/registry cannot be reached/);
		expect(readdirSync(parent)).toEqual([]);
		succeed('install');
		await install();
		expect(calls()).toEqual(['view', 'install', 'view', 'install', 'rebuild']);
	});

	test('removes what killed ones of other versions left, but not what one is at work on', async () => {
		const [left, busy] = ['.unfinished-host-0', '.unfinished-host-2'].map((name) => join(parent, name));
		for (const each of [left, busy]) mkdirSync(each);
		const release = takeLock(join(parent, 'host-2'))!;
		await install();
		release();
		expect(existsSync(left)).toBe(false);
		expect(existsSync(busy)).toBe(true);
	});

	test('names what is missing to compile the driver before the download', async () => {
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
