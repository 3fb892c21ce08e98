import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { conversationsExportSchema } from '../../../../../nodes/shared/exportApi/schemas';
import {
	columnsOf,
	csvFormat,
	type Column,
} from '../../../../../nodes/ConversationIntelligence/getMany/file/csv';

const columns = [['a'], ['b'], ['d']];
const nested = [['a'], ['b', 'c'], ['d']];

/** A reader of RFC 4180, written from its grammar; an unquoted empty cell is null. */
function parse(text: string): Array<Array<string | null>> {
	const records: Array<Array<string | null>> = [];
	const cells = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy;
	let record: Array<string | null> = [];
	for (let match = cells.exec(text); match !== null; match = cells.exec(text)) {
		const [, cell, end] = match;
		record.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell === '' ? null : cell);
		if (end === '\r\n') {
			records.push(record);
			record = [];
		}
		if (cells.lastIndex === text.length) break;
	}
	return records;
}

const same = (a: string[], b: string[]) => JSON.stringify(a) === JSON.stringify(b);

const at = (value: unknown, path: string[]): unknown =>
	path.reduce((inner, key) => Object.getOwnPropertyDescriptor(inner, key)?.value, value);

/** The values of a row that are not null, with their paths. The content of a column is one value. */
function leavesOf(value: unknown, columns: Column[], path: string[] = []): Array<[string[], unknown]> {
	if (value === null || value === undefined) return [];
	const isObject = typeof value === 'object' && !Array.isArray(value);
	if (!isObject || columns.some((column) => same(column, path))) return [[path, value]];
	return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, columns, [...path, key]));
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
		const expected = (one: unknown) =>
			one === null || typeof one === 'string'
				? one
				: typeof one === 'object'
					? JSON.stringify(one)
					: String(one);
		fc.assert(
			fc.property(fc.array(fc.tuple(value, value, value)), (rows) => {
				const { head, line } = csvFormat(columns);
				const text = head + rows.map(([a, c, d]) => line({ a, b: c, d } as IDataObject)).join('');
				expect(parse(text)).toEqual([['a', 'b', 'd'], ...rows.map((row) => row.map(expected))]);
			}),
		);
	});

	test.each([
		['two words', 'two words'],
		[' word', '" word"'],
		['word ', '"word "'],
		['', '""'],
		['a,b', '"a,b"'],
		['a"b', '"a""b"'],
		['a\rb', '"a\rb"'],
		['a\nb', '"a\nb"'],
		[7.5, '7.5'],
		[false, 'false'],
		[null, ''],
	])('writes %j as the cell %j: quotes only where a reader needs them', (value, cell) => {
		expect(csvFormat([['a']]).line({ a: value })).toBe(`${cell}\r\n`);
	});

	test('leaves the cells of a missing or null parent empty', () => {
		expect(csvFormat(nested).line({ a: 1, b: null })).toBe('1,,,\r\n');
		expect(csvFormat(nested).line({})).toBe(',,,\r\n');
	});

	test('writes every undocumented field to the last column', () => {
		const { head, line } = csvFormat(nested);

		expect(head).toBe('a,b.c,d,otherFields\r\n');
		expect(line({ a: 1, x: { y: 2 } })).toBe('1,,,"{""x"":{""y"":2}}"\r\n');
		expect(line({ a: 1 })).toBe('1,,,\r\n');
		expect(line({ b: { c: 1, e: { f: 2 } } })).toBe(',1,,"{""b"":{""e"":{""f"":2}}}"\r\n');
		expect(line({ b: 'text' })).toBe(',,,"{""b"":""text""}"\r\n');
		expect(line({ b: [1] })).toBe(',,,"{""b"":[1]}"\r\n');
		const twoParents = csvFormat([
			['a', 'x'],
			['b', 'y'],
		]);
		expect(twoParents.line({ a: { y: 1 } })).toBe(',,"{""a"":{""y"":1}}"\r\n');
		expect(csvFormat(columns, { otherFields: true }).head).toBe('a,b,d,otherFields\r\n');
		expect(csvFormat(columns).head).toBe('a,b,d\r\n');
	});

	test('keeps every value of a row: documented or not, nested or in place of an object', () => {
		const columnsOfConversations = columnsOf(conversationsExportSchema);
		const { head, line } = csvFormat(columnsOfConversations, { otherFields: true });
		const parents = new Set(
			columnsOfConversations.filter((path) => path.length > 1).map(([parent]) => parent),
		);
		const text = fc.string();
		const documented = Object.fromEntries(
			[...parents, 'title', 'duration', 'customFields'].map((field) => [
				field,
				fc.jsonValue({ maxDepth: 2 }),
			]),
		);
		const address = fc.dictionary(fc.constantFrom('city', 'county', '__proto__', 'toString'), fc.jsonValue());
		const customer = fc.record(
			{ name: fc.jsonValue(), phone: text, address, loyalty: text },
			{ requiredKeys: [] },
		);
		const user = fc.dictionary(fc.constantFrom('id', 'email', 'phone', 'address'), fc.jsonValue());
		const row = fc.oneof(
			fc.record({ ...documented, user, customer, extra: fc.jsonValue() }, { requiredKeys: [] }),
			fc.record(documented, { requiredKeys: [] }),
			fc.dictionary(fc.string(), fc.jsonValue()),
		);
		fc.assert(
			fc.property(row, (given) => {
				// Rows arrive as JSON.
				const sent = JSON.parse(JSON.stringify(given)) as IDataObject;
				const [names, cells] = parse(head + line(sent));
				const found = new Map(names.map((name, n) => [name, cells[n]]));
				const others = JSON.parse(found.get('otherFields') ?? '{}') as IDataObject;
				for (const [path, leaf] of leavesOf(sent, columnsOfConversations)) {
					const cell = found.get(path.join('.'));
					const isColumn = columnsOfConversations.some((column) => same(column, path));
					if (isColumn) expect(cell).toBe(typeof leaf === 'string' ? leaf : JSON.stringify(leaf));
					else expect(at(others, path)).toEqual(leaf);
				}
			}),
			{ numRuns: 1000 },
		);
	});

	test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])(
		'escapes the formula %p on request',
		(formula) => {
			const escaped = parse(csvFormat(columns, { escapeFormulas: true }).line({ a: formula, d: -1 }));
			const plain = parse(csvFormat(columns).line({ a: formula, d: -1 }));

			expect(escaped).toEqual([[`'${formula}`, null, '-1']]);
			expect(plain).toEqual([[formula, null, '-1']]);
		},
	);

	const blanks = [
		'',
		' ',
		'\t',
		'\r\n',
		'\u00A0',
		'\u3000',
		'\u2003',
		'\uFEFF',
		'\u200B',
		'\u2800',
		'\0',
		' \t\u00A0\n',
	];
	const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

	test.each(blanks.map((blank) => [blank]))('escapes every formula sign behind the blanks %j', (blank) => {
		const { line } = csvFormat([['a']], { escapeFormulas: true });
		const texts = signs.map((sign) => `${blank}${sign}SUM(A1)`);
		expect(texts.map((a) => parse(line({ a }))[0][0])).toEqual(texts.map((text) => `'${text}`));
	});

	test.each(['a=1', 'b+c', '5-1', 'ana@b.example', 'a\t=1', ' word', '\u00A0a=1', '“=1”'])(
		'escapes nothing in %p, which no spreadsheet would run',
		(text) => {
			const { line } = csvFormat(columns, { escapeFormulas: true });
			expect(parse(line({ a: text }))).toEqual([[text, null, null]]);
		},
	);

	test('writes an undocumented chosen field to its own column, whatever it contains', () => {
		const columns = columnsOf(conversationsExportSchema, ['title', 'customer', 'novelty', 'user.email']);
		const { head, line } = csvFormat(columns);

		expect(head).toMatch(
			/^title,customer\.name,.*,customer\.address\.country,novelty,user\.email,otherFields\r\n$/,
		);
		expect(line({ title: 'T', novelty: { n: 1 } })).toMatch(/^T,,+"{""n"":1}",,\r\n$/);
	});

	test('has a column for each documented field in its order: dots join nested names, lists and objects stay whole', () => {
		const address = z.object({ street: z.string().nullable(), zip: z.string() });
		const schema = z.object({
			title: z.string().nullable(),
			user: z.object({ id: z.string() }),
			viewers: z.array(z.object({ name: z.string() })),
			customFields: z.record(z.unknown()).nullable(),
			customer: z.object({ email: z.string(), address }).nullable(),
			totalComments: z.number(),
		});
		expect(columnsOf(schema).map((path) => path.join('.'))).toEqual([
			'title',
			'user.id',
			'viewers',
			'customFields',
			'customer.email',
			'customer.address.street',
			'customer.address.zip',
			'totalComments',
		]);
	});
});
