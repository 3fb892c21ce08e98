import fc from 'fast-check';
import { readEventId } from '../../../../nodes/ConversationIntelligenceAppointments/operations';
import {
	readAttendees,
	readOwner,
} from '../../../../nodes/ConversationIntelligenceAppointments/mapping/attendees';
import {
	readId,
	readLink,
	readObject,
	readPrice,
	readText,
	readTrimmedText,
} from '../../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import { CodedError } from '../../../../nodes/shared/base/errors';
import type { Item } from '../../../../nodes/shared/node/item';
import { quoted } from '../../../../nodes/shared/base/text';
import { reading } from '../mapping';
import { anyText } from '../../../support/anyText';

const LINK = `S3://a.example/b?c=1%2F2&d=${'x'.repeat(9_900)}`;
type Read = (value: unknown, label: string) => unknown;

const attendeesOf: Read = (value, label) => readAttendees(value, label, reading());

const eventIdOf: Read = (value) =>
	readEventId({
		ids: {},
		parameter: (_name: string, missing: unknown) => value ?? missing,
	} as unknown as Item);

const texts = (text: string) => text.split(' | ');

/** What each reader refuses: the code and the values. */
const REFUSED: Array<[string, Read, unknown[]]> = [
	['text_invalid', readText, [[], NaN, {}]],
	['text_invalid', readTrimmedText, [{}, true]],
	['placeholder_refused', readTrimmedText, ['undefined', ' NULL\n', 'nan', '[object Object]']],
	['placeholder_refused', readText, texts('undefined undefined | null, null | NaN | Invalid DateTime')],
	['placeholder_refused', readText, texts('<null@null> | {{ $json.name }} | #REF! | <no value>')],
	['id_incomplete', readId, texts('crm-undefined | undefined-42 | crm-[object Object] | null:7 | a/NaN')],
	['id_incomplete', readId, texts('dealundefined | crm- | CRM_ | deal:visit: | crm-NULL | Invalid Date 5')],
	[
		'id_incomplete',
		readId,
		['crm- ', ...texts('客户- | crm. | - | crm-{{ $json.id }} | a-${id} | crm-None')],
	],
	['id_incomplete', readId, texts('Undefined-4 | crm-#REF! | n/a | crm-<nil>')],
	['attendee_invalid', attendeesOf, texts('undefined | undefined.undefined | undefined.undefined@x.com')],
	['attendee_invalid', attendeesOf, ['null@null']],
	['owner_invalid', readOwner, texts('undefined.undefined | a@x.com, b@x.com | (none) | a@x.com, bob')],
	['owner_invalid', readOwner, [{ name: 'B' }, [{ email: 'a@x.com' }, 'b@x.com'], 5, {}]],
	['attendees_invalid', attendeesOf, [5, true, { a: 1 }, '["a"', '[', ['a@x.com', ' '], ['a@x.com', 5]]],
	['price_invalid', readPrice, texts('x5 | 5x | 1,20,30 | 1.2.3 | 12- | $5 a month | 5 - 9 | 0x10 | NaN | ')],
	['price_invalid', readPrice, [Infinity, NaN, true, [5], {}]],
	['link_invalid', readLink, texts('https://x.com/undefined | https://x.com/a/null.mp3 | call.mp3')],
	[
		'link_invalid',
		readLink,
		[{ toString: '' }, true, ...texts('a https://b | C:\\calls\\1.mp3 | //b.example/a')],
	],
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
	['id_invalid', eventIdOf, [['a'], 'undefined', 'Null', '[object Object]', 'undefined-undefined']],
	['field_missing', eventIdOf, [undefined, '', ' ']],
];

// D2-BODY-02, D2-ERR-08
test.each(REFUSED.flatMap(([code, read, values]) => values.map((value) => [value, code, read] as const)))(
	'%p is refused with %s, and quoted',
	(value, code, read) => {
		const isQuoted = !/inexact|missing/.test(code);
		const words = value === '' ? 'is empty' : quoted(value);
		expect(() => read(value, 'Event ID')).toThrow(
			expect.objectContaining({
				message: expect.stringContaining(isQuoted ? words : 'Event ID'),
				details: { code, retryable: false, field: 'Event ID' },
			}),
		);
	},
);

