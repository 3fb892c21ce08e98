import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	csvFormat,
	fileBytes,
	gzip,
	listFileName,
	ndjsonLine,
} from '../../../../nodes/ConversationIntelligence/getMany/file';

test('a line of NDJSON is one line to every reader, and the same row', async () => {
	const text = fc.string({ unit: fc.constantFrom(...'a"\\ \u0085\u2028\u2029\v\f\x1c\x1d\x1e\r\n\t😀') });
	// Once Node 24.21 has parsed a name with a backslash, it reads later names with an escape wrong.
	const key = text.filter((name) => !name.includes('\\'));
	const rows = fc.array(fc.dictionary(key, fc.oneof(text, fc.array(text))), { minLength: 1 });
	await fc.assert(
		fc.asyncProperty(rows, async (all) => {
			const file = all.map((row) => ndjsonLine(row as IDataObject)).join('');
			const lines: string[] = [];
			for await (const line of createInterface({ input: Readable.from([file]) })) lines.push(line);
			expect(lines.map((line) => JSON.parse(line) as object)).toEqual(all.map((row) => ({ ...row })));
			// Where Python's str.splitlines ends a line.
			const ends = '\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029';
			expect([...file].filter((character) => ends.includes(character))).toEqual([]);
		}),
	);
});

test.each([
	['march', 'csv', 'march.csv'],
	['march.CSV', 'csv', 'march.csv'],
	['march.csv', 'ndjson', 'march.ndjson'],
	['v1.2', 'ndjson', 'v1.2.ndjson'],
	['march.csv', 'csv.gz', 'march.csv.gz'],
	['march.gz', 'csv.gz', 'march.csv.gz'],
	['march.csv.gz', 'csv.gz', 'march.csv.gz'],
	// What no file system, or no reader of a list, accepts.
	['ma\u0000rch\r\n1\u202e.csv', 'csv', 'march 1.csv'],
	['\u200b', 'csv', 'awaiting-upload_2026-03-29_2026-03-29.csv'],
	[`${'x'.repeat(250)}.csv`, 'csv', `${'x'.repeat(250)}.csv`],
	['\u{10400}'.repeat(100), 'csv.gz', `${'\u{10400}'.repeat(62)}.csv.gz`],
	// The day that the clocks change, by the clock of the workflow's zone.
	['', 'csv', 'awaiting-upload_2026-03-29_2026-03-29.csv'],
])('the file name %p gets the ending %j: %s', (given, ending, name) => {
	const range = { fromDate: '2026-03-28T23:00:00.000Z', toDate: '2026-03-29T21:59:59.999Z' };
	const list = { rowKind: 'awaiting upload', range, zone: 'Europe/Berlin' };
	expect(listFileName(given, ending, list, new Set())).toBe(name);
});

const CHUNK = 64 * 1024;

test.each<[string, string, string[], number[]]>([
	['no rows and no head', '', [], []],
	['a head alone', 'a,b\r\n', [], [5]],
	['short rows', 'a\r\n', ['1\r\n', '2\r\n', '3\r\n'], [12]],
	['rows that fill one chunk', '', ['a'.repeat(CHUNK - 1), 'b', 'c'], [CHUNK, 1]],
	['characters of several bytes', '€', ['€'.repeat(CHUNK - 1), '😀'], [3 * CHUNK, 4]],
])('a file with %s comes in chunks of about 64 KiB', async (_what, head, texts, sizes) => {
	async function* batches(): AsyncGenerator<IDataObject[]> {
		for (let n = 0; n < texts.length; n += 2) yield texts.slice(n, n + 2).map((text) => ({ text }));
	}
	const chunks: Uint8Array[] = [];
	for await (const chunk of fileBytes(batches(), { head, line: ({ text }) => text as string })) {
		chunks.push(chunk);
	}
	expect(chunks.map(({ length }) => length)).toEqual(sizes);
	expect(Buffer.concat(chunks).toString('utf8')).toBe(head + texts.join(''));
});

