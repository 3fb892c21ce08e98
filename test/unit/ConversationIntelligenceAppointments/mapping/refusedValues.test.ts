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
	readEventId({ parameter: (_name: string, missing: unknown) => value ?? missing } as unknown as Item);
const NOT_A_PRICE = 'Use a number such as 1200.5, without currency or thousands separators.';
const NOT_AN_OBJECT = 'Use an object such as {"region": "north"}.';
const NOT_A_LIST =
	'Use text such as "ana@example.com, bob@example.com", an array without blank entries, or the attendees of a calendar.';
const NO_ID = 'Use the ID that created the appointment.';
const NOT_AN_ID =
	'Use text, or a whole number up to 9007199254740991: larger ones lose digits. Check the expression that returns it.';
const NOT_AN_OWNER = 'Map it to the email address of the rep who owns the appointment.';

describe('A value that cannot be sent', () => {
	test.each<[string, () => unknown, string, string]>([
		[
			'a list as text',
			() => readText([], 'Title'),
			'Title must be text or a number (it is [])',
			'Map it to a single value.',
		],
		[
			'an object as a label',
			() => readTrimmedText({}, 'Type'),
			'Type must be text or a number (it is {})',
			'Map it to a single value.',
		],
		[
			'a number as owner',
			() => readOwner(5, 'User Email'),
			'User Email must be one email address (it is 5)',
			'Map it to the email address of the rep who owns the appointment.',
		],
		['text as a price', () => readPrice('$5', 'Price'), 'Price must be a number (it is "$5")', NOT_A_PRICE],
		[
			'text before a price',
			() => readPrice('x5', 'Price'),
			'Price must be a number (it is "x5")',
			NOT_A_PRICE,
		],
		[
			'text after a price',
			() => readPrice('5x', 'Price'),
			'Price must be a number (it is "5x")',
			NOT_A_PRICE,
		],
		[
			'a list as an object',
			() => readObject([1], 'Custom Fields'),
			'Custom Fields must be an object or its JSON (it is [1])',
			NOT_AN_OBJECT,
		],
		[
			'broken JSON',
			() => readObject('{"a"', 'Custom Fields'),
			'Custom Fields must be an object or its JSON (it is "{\\"a\\"")',
			NOT_AN_OBJECT,
		],
		[
			'a number as attendees',
			() => readAttendees(5, 'Attendee Emails'),
			'Attendee Emails must be a list of email addresses (it is 5)',
			NOT_A_LIST,
		],
		[
			'a name as an attendee',
			() => readAttendees('bob', 'Attendee Emails'),
			'Attendee "bob" is not an email address',
			'Use an address such as bob@example.com, with commas between several, or leave Attendee Emails empty.',
		],
		['an empty event ID', () => eventIdOf(''), 'Event ID is missing', NO_ID],
		['a blank event ID', () => eventIdOf(' '), 'Event ID is missing', NO_ID],
		['an event ID that is a list', () => eventIdOf(['a']), 'Event ID must be an ID (it is ["a"])', NOT_AN_ID],
		['true as an event ID', () => eventIdOf(true), 'Event ID must be an ID (it is true)', NOT_AN_ID],
		['an object as an event ID', () => eventIdOf({}), 'Event ID must be an ID (it is {})', NOT_AN_ID],
		['NaN as an event ID', () => eventIdOf(NaN), 'Event ID must be an ID (it is NaN)', NOT_AN_ID],
		[
			'an event ID with too many digits',
			() => eventIdOf(2 ** 53),
			'Event ID must be an ID (it is 9007199254740992)',
			NOT_AN_ID,
		],
		...['undefined', 'null', ' NaN ', '[object Object]'].map(
			(id): [string, () => unknown, string, string] => [
				`the text ${id} as an ID`,
				() => readId(id, 'Customer ID'),
				`Customer ID must be an ID (it is "${id}")`,
				NOT_AN_ID,
			],
		),
		[
			'two owners',
			() => readOwner('a@x.com, b@x.com', 'User Email'),
			'User Email must be one email address (it is "a@x.com, b@x.com")',
			NOT_AN_OWNER,
		],
		[
			'an owner without an address',
			() => readOwner('(none)', 'User Email'),
			'User Email "(none)" is not an email address',
			'Use an address such as bob@example.com, with commas between several, or leave User Email empty.',
		],
		[
			'true as a label',
			() => readTrimmedText(true, 'Result'),
			'Result must be text or a number (it is true)',
			'Map it to a single value.',
		],
		[
			'an integer that has lost digits',
			() => readObject('{"a":[{"b":12345678901234567890}]}', 'Custom Fields'),
			'Custom Fields must not contain 12345678901234567000, a number that loses digits',
			'Write numbers above 9007199254740991 as text, in quotes.',
		],
		['no event ID', () => eventIdOf(undefined), 'Event ID is missing', NO_ID],
		...['.', '..'].map((id): [string, () => unknown, string, string] => [
			`the event ID ${id}`,
			() => toPathSegment(id),
			`Event ID must not be "${id}", which means a folder in an address`,
			"Delete this appointment in your conversation service's web app.",
		]),
		[
			'an event ID with half of a character',
			() => toPathSegment('a\ud83d'),
			'Event ID must not contain half of a character (a lone surrogate)',
			'Check where the ID was cut: it cannot be URL-encoded.',
		],
	])('is refused with advice: %s', (_name, read, message, description) => {
		expect(read).toThrow(UserError);
		expect(read).toThrow(expect.objectContaining({ message, description }));
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
		['a price with a sign', readPrice('-5', 'Price'), -5],
		['a price with a plus', readPrice('+5', 'Price'), 5],
		['a price without a leading zero', readPrice('.5', 'Price'), 0.5],
		['a price that ends with its point', readPrice('12.', 'Price'), 12],
		['a price with two decimals', readPrice('12.34', 'Price'), 12.34],
		['a price with an exponent', readPrice('12e10', 'Price'), 12e10],
		['a price with a positive exponent', readPrice('12e+10', 'Price'), 12e10],
		['a price with a negative exponent', readPrice('.25E-12', 'Price'), 0.25e-12],
		['a price with more than one space around it', readPrice('  5  ', 'Price'), 5],
		['JSON as an object', readObject('{"a": 1}', 'Custom Fields'), { a: 1 }],
	])('is %s', (_name, value, expected) => {
		expect(value).toStrictEqual(expected);
	});
});
