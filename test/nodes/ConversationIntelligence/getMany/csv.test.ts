import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { columnsOf, csvFormat } from '../../../../nodes/ConversationIntelligence/getMany/csv';
import { conversationsExportSchema } from '../../../../nodes/shared/exportApi/schemas';

const columns = [['a'], ['b'], ['d']];
const nested = [['a'], ['b', 'c'], ['b', 'd'], ['e', 'x']];

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

describe('CSV', () => {
	test('writes any text, number, list and null so that an RFC 4180 reader returns it', () => {
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
				const { head, line } = csvFormat(columns);
				const text = head + rows.map(([a, b, d]) => line({ a, b, d } as IDataObject)).join('');
				expect(parse(text)).toEqual([['a', 'b', 'd'], ...rows.map((row) => row.map(expected))]);
			}),
		);
	});

	test.each([
		['two words', 'two words'],
		[' word', '" word"'],
		['word ', '"word "'],
		['', '""'],
		['a;b', '"a;b"'],
		['a\rb', '"a\rb"'],
		[7.5, '7.5'],
		[null, ''],
	])('writes %j as the cell %j: quotes only where a reader needs them', (value, cell) => {
		expect(csvFormat([['a']]).line({ a: value })).toBe(`${cell}\r\n`);
	});

	test.each<[string, IDataObject, string]>([
		['a missing parent', {}, ',,,,'],
		['a null parent', { a: 1, b: null }, '1,,,,'],
		['an undocumented field', { a: 1, x: { y: 2 } }, '1,,,,"{""x"":{""y"":2}}"'],
		['an undocumented field in an object', { b: { c: 1, x: { f: 2 } } }, ',1,,,"{""b"":{""x"":{""f"":2}}}"'],
		['text in place of an object', { b: 'text' }, ',,,,"{""b"":""text""}"'],
		['a list in place of an object', { b: [1] }, ',,,,"{""b"":[1]}"'],
		['a key like __proto__', JSON.parse('{"__proto__":1}') as IDataObject, ',,,,"{""__proto__"":1}"'],
	])('writes a row with %s', (_what, row, line) => {
		expect(csvFormat(nested).line(row)).toBe(`${line}\r\n`);
	});

	test('keeps every value of a row: with a column or without, nested or in place of an object', () => {
		const { line } = csvFormat(nested);
		const leaf = fc.string().map((text) => `s${text}`);
		const part = fc.dictionary(fc.constantFrom('c', 'd', 'x'), leaf, { minKeys: 1 });
		const row = fc.dictionary(
			fc.constantFrom('a', 'b', 'e', 'x', 'toString'),
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
	});

	test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])(
		'escapes the formula %p on request',
		(a) => {
			const escaped = parse(csvFormat(columns, { escapeFormulas: true }).line({ a, d: -1 }));
			expect(escaped).toEqual([[`'${a}`, null, '-1']]);
			expect(parse(csvFormat(columns).line({ a, d: -1 }))).toEqual([[a, null, '-1']]);
		},
	);

	const BLANKS = ['', '\r\n', ' \t\n', ...' \t\0\u00A0\u3000\u2003\uFEFF\u200B\u2800'];
	test.each(BLANKS.map((blank) => [blank]))('escapes every formula sign behind the blanks %j', (blank) => {
		const { line } = csvFormat([['a']], { escapeFormulas: true });
		const texts = [...'=+-@＝＋－＠'].map((sign) => `${blank}${sign}SUM(A1)`);
		expect(texts.map((a) => parse(line({ a }))[0][0])).toEqual(texts.map((text) => `'${text}`));
	});

	test.each(['a=1', 'b+c', '5-1', 'ana@b.example', 'a\t=1', ' word', '\u00A0a=1', '“=1”'])(
		'escapes nothing in %p, which no spreadsheet would run',
		(a) => {
			const { line } = csvFormat(columns, { escapeFormulas: true });
			expect(parse(line({ a }))).toEqual([[a, null, null]]);
		},
	);
});

describe('Columns', () => {
	test('of chosen fields keep their order, and an undocumented one has its own, whatever it contains', () => {
		const { head, line } = csvFormat(columnsOf(conversationsExportSchema, ['title', 'user', 'novelty']));
		expect(head).toBe('title,user.id,user.name,user.email,novelty,otherFields\r\n');
		expect(line({ title: 'T', novelty: { n: 1 } })).toBe('T,,,,"{""n"":1}",\r\n');
	});
});
