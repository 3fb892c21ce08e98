import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { figureOf, withFigures } from '../../../scripts/figures';

test('a page gets the figures of the benchmarks, with its own decimals', () => {
	const key = 'export/200-ms/http-request-node';
	const [, seconds] = /^\| 200 ms \| [\d.]+ s \| ([\d.]+) s/m.exec(
		readFileSync(join(__dirname, '../../../docs/reference/benchmarks.md'), 'utf8'),
	)!;
	expect(figureOf(key)).toBe(Number(seconds));
	const quoted = withFigures(`1.5<!--{${key}}--> s, 9<!--1000*{${key}}--> ms`);
	expect(quoted).toBe(
		`${Number(seconds).toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })}<!--{${key}}--> s, ${(Number(seconds) * 1000).toLocaleString('en')}<!--1000*{${key}}--> ms`,
	);
});

test.each(['export/3-ms/this-node', 'export/200-ms/nobody'])(
	'refuses the key %s, which no benchmark has',
	(key) => {
		expect(() => figureOf(key)).toThrow(key);
	},
);
