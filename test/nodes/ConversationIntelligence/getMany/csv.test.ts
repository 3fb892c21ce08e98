import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { csvFormat } from '../../../../nodes/ConversationIntelligence/getMany/csv';

/** A reader of RFC 4180, written from its grammar; an unquoted empty cell is null. */
function parse(text: string): Array<Array<string | null>> {
	const records: Array<Array<string | null>> = [[]];
	for (const [, cell, end] of text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy)) {
		const value = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell || null;
		records.at(-1)!.push(value);
		if (end === '\r\n') records.push([]);
	}
	return records.slice(0, -1);
}

test('CSV is any text, number, list and null so that an RFC 4180 reader returns it', () => {
	const value = fc.oneof(
		fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', 'ü', '😀', '=', "'") }),
		fc.string(),
		fc.double({ noNaN: true, noDefaultInfinity: true }),
		fc.boolean(),
		fc.constant(null),
		fc.array(fc.string(), { maxLength: 2 }),
	);
	const expected = (one: unknown) => {
		if (one === null || typeof one === 'string') return one;
		return typeof one === 'object' ? JSON.stringify(one) : String(one);
	};
	fc.assert(
		fc.property(fc.array(fc.tuple(value, value, value)), (rows) => {
			const { head, line } = csvFormat([['a'], ['b'], ['d']]);
			const text = head + rows.map(([a, b, d]) => line({ a, b, d } as IDataObject)).join('');
			expect(parse(text)).toEqual([['a', 'b', 'd'], ...rows.map((row) => row.map(expected))]);
		}),
	);
});

test('CSV keeps every value of a row: with a column or without, nested or in place of an object', () => {
	const nested = [['a'], ['b', 'c'], ['b', 'd'], ['e', 'x']];
	const { line } = csvFormat(nested);
	const leaf = fc.string().map((text) => `s${text}`);
	const part = fc.dictionary(fc.constantFrom('c', 'd', 'x'), leaf, { minKeys: 1 });
	const row = fc.dictionary(
		fc.constantFrom('a', 'b', 'e', 'x', 'toString', '__proto__'),
		fc.oneof(leaf, part, fc.array(leaf)),
	);
	fc.assert(
		fc.property(row, (given) => {
			const [cells] = parse(line({ ...given }));
			const found = JSON.parse(cells.at(-1) ?? '{}') as Record<string, object>;
			for (const [index, [key, inner]] of nested.entries()) {
				const cell = cells[index];
				if (cell === null) continue;
				const value: unknown = cell.startsWith('s') ? cell : JSON.parse(cell);
				Object.assign(found, { [key]: inner ? { ...found[key], [inner]: value } : value });
			}
			expect(found).toEqual({ ...given });
		}),
	);
	expect(line({ b: null })).toBe(',,,,\r\n');
});

const BLANKS = ['', '\r\n', ' \t\n', ...' \t\0\u00A0\u3000\u2003\uFEFF\u200B\u2800'];
test.each<[string, string, string[]]>([
	...BLANKS.map((blank): [string, string, string[]] => [
		`every formula sign behind the blanks ${JSON.stringify(blank)}`,
		"'",
		[...'=+-@＝＋－＠'].map((sign) => `${blank}${sign}SUM(A1)`),
	]),
	['a tab or a line break at the start', "'", ['\ta', '\ra', '\na']],
	['nothing else', '', ['a=1', 'b+c', '5-1', 'ana@b.example', 'a\t=1', ' word', '\u00A0a=1', '“=1”']],
])('Escape Formulas escapes %s', (_what, mark, texts) => {
	const { line } = csvFormat([['a']], { escapeFormulas: true });
	expect(texts.map((a) => parse(line({ a }))[0][0])).toEqual(texts.map((text) => mark + text));
	const asIs = csvFormat([['a']]);
	expect(texts.map((a) => parse(asIs.line({ a }))[0][0])).toEqual(texts);
});

test.each(['a;b', 'a\tb', 'a\rb', ' a', 'a ', ''])(
	'%j is in quotes, whichever delimiter a reader guesses',
	(a) => {
		expect(csvFormat([['a']]).line({ a })).toBe(`"${a}"\r\n`);
	},
);
