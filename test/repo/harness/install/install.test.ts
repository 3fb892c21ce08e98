import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { hostFolder, installHost } from '../../../../harness/install/host';

/** A fake npm that records its commands, and fails with the content of a file if there is one. */
const NPM = `#!/bin/sh
echo "$1" >> "$FAKE/calls"
[ "$1" = install ] && mkdir -p node_modules/n8n && echo {} > node_modules/n8n/package.json
[ -f "$FAKE/$1" ] || exit 0
cat "$FAKE/$1" >&2
exit 1
`;

describe('Installing n8n', () => {
	const env = { ...process.env };
	let fake: string;
	let parent: string;

	beforeEach(() => {
		fake = mkdtempSync(join(tmpdir(), 'install-'));
		parent = join(fake, 'cache');
		for (const tool of ['npm', 'python3', 'make', 'g++'])
			writeFileSync(join(fake, tool), NPM, { mode: 0o755 });
		process.env.FAKE = fake;
		process.env.PATH = [fake, env.PATH].join(delimiter);
	});
	afterEach(() => {
		process.env = { ...env };
		rmSync(fake, { recursive: true, force: true });
	});

	const install = async () => await installHost(join(parent, 'host-1'), () => {});
	const calls = () => readFileSync(join(fake, 'calls'), 'utf8').trim().split('\n');

	test('leaves only a complete folder', async () => {
		await install();
		expect(calls()).toEqual(['install', 'rebuild']);
		expect(readdirSync(parent)).toEqual(['host-1']);
		expect(existsSync(join(parent, 'host-1/node_modules/n8n/package.json'))).toBe(true);
	});

	test.each([
		['install', 'npm error code ENOTFOUND', ['install', 'install', 'rebuild']],
		['rebuild', 'gyp ERR! stack Error: not found: make', ['install', 'rebuild', 'install', 'rebuild']],
	])('quotes npm if its %s fails, and starts over the next time', async (command, message, expected) => {
		writeFileSync(join(fake, command), message);
		await expect(install()).rejects.toThrow(`failed:\n${message}`);
		expect(existsSync(join(parent, 'host-1'))).toBe(false);
		rmSync(join(fake, command));
		await install();
		expect(calls()).toEqual(expected);
		expect(readdirSync(parent)).toEqual(['host-1']);
	});
});

test.each([
	[{ PLAYGROUND_CACHE: '/x' }, '/x'],
	[{ XDG_CACHE_HOME: '/y' }, '/y/n8n-nodes-conversation-intelligence'],
	[{ PLAYGROUND_CACHE: '' }, join(homedir(), '.cache', 'n8n-nodes-conversation-intelligence')],
])('with the variables %j, n8n is installed in %s', (variables, parent) => {
	expect(dirname(hostFolder(variables))).toBe(parent);
});
