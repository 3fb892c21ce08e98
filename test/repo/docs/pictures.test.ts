import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleWorkflows } from '../../../harness/workflows';
import { drawn, SOURCES } from '../../../scripts/pictures';

const pages = ['README.md', 'docs/examples.md']
	.map((page) => readFileSync(join(__dirname, '../../..', page), 'utf8'))
	.join('');

test('each picture of an example was taken of the workflow as it is', () => {
	const shown = exampleWorkflows().filter(({ slug }) => pages.includes(`-${slug}.png`));
	const today = Object.fromEntries(shown.map(({ slug, workflow }) => [slug, drawn(workflow)]));
	expect(JSON.parse(readFileSync(SOURCES, 'utf8'))).toEqual(today);
});

test("the README's picture is at most 420 pixels high", () => {
	const [, path, shown] = /src="([^"]+)" width="(\d+)"/.exec(pages)!;
	const png = readFileSync(join(__dirname, '../../..', path));
	expect((Number(shown) * png.readUInt32BE(20)) / png.readUInt32BE(16)).toBeLessThanOrEqual(420);
});