test('gzip reads no more than a reader wants, which continues once the source is closed if it stops early', async () => {
	let [isOpen, made] = [false, 0];
	async function* endless(): AsyncGenerator<Uint8Array> {
		isOpen = true;
		try {
			for (; ; made++) yield crypto.getRandomValues(new Uint8Array(CHUNK));
		} finally {
			await new Promise((resolve) => setImmediate(resolve));
			isOpen = false;
		}
	}
	for await (const chunk of gzip(endless())) {
		expect(chunk.length).toBeGreaterThan(0);
		expect(isOpen).toBe(true);
		for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
		expect(made).toBeLessThan(10);
		break;
	}
	expect(isOpen).toBe(false);
});

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

test('an RFC 4180 reader finds every value of a row: with a column or without, nested or in place of an object', () => {
	const nested = [['a'], ['b', 'c'], ['b', 'd'], ['e', 'x']];
	const { line } = csvFormat(nested);
	const text = fc.string({ unit: fc.constantFrom(...'a",\r\n ü😀=\'') });
	const leaf = fc.oneof(text, fc.string()).map((one) => `s${one}`);
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

test('Escape Formulas marks each formula sign behind blanks, a tab or a line break at the start, and nothing else', () => {
	const blanks = ['', '\r\n', ' \t\n', ...' \t\0\u00A0\u3000\u2003\uFEFF\u200B\u2800'];
	const signs = blanks.flatMap((blank) => [...'=+-@＝＋－＠'].map((sign) => `${blank}${sign}SUM(A1)`));
	const others = ['a=1', 'b+c', '5-1', 'ana@b.example', 'a\t=1', ' word', '\u00A0a=1', '“=1”'];
	const read = (all: string[], escapeFormulas: boolean) =>
		all.map((a) => parse(csvFormat([['a']], { escapeFormulas }).line({ a }))[0][0]);
	const formulas = [...signs, '\ta', '\ra', '\na'];
	expect(read(formulas, true)).toEqual(formulas.map((text) => `'${text}`));
	expect(read(others, true)).toEqual(others);
	expect(read(formulas, false)).toEqual(formulas);
});

test('CSV for Excel keeps each character of an ID, a phone number and any text that looks like a number or a date', () => {
	const forExcel = csvFormat([['a']], { forExcel: true, escapeFormulas: true });
	const read = (a: string | number) => parse(forExcel.line({ a }))[0][0];
	const numeric = fc.string({ unit: fc.constantFrom(...'0123456789+-. (),:/eE%'), maxLength: 30 });
	const isRead = (text: string) => /\d/.test(text) && !Number.isNaN(Date.parse(text));
	fc.assert(
		fc.property(numeric, (text) => {
			const isChanged = (text.trim() !== '' && !Number.isNaN(Number(text))) || isRead(text);
			// Spaces outside and signs inside make it text for Excel, too.
			if (isChanged && text === text.trim() && /^[+-]?[\d.]/.test(text))
				expect(read(text)).toBe(`="${text}"`);
		}),
	);
	const figures = ['00501', '123456789012345678', '1E5', '3-14', '10:30', ' 00501', '\u00a000501 '];
	const asText = [...figures, '+1 (555) 010-42', '(555) 010', '2:30 PM'];
	expect(asText.map(read)).toEqual(asText.map((text) => `="${text}"`));
	const others = ['A-7', '2026-03-01T12:00:00Z', 'Straße 5', '1 roof', '=1+1', '1'.repeat(300)];
	expect(others.map(read)).toEqual([...others.slice(0, 4), "'=1+1", others[5]]);
	expect(read(10.5)).toBe('10,5');
});

test.each(['a;b', 'a\tb', 'a\rb', ' a', 'a ', ''])(
	'%j is in quotes, whichever delimiter a reader guesses',
	(a) => {
		expect(csvFormat([['a']]).line({ a })).toBe(`"${a}"\r\n`);
	},
);
