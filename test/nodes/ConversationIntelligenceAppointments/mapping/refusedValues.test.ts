import { UserError } from 'n8n-workflow';
import {
	readAttendees,
	readOwner,
} from '../../../../nodes/ConversationIntelligenceAppointments/mapping/attendees';
import {
	readEventId,
	toPathSegment,
} from '../../../../nodes/ConversationIntelligenceAppointments/mapping/eventId';
import {
	readId,
	readObject,
	readPrice,
	readText,
	readTrimmedText,
} from '../../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import type { Item } from '../../../../nodes/shared/node/item';

const eventIdOf = (value: unknown) =>
	readEventId({
		ids: {},
		parameter: (_name: string, missing: unknown) => value ?? missing,
	} as unknown as Item);

/** What each reader refuses: its label, what it asks for, its advice and the values. */
const REFUSED: Array<[(value: unknown, label: string) => unknown, string, string, string, unknown[]]> = [
	[readText, 'Title', 'text or a number', 'Map it to a single value.', [[], NaN]],
	[readTrimmedText, 'Type', 'text or a number', 'Map it to a single value.', [{}, true]],
	[
		readOwner,
		'User Email',
		'one email address',
		'Map it to the email address of the rep who owns the appointment.',
		[5, 'a@x.com, b@x.com'],
	],
	[
		readPrice,
		'Price',
		'a number',
		'Use a number such as 1200.5, without currency or thousands separators.',
		['$5', 'x5', '5x', '1,200', '1.200,50', '12 EUR', '0x10', 'NaN', '', Infinity, NaN, true, [5], {}],
	],
	[
		readObject,
		'Custom Fields',
		'an object or its JSON',
		'Use an object such as {"region": "north"}.',
		[[1], '{"a"'],
	],
	[
		readAttendees,
		'Attendee Emails',
		'a list of email addresses',
		'Use text such as "ana@example.com, bob@example.com", an array without blank entries, or the attendees of a calendar. People who are not in it are removed.',
		[5],
	],
	[
		eventIdOf,
		'Event ID',
		'an ID',
		'Use text, or a whole number up to 9007199254740991: larger ones lose digits. Check the expression that returns it.',
		[['a'], true, {}, NaN, 2 ** 53, 'undefined', 'null', ' NaN ', '[object Object]'],
	],
];

describe('A value that cannot be sent', () => {
	const expectRefused = (read: () => unknown, message: string, description: string) => {
		expect(read).toThrow(UserError);
		expect(read).toThrow(expect.objectContaining({ message, description }));
	};

	test.each(
		REFUSED.flatMap(([read, label, rule, advice, values]) =>
			values.map((value) => [label, value, read, rule, advice] as const),
		),
	)('is refused as %s: %p', (label, value, read, rule, advice) => {
		const written = typeof value === 'number' ? String(value) : JSON.stringify(value);
		const shown = value === '' ? 'empty' : written;
		expectRefused(() => read(value, label), `${label} must be ${rule} (it is ${shown})`, advice);
	});

	test.each<[string, () => unknown, string, string]>([
		[
			'a name as an attendee',
			() => readAttendees('bob', 'Attendee Emails'),
			'attendee_invalid',
			'Attendee "bob" is not an email address',
		],
		[
			'an owner without an address',
			() => readOwner('(none)', 'User Email'),
			'owner_invalid',
			'User Email "(none)" is not an email address',
		],
		[
			'an integer that has lost digits',
			() => readObject('{"a":[{"b":12345678901234567890}]}', 'Custom Fields'),
			'number_loses_digits',
			'Custom Fields must not contain 12345678901234567000, a number that loses digits',
		],
		...[NaN, Infinity, -Infinity].map((value): [string, () => unknown, string, string] => [
			`${value} in custom fields, which JSON would turn into null`,
			() => readObject({ price: [{ margin: value }] }, 'Custom Fields'),
			'number_impossible',
			`Custom Fields must not contain ${value}`,
		]),
		...['undefined', ' NULL\n', 'nan', '[object Object]', ' '].map(
			(value): [string, () => unknown, string, string] => [
				`${JSON.stringify(value)} as a type, which the service would keep`,
				() => readTrimmedText(value, 'Type'),
				'placeholder_refused',
				`Type must not be ${JSON.stringify(value)}, which is written in place of a missing value`,
			],
		),
		...[undefined, '', ' '].map((value): [string, () => unknown, string, string] => [
			`the event ID ${JSON.stringify(value)}`,
			() => eventIdOf(value),
			'field_missing',
			'Event ID is missing',
		]),
		[
			'the event ID ..',
			() => toPathSegment('..'),
			'event_id_is_folder',
			'Event ID must not be "..", which means a folder in an address',
		],
		[
			'an event ID with half of a character',
			() => toPathSegment('a\ud83d'),
			'event_id_cut',
			'Event ID must not contain half of a character (a lone surrogate)',
		],
	])('is refused with a code: %s', (_name, read, code, message) => {
		expect(read).toThrow(expect.objectContaining({ message, details: expect.objectContaining({ code }) }));
	});
});

describe('A value that is sent', () => {
	test.each<[string, unknown, unknown]>([
		['a boolean as its text', readText(false, 'Title'), 'false'],
		['text with its spaces', readText(' a ', 'Title'), ' a '],
		['a label without outer spaces', readTrimmedText(' a b\n', 'Type'), 'a b'],
		['a numeric event ID as its text', eventIdOf(0), '0'],
		['an event ID with its spaces', eventIdOf(' a '), ' a '],
		['the largest safe number as an ID', readId(2 ** 53 - 1, 'Event ID'), '9007199254740991'],
		['an ID that contains null', readId('null-1', 'Event ID'), 'null-1'],
		[
			'an owner with a name',
			readOwner('Ava Adams <ava.adams@example.com>', 'User Email'),
			'ava.adams@example.com',
		],
		['the owner of a calendar', readOwner({ email: 'a@x.com', self: true }, 'User Email'), 'a@x.com'],
		['an owner by first and last name', readOwner('ava.adams', 'User Email'), 'ava.adams'],
		[
			'an object with safe numbers',
			readObject({ a: [1.5, 2 ** 53 - 1, null] }, 'F'),
			{ a: [1.5, 2 ** 53 - 1, null] },
		],
		...[
			['-5', -5],
			['+5', 5],
			['.5', 0.5],
			['12.', 12],
			['12.34', 12.34],
			['12e10', 12e10],
			['12e+10', 12e10],
			['.25E-12', 0.25e-12],
			['  5  ', 5],
		].map(([price, expected]): [string, unknown, unknown] => [
			`the price ${price} as a number`,
			readPrice(price, 'Price'),
			expected,
		]),
		['JSON as an object', readObject('{"a": 1}', 'Custom Fields'), { a: 1 }],
	])('is %s', (_name, value, expected) => {
		expect(value).toStrictEqual(expected);
	});
});
