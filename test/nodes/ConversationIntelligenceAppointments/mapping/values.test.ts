import fc from 'fast-check';
import {
	readId,
	readLink,
	readObject,
	readPrice,
	readText,
	readTrimmedText,
} from '../../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import { quoted } from '../../../../nodes/shared/base/text';
import { anyText } from '../../../support/anyText';
import { outcomeOf, texts } from '../mapping';

const LINK = `S3://a.example/b?c=1%2F2&d=${'x'.repeat(9_900)}`;
type Read = (value: unknown, label: string) => unknown;

/** What each reader refuses: the code and the values. */
const REFUSED: Array<[string, Read, unknown[]]> = [
	['text_invalid', readText, [[], NaN, {}]],
	['text_invalid', readTrimmedText, [{}, true]],
	['placeholder_refused', readTrimmedText, ['undefined', ' NULL\n', 'nan', '[object Object]']],
	[
		'placeholder_refused',
		readText,
		texts(`undefined undefined | null, null | NaN | Invalid DateTime | <null@null> | {{ $json.name }} | #REF! |
			<no value>`),
	],
	[
		'id_incomplete',
		readId,
		texts(`crm-undefined | undefined-42 | crm-[object Object] | null:7 | a/NaN | dealundefined | crm- | CRM_ |
			deal:visit: | crm-NULL | Invalid Date 5 | 客户- | crm. | - | crm-{{ $json.id }} | a-\${id} | crm-None | crm-<nil> |
			Undefined-4 | crm-#REF! | n/a`),
	],
	['id_incomplete', readId, ['crm- ']],
	[
		'price_invalid',
		readPrice,
		texts('x5 | 5x | 1,20,30 | 1.2.3 | 12- | 1,234.50- | $5 a month | 5 - 9 | 0x10 | NaN | '),
	],
	['price_invalid', readPrice, [Infinity, NaN, true, [5], {}]],
	[
		'link_invalid',
		readLink,
		texts(
			String.raw`https://x.com/undefined | https://x.com/a/null.mp3 | call.mp3 | C:\calls\1.mp3 | //b.example/a`,
		),
	],
	['link_invalid', readLink, [{ toString: '' }, true, 'a https://b']],
	['object_invalid', readObject, [[1], '{"a"', 5]],
	[
		'number_inexact',
		readObject,
		['{"a":[{"b":12345678901234567890}]}', { a: [{ b: NaN }] }, { a: -Infinity }],
	],
	[
		'placeholder_refused',
		(value, label) => readObject({ a: [{ b: value }] }, label),
		['[object Object]', 'NaN'],
	],
];

// D2-BODY-02, D2-ERR-08
test.each(REFUSED.flatMap(([code, read, values]) => values.map((value) => [value, code, read] as const)))(
	'%p is refused with %s, and quoted',
	(value, code, read) => {
		const words = value === '' ? 'is empty' : code === 'number_inexact' ? 'Event ID' : quoted(value);
		expect(outcomeOf(() => read(value, 'Event ID'))).toEqual({
			code,
			message: expect.stringContaining(words),
		});
	},
);

test.each<[Read, unknown, unknown?]>([
	[readText, false, 'false'],
	[readText, ' a '],
	// Customers and people can have such names, and texts such words.
	[readText, 'Null'],
	[readText, 'Visit undefined'],
	...['christopher-Null', 'a3null7b', 'nullable-1', 'a.', 'abCdef-', '-NxYz', 'crm-1-'].map(
		(id): [Read, unknown] => [readId, id],
	),
	[readTrimmedText, ' a b\n', 'a b'],
	[readLink, 'https://x.com/a?b=null'],
	[readLink, ` ${LINK}\n`, LINK],
	[readObject, '{"a": 1}', { a: 1 }],
	[readObject, { a: [1.5, 2 ** 53 - 1, null] }],
])('%p takes %j', (read, value, expected = value) => {
	expect(read(value, 'Title')).toStrictEqual(expected);
});

