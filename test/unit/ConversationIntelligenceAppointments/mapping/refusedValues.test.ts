import { UserError } from 'n8n-workflow';
import { readAttendees } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/attendees';
import {
	readEventId,
	toPathSegment,
} from '../../../../nodes/ConversationIntelligenceAppointments/mapping/eventId';
import {
	readObject,
	readPrice,
	readText,
	readTrimmedText,
	readUserEmail,
} from '../../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import type { Item } from '../../../../nodes/shared/node/item';

const eventIdOf = (value: unknown) =>
	readEventId({ parameter: (_name: string, missing: unknown) => value ?? missing } as unknown as Item);
const NOT_A_PRICE = 'Use a number such as 1200.5, without currency or thousands separators.';
const NOT_AN_OBJECT = 'Use an object or its JSON, e.g. {"region": "north"}.';
const NOT_A_LIST = 'Use text such as "ana@example.com, bob@example.com", or an array without blank entries.';
const NO_ID = 'Use the ID that created the appointment.';

describe('A value that cannot be sent', () => {
	test.each<[string, () => unknown, string, string]>([
		[
			'a list as text',
			() => readText([], 'Title'),
			'Title is a list, not text',
			'Map it to text or a number.',
		],
		[
			'an object as a label',
			() => readTrimmedText({}, 'Type'),
			'Type is an object, not text',
			'Map it to text or a number.',
		],
		[
			'a number as owner',
			() => readUserEmail(5, 'User Email'),
			'User Email is 5, not text',
			'Map it to the email address of the rep who owns the appointment.',
		],
		['text as a price', () => readPrice('$5', 'Price'), 'Price is "$5", not a number', NOT_A_PRICE],
		['text before a price', () => readPrice('x5', 'Price'), 'Price is "x5", not a number', NOT_A_PRICE],
		['text after a price', () => readPrice('5x', 'Price'), 'Price is "5x", not a number', NOT_A_PRICE],
		[
			'a list as an object',
			() => readObject([1], 'Custom Fields'),
			'Custom Fields is not an object',
			NOT_AN_OBJECT,
		],
		[
			'broken JSON',
			() => readObject('{"a"', 'Custom Fields'),
			'Custom Fields is not an object',
			NOT_AN_OBJECT,
		],
		[
			'a number as attendees',
			() => readAttendees(5, 'Attendee Emails'),
			'Attendee Emails is not a list of email addresses',
			NOT_A_LIST,
		],
		[
			'a name as an attendee',
			() => readAttendees('bob', 'Attendee Emails'),
			'Attendee "bob" is not an email address',
			'Use an address such as bob@example.com, with commas between several, or leave Attendee Emails empty.',
		],
		['an empty event ID', () => eventIdOf(''), 'Event ID is missing', NO_ID],
		['an event ID that is a list', () => eventIdOf(['a']), 'Event ID is missing', NO_ID],
		['no event ID', () => eventIdOf(undefined), 'Event ID is missing', NO_ID],
		...['.', '..'].map((id): [string, () => unknown, string, string] => [
			`the event ID ${id}`,
			() => toPathSegment(id),
			`Event ID "${id}" cannot be part of an address, where it means a folder`,
			"Delete this appointment in your conversation service's web app.",
		]),
		[
			'an event ID with half of a character',
			() => toPathSegment('a\ud83d'),
			'Event ID contains half of a character (a lone surrogate)',
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
