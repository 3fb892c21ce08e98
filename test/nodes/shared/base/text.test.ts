import * as fc from 'fast-check';
import {
	cut,
	escapeHtml,
	firstFew,
	invisibleIn,
	hideQueries,
	isPresigned,
	normalized,
	plainText,
	quoted,
	wellFormed,
	wellFormedData,
} from '../../../../nodes/shared/base/text';
import { anyText } from '../../../support/anyText';

const texts = fc.oneof(
	anyText(),
	fc.string({
		unit: fc.constantFrom('<', '&', 'a', 'lt', ';', '#', '\n', '\u202e', '\u200b', '\ud83d', '🏠'),
	}),
);

/** As an HTML parser reads text, for the references that occur here. */
const decoded = (html: string) =>
	html.replace(/&(amp|lt|#\d+);?/g, (_, name) => ({ amp: '&', lt: '<' })[name as string] ?? 'decoded');

test('escapeHtml shows as the text itself, without markup, and escapes only what HTML would read otherwise', () => {
	fc.assert(
		fc.property(texts, (text) => {
			const html = escapeHtml(text).replaceAll('<br />', '\n');
			expect(html).not.toContain('<');
			expect(decoded(html)).toBe(text);
		}),
	);
	const escaped = 'Roof & Sons > AT&amp;T;<br />R&amp;D &amp;lt; &amp;#60;';
	expect(escapeHtml('Roof & Sons > AT&T;\nR&D &lt; &#60;')).toBe(escaped);
});

test('plainText is one line without anything invisible, however long the text', () => {
	fc.assert(
		fc.property(texts, fc.nat(50), (text, max) => {
			const plain = plainText(text, max);
			expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
			expect(plain.length).toBeLessThanOrEqual(max + 1);
		}),
	);
});

test('plainText escapes what is invisible, keeps ordinary text, and cuts one, by default after 1,000 characters', () => {
	const [invisible, ordinary] = ['a\r\nb\u001b[31m\u202e\u200b\u2028\ud800', 'Größe 🏠 屋根 "a\\b" — né'];
	expect(plainText(invisible)).toBe('a\\u000d\\u000ab\\u001b[31m\\u202e\\u200b\\u2028\\ud800');
	expect(plainText(ordinary)).toBe(ordinary);
	expect(['abcdef', 'abc', 'ab🏠'].map((text) => plainText(text, 3))).toEqual(['abc…', 'abc', 'ab…']);
	expect(plainText('x'.repeat(5_000_000))).toBe(`${'x'.repeat(1000)}…`);
});

const SECRET = 'kqzvkqzvkqzv';

/** Each form in which a presigned link reaches a message. */
const LINKS = [
	`https://m.example/t.json?X-Amz-Signature=${SECRET}&X-Amz-Date=${SECRET}`,
	`http:\\/\\/m.example\\/t.json?token=${SECRET}`,
	encodeURIComponent(`https://m.example/t.json?token=${SECRET}`),
	`https://proxy.example/${encodeURIComponent(`https://m.example/a?sig=${SECRET}`)}`,
	`x-goog-x-goog-signature=${SECRET}`,
	`next=1;signature=${SECRET}`,
	`SIG%3d${SECRET}`,
];

test('hideQueries hides every query and signature, wherever the text is cut', () => {
	const parts = fc.array(
		fc.oneof(fc.constantFrom(...LINKS), fc.constantFrom(' ', '"', ',', 'a', '-', '?', 'http://')),
	);
	fc.assert(
		fc.property(parts, fc.nat(500), (some, end) => {
			expect(hideQueries(some.join(' ').slice(0, end))).not.toContain('kqz');
		}),
	);
});

test('hideQueries keeps what is no query', () => {
	const link = 'Is it https://m.example/a.mp3?';
	const text = ' With design=1, amz-date=2 and x=3';
	expect(hideQueries(link + text)).toBe(`${link}…${text}`);
});

test('firstFew names at most ten of a list, each cut and on one line, and counts the others', () => {
	const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
	expect([firstFew([]), firstFew(names(10))]).toEqual(['', names(10).join(', ')]);
	expect(firstFew(new Set(names(12)), (name) => `<${name}>`, '; ')).toMatch(/^<n0>; .*<n9> and 2 more$/);
	expect(firstFew(names(300_000))).toMatch(/n9 and 299990 more$/);
	const long = `${'x'.repeat(200)}…`;
	expect(firstFew(['a\nb', ...Array<string>(10).fill('x'.repeat(100_000))])).toBe(
		`a\\u000ab, ${Array<string>(9).fill(long).join(', ')} and 1 more`,
	);
});

test('quoted hides the query of a link before it cuts a text, and says any value', () => {
	const text = `https://m.example/?token=${SECRET.repeat(10)} ${'x'.repeat(100)}`;
	expect(quoted(text)).toBe(`"https://m.example/?… ${'x'.repeat(78)}…`);
	const said = ['undefined', 'NaN', '7', 'null', '["‹b>"]'];
	expect([undefined, NaN, 7n, null, ['<b>']].map(quoted)).toEqual(said);
});

test('isPresigned says the same of a link each time', () => {
	const links = [LINKS[4], LINKS[4], 'https://m.example/t.json?design=1'];
	expect(links.map(isPresigned)).toEqual([true, true, false]);
});

/** Texts, and what they are when only what people see counts. */
const SEEN: Array<[text: string, seen: string]> = [
	['Sold\u200b', 'Sold'],
	['\ufeffSo\u00adl\u200dd\u0000', 'Sold'],
	['\u202eSold\u2069 \u3164', 'Sold'],
	['No\u00a0Show', 'No Show'],
	['\u3000No\u2009\u200b\u202f\t\r\nShow\u2800\u0085', 'No Show'],
	['U\u0308berlegt', '\u00dcberlegt'],
	['e\u034f\u0301', '\u00e9'],
	['Sold \ud83d', 'Sold \ufffd'],
	...[
		'Sold ✔\ufe0f',
		'👩🏽\u200d💻',
		'❤\ufe0f\u200d🔥',
		'1\ufe0f\u20e3',
		'نمی\u200cخواهم',
		'क्\u200dष',
		'SOLD',
	].map((text): [string, string] => [text, text]),
	['Sold ✅\u200d', 'Sold ✅'],
	['Sold 1\ufe0f', 'Sold 1'],
];

test.each(SEEN)('normalized makes of %j what people see: %j', (text, seen) => {
	expect([normalized(text), normalized(seen)]).toEqual([seen, seen]);
	expect(invisibleIn(seen)).toBeUndefined();
});

test('invisibleIn finds control and zero-width characters, but no space', () => {
	const texts = ['a\u200b', 'a\nb\t', 'a\u00adb', '\u2066a', '\u{e0041}', 'a b', ' a\u00a0', '🏠 né'];
	const found = ['\u200b', '\n', '\u00ad', '\u2066', '\u{e0041}', undefined, undefined, undefined];
	expect(texts.map(invisibleIn)).toEqual(found);
});

const halves = fc.string({
	unit: fc.constantFrom('\ud83d', '\udfe0', '🏠', '\\', 'u', 'd83d', '"', '\n', 'a'),
});
const isWhole = (text: string) => Buffer.from(text).toString() === text;

test('half of a character is replaced, alone or anywhere in data, and cut leaves none', () => {
	fc.assert(
		fc.property(halves, halves, fc.nat(8), (text, key, max) => {
			const whole = wellFormed(text);
			expect(whole).toBe(Buffer.from(text).toString());
			if (isWhole(text))
				expect(cut(text, max)).toBe(
					Buffer.from(text.slice(0, max))
						.toString()
						.replace(/\ufffd$/, ''),
				);
			const data = { [key]: [text, { a: text, b: [1, null] }] };
			expect(wellFormedData(data)).toEqual({ [wellFormed(key)]: [whole, { a: whole, b: [1, null] }] });
		}),
	);
	expect([undefined, 7, '\ud83d'].map(wellFormedData)).toEqual([undefined, 7, '\ufffd']);
	const row = { a: ['🏠'] };
	expect(wellFormedData(row)).toBe(row);
});
