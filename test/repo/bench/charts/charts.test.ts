import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartsOf, IMAGES } from '../../../../bench/charts';
import { tablesOf } from '../../../../bench/charts/tables';
import { readDocument } from '../../../../bench/report';

describe('the charts of docs/BENCHMARKS.md', () => {
	const document = readDocument();

	it.each(chartsOf(document))('$file shows what its table says', ({ file, svg, markdown }) => {
		expect(readFileSync(join(IMAGES, file), 'utf8')).toBe(svg);
		expect(document).toContain(`\n${markdown}\n`);
	});

	it('refuses a table cell that has no number', () => {
		expect(() => chartsOf(document.replace(/(\| 200 ms \| \S+ s \|) \S+ s \|/, '$1 – |'))).toThrow(
			'"–" of HTTP Request is not a number.',
		);
	});
});

describe('tablesOf', () => {
	const document = `<!-- bench:a -->

| Node | Time |
| --- | --- |
| Ours | 1 s |
| Theirs | 2 s |

<!-- /bench:a -->`;

	it('reads the head and the lines of each table of a section', () => {
		expect(tablesOf(document, 'a')).toEqual([
			{
				head: ['Node', 'Time'],
				lines: [
					['Ours', '1 s'],
					['Theirs', '2 s'],
				],
			},
		]);
	});

	it('names a missing section', () => {
		expect(() => tablesOf(document, 'b')).toThrow('docs/BENCHMARKS.md has no section b.');
	});
});
