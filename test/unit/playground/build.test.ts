import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildIfChanged } from '../../../playground/n8n/build';

describe('The package is built again', () => {
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
		['when a source changed', () => write('nodes/a.ts', 'A'), 2],
		[
			'when a source changed and looks old',
			() => {
				write('nodes/a.ts', 'A');
				utimesSync(join(folder, 'nodes', 'a.ts'), 0, 0);
			},
			2,
		],
		['when a source was taken away', () => rmSync(join(folder, 'nodes', 'b.ts')), 2],
		['when a source was added', () => write('nodes/c.ts', 'c'), 2],
		['when the result is gone', () => rmSync(join(folder, 'dist'), { recursive: true }), 2],
		['when the result was made otherwise', () => write('dist/a.js', 'other'), 2],
		['not when a source was only saved', () => write('nodes/a.ts', 'a'), 1],
	])('%s', async (_, change, expected) => {
		change();
		await buildIfChanged(folder, build);
		await buildIfChanged(folder, build);
		expect(builds).toBe(expected);
	});

	test('when a source was saved during the build, or the build failed', async () => {
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
