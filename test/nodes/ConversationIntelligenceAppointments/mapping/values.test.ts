import {
	isUnset,
	readId,
	readLink,
	readName,
	readObject,
	readPhone,
	readPrice,
	readText,
} from '../../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import { quoted } from '../../../../nodes/shared/base/text';
import { documented, outcomeOf, texts } from '../mapping';

type Read = (value: unknown, label: string) => unknown;
const LINK = `S3://a.example/b?c=1%2F2&d=${'x'.repeat(9_900)}`;
const IN_OBJECT: Read = (value, label) => readObject({ a: [{ b: value }] }, label);

/** What each reader rejects: the code, texts, and other values. */
const REJECTED: Array<[code: string, read: Read, texts: string, others?: unknown[]]> = [
	['text_invalid', readText, '', [[], NaN, {}]],
	['text_invalid', readName, '', [{}, true]],
	[
		'placeholder_refused',
		readName,
		'undefined | nan | [object Object]',
		[' NULL\n', 'nu\u200bll', '-', ' – '],
	],
	[
		'placeholder_refused',
		readText,
		`undefined undefined | null, null | NaN | Invalid DateTime | <null@null> | {{ $json.name }} | #REF! | <no value>`,
	],
	[
		'value_incomplete',
		readId,
		`undefined-42 | crm-[object Object] | null:7 | a/NaN | dealundefined | crm- | CRM_ | |
		crm-NULL | Invalid Date 5 | 客户- | crm. | - | crm-{{ $json.id }} | a-\${id} | crm-None | crm-<nil> | Undefined-4 |
		crm-#REF! | .`,
		['crm- ', 'crm-\ud83d'],
	],
	['placeholder_refused', readId, 'undefined | null | nan | N/A | None', [' NULL\n']],
	['id_invalid', readId, '', [true, 1.5, Infinity, ['a'], { id: 1 }]],
	['number_inexact', readId, '', [2 ** 53, -1e21]],
	[
		'id_invisible',
		readId,
		'',
		['a\u200b', '\ufeffa', 'a\u00a0b', 'a\n', 'a\tb', 'so\u00adft', 'a\u2066', '1\ufe0f'],
	],
	[
		'digits_lost',
		readId,
		'1.23457E+15 | 1,23457E+15 | 1E+15 | crm-1.2e+20 | 1.23457E15 | 1.5E-7',
		[' 1.2E+11'],
	],
	['digits_lost', readPhone, '4.91512E+11 | Tel. 4,9E+11'],
	[
		'price_invalid',
		readPrice,
		'x5 | 5x | 1,20,30 | 1.2.3 | 12- | 1,234.50- | $5 a month | 5 - 9 | 0x10 | NaN | 12.5k | ($500.00) | abc',
		[Infinity, NaN, true, [5], {}],
	],
	[
		'link_invalid',
		readLink,
		String.raw`call.mp3 | C:\calls\1.mp3 | //b.example/a | htps://x.com/a | http//x.com | www.x.com/a | javascript://a`,
		[{ toString: '' }, true, 'a https://b'],
	],
	['value_incomplete', readLink, 'https://x.com/undefined | https://x.com/a/null.mp3 | https://x.com/None'],
	['placeholder_refused', readLink, 'None | n/a | undefined | {{ $json.url }} | #N/A'],
	['object_invalid', readObject, '{"a" | north', [[1], 5]],
	['number_inexact', readObject, '{"a":[{"b":12345678901234567890}]}', [{ c: 1, b: 2 ** 60 }]],
	['placeholder_refused', IN_OBJECT, '[object Object] | NaN', [NaN, -Infinity]],
];

// D2-BODY-02, D2-ERR-08
test.each(
	REJECTED.flatMap(([code, read, some, others = []]) =>
		[...texts(some).filter(Boolean), ...others].map((value) => [value, code, read] as const),
	),
)('%p is rejected with %s, and quoted unless n8n has changed it', (value, code, read) => {
	// n8n has changed this value, so the user never had it.
	const isUnquoted = code === 'number_inexact';
	const where = read === readObject ? ' in "b"' : '';
	const words = isUnquoted ? `has a number with too many digits${where}` : ` ${quoted(value)} `;
	const message = expect.stringContaining(`Event ID${isUnquoted ? ' ' : ''}${words}`) as string;
	expect(outcomeOf(() => read(value, 'Event ID'))).toMatchObject({ code, message });
});

test.each<[Read, unknown, unknown?]>([
	[readText, false, 'false'],
	[readText, ' a '],
	// Customers and people can have such names, and texts such words.
	...['Null', 'Visit undefined'].map((name): [Read, unknown] => [readText, name]),
	...texts(
		'christopher-Null | a3null7b | nullable-1 | a. | abCdef- | -NxYz | crm-1- | 1E5 | 12e-3 | 8E+a',
	).map((id): [Read, unknown] => [readId, id]),
	[readId, ' A b/ü🏠'],
	[readId, '1e+5@x.com'],
	[readId, -42, '-42'],
	[readPhone, 4915112345678, '4915112345678'],
	[readPhone, '+49 151\u00a01'],
	[readName, ' No\u00a0 Show\u200b\n', 'No Show'],
	[readName, 'U\u0308berlegt', 'Überlegt'],
	[readLink, 'https://x.com/a?b=null'],
	[readLink, ` ${LINK}\n`, LINK],
	[readObject, '{"a": 1}', { a: 1 }],
	[readObject, { a: [1.5, 2 ** 53 - 1, null] }],
])('%p takes %j', (read, value, expected = value) => {
	expect(read(value, 'Title')).toStrictEqual(expected);
});

test('a text that nobody sees is no value', () => {
	expect(['', ' \u00a0\n', '\u200b', '\ufeff\u2800', null, undefined].map(isUnset)).toEqual(
		Array(6).fill(true),
	);
	expect(['a', '\u200ba', 0, false, [], '-'].map(isUnset)).toEqual(Array(6).fill(false));
});

/** Prices with spaces that a document does not show. */
const SPACED: Array<[text: string, result: string]> = [
	['1\u202f234.50', '1234.5'],
	['$\u00a01,234', '1234'],
	['1e+21', '1e+21'],
];
// D2-APPT-10, D2-LIM-04
test.each([...documented('Text  '), ...SPACED])('the price %j is %s, as documented', (text, result) => {
	const { value, code, message } = outcomeOf(() => readPrice(text, 'Price'));
	expect(String(value ?? code)).toBe(result);
	if (code === 'price_unclear') expect(message).toBe(`Price ${quoted(text)} is ambiguous: 1234 or 1.234`);
});

test.each(documented('Event ID or Customer ID'))(
	'the ID %j is sent, or rejected with "%s", as documented',
	(id, result) => {
		expect(outcomeOf(() => readId(id, 'Event ID'))).toMatchObject(result ? { code: result } : { value: id });
	},
);
