import * as fc from 'fast-check';
import { escapeHtml, firstFew, hideQueries, plainText } from '../../../../nodes/shared/base/text';
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

describe('escapeHtml', () => {
	test('shows as the text itself, without markup', () => {
		fc.assert(
			fc.property(texts, (text) => {
				const html = escapeHtml(text).replaceAll('<br />', '\n');
				expect(html).not.toContain('<');
				expect(decoded(html)).toBe(text);
			}),
		);
	});

	test.each([
		[
			'<a href="https://evil.example">Session expired</a>',
			'&lt;a href="https://evil.example">Session expired&lt;/a>',
		],
		['Roof & Sons > AT&T; R&D &lt; &#60;', 'Roof & Sons > AT&amp;T; R&amp;D &amp;lt; &amp;#60;'],
	])('escapes only what HTML would read otherwise: %s', (text, escaped) => {
		expect(escapeHtml(text)).toBe(escaped);
	});
});

describe('plainText', () => {
	test('is one line without anything invisible, and ordinary text stays', () => {
		fc.assert(
			fc.property(texts, fc.nat(50), (text, max) => {
				const plain = plainText(text, max);
				expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
				expect(plain.length).toBeLessThanOrEqual(max + 1);
			}),
		);
		expect(plainText('Größe 🏠 屋根 "a\\b" — né')).toBe('Größe 🏠 屋根 "a\\b" — né');
	});

	test('escapes line breaks, controls and what turns or hides text', () => {
		expect(plainText('a\r\nb\u001b[31m\u202e\u200b\u2028\ud800')).toBe(
			'a\\u000d\\u000ab\\u001b[31m\\u202e\\u200b\\u2028\\ud800',
		);
	});

	test('cuts a long text, by default after 1,000 characters', () => {
		expect(plainText('abcdef', 3)).toBe('abc…');
		expect(plainText('abc', 3)).toBe('abc');
		expect(plainText('ab🏠', 3)).toBe('ab…');
		expect(plainText('x'.repeat(5_000_000))).toBe(`${'x'.repeat(1000)}…`);
	});
});

const SECRET = 'kqzvkqzvkqzv';

/** Each form in which a presigned link reaches a message. */
const LINKS = [
	`https://m.example/t.json?X-Amz-Signature=${SECRET}&X-Amz-Date=${SECRET}`,
	`http:\\/\\/m.example\\/t.json?token=${SECRET}`,
	encodeURIComponent(`https://m.example/t.json?sig=${SECRET}`),
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
	const text = 'Is it https://m.example/a.mp3? With design=1, amz-date=2 and x=3';
	expect(hideQueries(text)).toBe('Is it https://m.example/a.mp3?… With design=1, amz-date=2 and x=3');
});

describe('firstFew', () => {
	test('names at most ten of a list, each cut and on one line, and counts the others', () => {
		const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
		expect(firstFew([])).toBe('');
		expect(firstFew(names(10))).toBe(names(10).join(', '));
		expect(firstFew(new Set(names(12)), (name) => `<${name}>`, '; ')).toMatch(/^<n0>; .*<n9> and 2 more$/);
		fc.assert(
			fc.property(fc.array(texts), fc.nat(20), (list, count) => {
				const text = firstFew([...list, ...Array<string>(count).fill('x'.repeat(100_000))]);
				expect(text.length).toBeLessThan(2100);
				expect(text).not.toContain('\n');
			}),
		);
		expect(firstFew(names(300_000))).toMatch(/n9 and 299990 more$/);
	});
});
