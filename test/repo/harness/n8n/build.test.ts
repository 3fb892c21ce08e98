import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfChanged } from '../../../../harness/n8n/build';

describe('The package is rebuilt', () => {
	let folder: string;
	let builds: number;

	const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
	const build = async () => {
		builds++;
		rmSync(join(folder, 'dist'), { recursive: true, force: true });
		mkdirSync(join(folder, 'dist'));
		write('dist/a.js', 'built');
	};

	beforeEach(async () => {
		folder = mkdtempSync(join(tmpdir(), 'build-'));
		for (const name of ['nodes', 'node_modules']) mkdirSync(join(folder, name));
		write('package.json', '{}');
		write('nodes/a.ts', 'a');
		write('nodes/b.ts', 'b');
		builds = 0;
		await buildIfChanged(folder, build);
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	test.each([
		[
			'after a source has changed, even with an old modification time',
			() => {
				write('nodes/a.ts', 'A');
				utimesSync(join(folder, 'nodes', 'a.ts'), 0, 0);
			},
			2,
		],
		['after a source has been removed', () => rmSync(join(folder, 'nodes', 'b.ts')), 2],
		['after `dist/` has been changed', () => write('dist/a.js', 'other'), 2],
		['not after a source has been saved without changes', () => write('nodes/a.ts', 'a'), 1],
	])('%s', async (_, change, expected) => {
		change();
		await buildIfChanged(folder, build);
		await buildIfChanged(folder, build);
		expect(builds).toBe(expected);
	});

	test('after a source has changed during the build, or the build has failed', async () => {
		write('nodes/a.ts', '2');
		await buildIfChanged(folder, async () => {
			await build();
			write('nodes/a.ts', '3');
		});
		await buildIfChanged(folder, build);
		expect(builds).toBe(3);
		write('nodes/a.ts', '4');
		await expect(buildIfChanged(folder, async () => Promise.reject(new Error('tsc')))).rejects.toThrow('tsc');
		await buildIfChanged(folder, build);
		expect(builds).toBe(4);
	});
});
