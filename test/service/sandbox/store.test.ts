import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store } from '../../../sandbox/store';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
	['in memory', () => new Store(undefined)],
	['in a folder', () => new Store(mkdtempSync(join(folder, 'each-')))],
])('A store %s', (_name, open) => {
	it('keeps items by ID in the order of insertion', () => {
		const store = open();
		const items = store.collection<{ n: number }>('things');
		items.put('b', { n: 1 });
		items.put('a', { n: 2 });
		items.put('b', { n: 3 });
		expect(items.list()).toEqual([{ n: 3 }, { n: 2 }]);
		expect(items.get('a')).toEqual({ n: 2 });
		expect(items.delete('b')).toBe(true);
		expect(items.delete('b')).toBe(false);
		expect(items.size).toBe(1);
		store.close();
	});

	it('returns the same collection for the same name only', () => {
		const store = open();
		store.collection('one').put('x', 1);
		expect(store.collection('one').get('x')).toBe(1);
		expect(store.collection('two').get('x')).toBeUndefined();
		store.close();
	});
});

describe('A data folder', () => {
	it('keeps items after the store is reopened', () => {
		const place = join(folder, 'new', 'deep');
		const first = new Store(place);
		first.collection('things').put('b', { text: 'ü "quoted" 👋' });
		first.collection('things').put('a', { list: [1, null] });
		first.collection('things').put('gone', {});
		first.collection('things').delete('gone');
		first.close();
		const second = new Store(place);
		expect(second.collection('things').list()).toEqual([{ text: 'ü "quoted" 👋' }, { list: [1, null] }]);
		second.close();
	});

	it('is readable only to its owner, even in a folder that others can read', () => {
		const place = mkdtempSync(join(folder, 'shared-'));
		chmodSync(place, 0o755);
		const store = new Store(place);
		store.collection('things').put('a', 1);
		for (const name of readdirSync(place)) expect(statSync(join(place, name)).mode & 0o077).toBe(0);
		expect(readdirSync(place)).toContain('sandbox.sqlite');
		store.close();
	});

	it('keeps items after the sandbox is killed', () => {
		const place = join(folder, 'killed');
		const script = `
			const { Store } = require(${JSON.stringify(join(__dirname, '../../../sandbox/store'))});
			const store = new Store(${JSON.stringify(place)});
			store.collection('things').put('a', 'written');
			process.kill(process.pid, 'SIGKILL');`;
		const { signal } = spawnSync(process.execPath, ['--import', 'tsx', '--eval', script]);
		expect(signal).toBe('SIGKILL');
		const store = new Store(place);
		expect(store.collection('things').list()).toEqual(['written']);
		store.close();
	});

	it('is named in the error message if it cannot be used', () => {
		const file = join(folder, 'file');
		writeFileSync(file, '');
		expect(() => new Store(join(file, 'below'))).toThrow(/^The data folder ".*below" cannot be used: /);
	});
});