const PRICES: Array<[number, string]> = [
	[1234.5, "$1,234.50 | 1.234,50 € | EUR1.234,50 | CHF 1'234.50 | EUR 1’234,5 | 1 234,50 zł | 1\u202f234.50"],
	[1234.5, '$1,234.50 USD | US$ 1,234.50 | 1234.5 | 1234,50 | +1,234.50 | Rs.1,234.50 | R$ 1.234,50'],
	[900, 'USD 900 | 900usd | USD900 | kr900 | CHF 900.- | 900,– € | 900. | kr 900 | 900 Euro'],
	[123456, '₹1,23,456 | 1,23,456.00 | ¥123,456 | 123.456 € | 123 456'],
	[12345678, '1,23,45,678 | 12,345,678 | 12.345.678'],
	[-5, '-5 | -$5.00 | $-5 | −5,0 €'],
	[0.123, '0.123 | 0,123 | .123 | 123e-3'],
];
// D2-APPT-10, D2-LIM-04
test.each(PRICES.flatMap(([price, forms]) => forms.split(' | ').map((text) => [text, price] as const)))(
	'a price is read from %j as %d',
	(text, price) => {
		expect(readPrice(text, 'Price')).toBe(price);
	},
);

test.each(['1.234', '1,234', 'KWD 1,234', '1.234 kwd'])(
	'a price with two readings is refused, and both are named: %j',
	(text) => {
		expect(outcomeOf(() => readPrice(text, 'Price')).message).toBe(`Price "${text}" is 1234 or 1.234`);
	},
);

// D2-APPT-10, D2-LIM-04
test('a price is read from a number, its decimal text, and as any locale writes it', () => {
	const locale = fc.constantFrom(...'en-US de-DE fr-FR de-CH en-IN pt-BR pl-PL sv-SE da-DK'.split(' '));
	const number = fc.double({ noNaN: true, noDefaultInfinity: true });
	fc.assert(
		fc.property(number, locale, fc.integer({ min: 0, max: 10 ** 9 }), (price, name, cents) => {
			const format = new Intl.NumberFormat(name, { style: 'currency', currency: 'EUR' });
			expect(readPrice(format.format(cents / 100), 'Price')).toBe(cents / 100);
			expect(readPrice(price, 'Price')).toBe(price);
			fc.pre(!/^-?[1-9]\d{0,2}\.\d{3}$/.test(String(price)));
			expect(readPrice(` ${price} `, 'Price')).toBe(Number(String(price)));
		}),
	);
});

test('any value is an ID exactly as it is written, or is refused, with a placeholder anywhere in it', () => {
	const placeholder = fc.constantFrom('undefined', 'null', 'NaN', '[object Object]', 'Invalid DateTime');
	const unsafe = fc.constantFrom(undefined, 2 ** 53, -(2 ** 53));
	const written = fc.oneof(fc.jsonValue(), anyText(), fc.double(), fc.maxSafeInteger(), placeholder, unsafe);
	const part = fc.stringMatching(/^[a-z0-9]{0,6}$/);
	const sign = fc.constantFrom('-', '_', ':', '/', ' ', '.', '#', '|');
	fc.assert(
		fc.property(written, part, sign, placeholder, sign, part, (given, before, one, word, two, behind) => {
			const text = typeof given === 'string' ? given : '';
			const isMissing = /^\s*(undefined|null|nan|\[object Object\]|Invalid DateTime)\s*$/i.test(text);
			const isId = (text.trim() !== '' || Number.isSafeInteger(given)) && !isMissing;
			// What ends with a sign lacks its last part.
			const isWhole = !/[-_:/.#|\u2013]\s*$/.test(text);
			const { value, code } = outcomeOf(() => readId(given, 'Event ID'));
			if (isWhole || code !== 'id_incomplete') {
				expect([value, code]).toEqual(isId ? [String(given), ''] : [undefined, 'id_invalid']);
			}
			for (const id of [before + one + word, word + two + behind, before + one + word + two + behind]) {
				expect(outcomeOf(() => readId(id, 'Event ID')).code).toMatch(/^id_in/);
			}
		}),
	);
});