test('a value that is too long is refused by its label', () => {
	for (const read of [readId, readOwner, readPrice]) {
		expect(() => read('5'.repeat(1001), 'Event ID')).toThrow('Event ID is too long: 1,001');
	}
	expect(() => readLink(`${LINK}${'x'.repeat(100)}`, 'Media URL')).toThrow('Media URL is too long');
});

test.each<[string, unknown, unknown]>([
	['a boolean as its text', readText(false, 'Title'), 'false'],
	['text with its spaces', readText(' a ', 'Title'), ' a '],
	['a customer called Null', readText('Null', 'Customer Name'), 'Null'],
	['text with a placeholder among other words', readText('Visit undefined', 'Title'), 'Visit undefined'],
	["a customer's ID with such a name", readId('christopher-Null', 'Customer ID'), 'christopher-Null'],
	...['a3null7b', 'nullable-1', 'a.', 'abCdef-', '-NxYz', 'crm-1-'].map((id): [string, unknown, unknown] => [
		`the ID ${id}`,
		readId(id, 'Event ID'),
		id,
	]),
	['the only owner in a list', readOwner([{ params: {}, val: 'mailto:a@x.com' }], 'Rep Email'), 'a@x.com'],
	['the address of somebody called null', readOwner('null@x.com', 'Rep Email'), 'null@x.com'],
	['a label without outer spaces', readTrimmedText(' a b\n', 'Type'), 'a b'],
	['a link with such a word in its query', readLink('https://x.com/a?b=null', 'F'), 'https://x.com/a?b=null'],
	['a long link without outer spaces', readLink(` ${LINK}\n`, 'F'), LINK],
	['an owner with a name', readOwner('Ava Adams <ava.adams@x.com>', 'Rep Email'), 'ava.adams@x.com'],
	['the owner of a calendar', readOwner({ email: 'a@x.com', self: true }, 'Rep Email'), 'a@x.com'],
	['an owner by first and last name', readOwner('ava.adams', 'Rep Email'), 'ava.adams'],
	['JSON as an object', readObject('{"a": 1}', 'Custom Fields'), { a: 1 }],
	['safe numbers', readObject({ a: [1.5, 2 ** 53 - 1, null] }, 'F'), { a: [1.5, 2 ** 53 - 1, null] }],
])('is sent: %s', (_name, value, expected) => {
	expect(value).toStrictEqual(expected);
});

// D2-APPT-10, D2-LIM-04
test('a price is read from a number or its decimal text', () => {
	fc.assert(
		fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (price) => {
			expect(readPrice(price, 'Price')).toBe(price);
			fc.pre(!/^-?[1-9]\d{0,2}\.\d{3}$/.test(String(price)));
			expect(readPrice(` ${price} `, 'Price')).toBe(Number(String(price)));
		}),
	);
});

test('any value is an ID exactly as it is written, or is refused', () => {
	const placeholder = fc.constantFrom('undefined', 'null', 'NaN', '[object Object]', 'Invalid DateTime');
	const written = fc.oneof(fc.jsonValue(), anyText(), fc.double(), fc.maxSafeInteger(), placeholder);
	const codeOf = (given: unknown) => {
		try {
			expect(readId(given, 'Event ID')).toBe(typeof given === 'number' ? given.toFixed(0) : given);
			return undefined;
		} catch (error) {
			if (error instanceof CodedError) return error.details.code;
			throw error;
		}
	};
	fc.assert(
		fc.property(fc.oneof(written, fc.constantFrom(undefined, 2 ** 53, -(2 ** 53))), (given) => {
			const isId = typeof given === 'string' ? given.trim() !== '' : Number.isSafeInteger(given);
			const missing = /^\s*(undefined|null|nan|\[object Object\]|Invalid DateTime)\s*$/i;
			const isMissing = typeof given === 'string' && missing.test(given);
			if (!isId || isMissing) expect(codeOf(given)).toBe('id_invalid');
			else expect(codeOf(given)).toBeUndefined();
		}),
	);
	const part = fc.stringMatching(/^[a-z0-9]{0,6}$/);
	const sign = fc.constantFrom('-', '_', ':', '/', ' ', '.', '#', '|');
	fc.assert(
		fc.property(part, sign, placeholder, sign, part, (before, one, word, two, behind) => {
			for (const id of [
				`${before}${one}${word}`,
				`${word}${two}${behind}`,
				before + one + word + two + behind,
			]) {
				expect(codeOf(id)).toMatch(/^id_in/);
			}
		}),
	);
});
