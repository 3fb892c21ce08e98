import fc from 'fast-check';
import { keyHider } from '../../../../nodes/shared/http/credential';

const hex = (character: string) => character.charCodeAt(0).toString(16);
const upper = (character: string) => hex(character).toUpperCase();
const decimal = (character: string) => character.charCodeAt(0);
const NAMES: Record<string, string> = {
	...{ '+': 'plus', '/': 'sol', '=': 'equals', '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', _: 'lowbar' },
	...{ '.': 'period', "'": 'apos', '%': 'percnt', '#': 'num', $: 'dollar', '*': 'ast', ':': 'colon' },
};

/** How a service or a gateway may write a character. */
const FORMS: Array<(character: string) => string> = [
	(c) => c,
	(c) => `%${hex(c)}`,
	(c) => `%${upper(c)}`,
	(c) => `%25${hex(c)}`,
	(c) => `%2525${upper(c)}`,
	(c) => `%u00${hex(c)}`,
	(c) => `&#${decimal(c)};`,
	(c) => `&#0${decimal(c)};`,
	(c) => `&#x${hex(c)};`,
	(c) => `&#X${upper(c)};`,
	(c) => `&amp;#${decimal(c)};`,
	(c) => (c in NAMES ? `&${NAMES[c]};` : c),
	(c) => (c in NAMES ? `&amp;${NAMES[c]};` : c),
	(c) => `\\u00${hex(c)}`,
	(c) => `\\x${hex(c)}`,
];
/** How JSON may write one: .NET escapes some, other services all of them. */
const IN_JSON: typeof FORMS = [
	(c) => JSON.stringify(c).slice(1, -1),
	(c) => `\\u00${hex(c)}`,
	(c) => `\\u00${upper(c)}`,
	(c) => `\\u0026#${decimal(c)};`,
	(c) => (c === '/' ? '\\/' : JSON.stringify(c).slice(1, -1)),
];

const ASCII = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const key = fc.string({ unit: ASCII, minLength: 8, maxLength: 90 });
const choices = fc.infiniteStream(fc.nat());
const around = fc.string({ unit: ASCII, maxLength: 5 }).map((text) => ` ${text} `);

/** A text in which each character has one of these forms. */
const written = (text: string, forms: typeof FORMS, choice: { next(): IteratorResult<number> }) =>
	[...text].map((character) => forms[(choice.next().value as number) % forms.length](character)).join('');

test('hides a key whatever form each of its characters has, in a text and in the values of JSON', () => {
	fc.assert(
		fc.property(key, choices, choices, around, around, (apiKey, forms, inJson, before, after) => {
			const hide = keyHider(apiKey);
			const shown = written(apiKey, FORMS, forms);
			const hidden = hide(`${before}${shown}${after}`);
			expect(hidden).toContain('***');
			expect(hidden).not.toContain(shown);
			const value = written(apiKey, IN_JSON, inJson);
			const [first, last] = [before, after].map((text) => JSON.stringify(text).slice(1, -1));
			const data = JSON.parse(hide(`{"a":["${first}${value}${last}"],"${value}":1}`)) as { a: string[] };
			for (const text of [data.a[0], Object.keys(data)[1]]) {
				expect(text).toContain('***');
				expect(text).not.toContain(apiKey);
			}
		}),
	);
});

test('leaves everything else as it is', () => {
	const [hide, texts] = [keyHider('AbC+def/0123456789=='), fc.string({ maxLength: 200 })];
	fc.assert(fc.property(texts, (text) => hide(text) === text));
	const others = ['AbC+def/0123456789=', '%41bC+def%2f012345678', '{"a":"\\u0041bC+def"}'];
	expect(others.map(hide)).toEqual(others);
	// As short as a word.
	expect(keyHider('abcdefg')('abcdefg')).toBe('abcdefg');
});

test('hides a long key to its end, and a key in another letter case', () => {
	expect(keyHider('AbC+def/01')('abc%2bDEF/01')).toBe('***');
	const long = 'aB9/'.repeat(500);
	expect(keyHider(long)(`no ${long} and "${encodeURIComponent(long)}"`)).toBe('no *** and "***"');
});

test.each(['\\', '%25', '%2525', '&amp;', '&#0000', '\\u', 'AbC+def/0123456789=', '&plus', '&#38;'])(
	'reads half a megabyte of %j in a moment',
	(unit) => {
		const hide = keyHider('AbC+def/0123456789==');
		const text = unit.repeat(2 ** 19 / unit.length);
		const before = process.cpuUsage();
		expect(hide(text)).toBe(text);
		const { user, system } = process.cpuUsage(before);
		expect((user + system) / 1000).toBeLessThan(250);
	},
);
