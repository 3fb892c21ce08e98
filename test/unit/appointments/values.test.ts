import fc from 'fast-check';
import { DateTime } from 'luxon';
import { toPathSegment } from '../../../nodes/CrmAppointment/resources/eventId';
import { readAttendees, readPrice } from '../../../nodes/CrmAppointment/resources/appointment/values';
import { toAppointmentTime } from '../../../nodes/shared/time/appointmentTime';

const ZONES = [
	'UTC',
	'Europe/Berlin',
	'America/New_York',
	'Asia/Kolkata',
	'Pacific/Auckland',
	'America/St_Johns',
];
const zone = fc.constantFrom(...ZONES);
/** Whole seconds: the service stores no fractions. From 1974: smaller numbers are taken for seconds. */
const instant = fc
	.integer({ min: Date.UTC(1974, 0) / 1000, max: Date.UTC(2099, 11) / 1000 })
	.map((seconds) => seconds * 1000);
const expected = (millis: number) => new Date(millis).toISOString().slice(0, 19).replace('T', ' ');

describe('a time', () => {
	const forms: Array<[string, (at: DateTime) => unknown]> = [
		['ISO with an offset', (at) => at.toISO()],
		['ISO in UTC', (at) => at.toUTC().toISO()],
		['basic ISO', (at) => at.toISO({ format: 'basic' })],
		['ISO week date', (at) => at.toISOWeekDate() + at.toISO()!.slice(10)],
		['SQL with an offset', (at) => at.toSQL()],
		['e-mail date', (at) => at.toRFC2822()],
		['HTTP date', (at) => at.toHTTP()],
		['a JavaScript Date', (at) => at.toJSDate()],
		['a Luxon DateTime', (at) => at],
		['milliseconds', (at) => at.toMillis()],
		['with blanks around', (at) => ` ${at.toISO()}\n`],
	];

	test.each(forms)('[D2-RULE-01] [D2-LIM-02] is stored the same from %s, in any zone', (_name, write) => {
		fc.assert(
			fc.property(instant, zone, zone, (millis, inputZone, workflowZone) => {
				const at = DateTime.fromMillis(millis, { zone: inputZone });
				expect(toAppointmentTime(write(at), workflowZone, 'start_time')).toBe(expected(millis));
			}),
		);
	});

	test('without an offset is read in the given zone', () => {
		fc.assert(
			fc.property(
				instant,
				zone,
				fc.constantFrom("yyyy-MM-dd'T'HH:mm:ss", 'yyyy-MM-dd HH:mm:ss'),
				(millis, at, form) => {
					const local = DateTime.fromMillis(millis, { zone: at });
					// An hour that a clock change repeats has two meanings.
					fc.pre(local.getPossibleOffsets().length === 1);
					expect(toAppointmentTime(local.toFormat(form), at, 'start_time')).toBe(expected(millis));
				},
			),
		);
	});

	test('cuts fractions of a second', () => {
		expect(toAppointmentTime('2026-03-01T08:30:59.999Z', 'UTC', 'start_time')).toBe('2026-03-01 08:30:59');
		expect(toAppointmentTime('1969-12-31T23:59:59.999Z', 'UTC', 'start_time')).toBe('1969-12-31 23:59:59');
	});

	test.each([
		'',
		' ',
		'08:30',
		'2026',
		'tomorrow',
		'01/03/2026',
		'1763718000000',
		'+010000-01-01T00:00:00Z',
		null,
		{},
		NaN,
		true,
	])('%j is refused, naming the field', (value) => {
		expect(() => toAppointmentTime(value, 'UTC', 'end_time')).toThrow(/^end_time is /);
	});
});

describe('attendees', () => {
	const address = fc
		.tuple(fc.stringMatching(/^[a-zA-Z0-9.+_-]{1,12}$/), fc.stringMatching(/^[a-z]{1,8}\.(com|org)$/))
		.map(([name, host]) => `${name}@${host}`);
	const blanks = fc.constantFrom('', ' ', '  ', '\t');

	test('[D2-APPT-03] are the same from an array, JSON and text with any separators and blanks', () => {
		fc.assert(
			fc.property(
				fc.array(address, { minLength: 1, maxLength: 8 }),
				blanks,
				fc.constantFrom(',', ';', '\n', ', ', ',,'),
				(list, blank, separator) => {
					const padded = list.map((one) => `${blank}${one}${blank}`);
					expect(readAttendees(padded)).toEqual(list);
					expect(readAttendees(JSON.stringify(list))).toEqual(list);
					expect(readAttendees(` ${JSON.stringify(padded, null, 2)}`)).toEqual(list);
					expect(readAttendees(padded.join(separator))).toEqual(list);
					expect(readAttendees(`${separator}${padded.join(separator)}${separator}`)).toEqual(list);
				},
			),
		);
	});

	test('are never iterated letter by letter', () => {
		fc.assert(fc.property(address, (one) => expect(readAttendees(one)).toEqual([one])));
	});

	test.each([5, true, { a: 1 }, '{"a":1}', '["a"', '[', null])(
		'[D2-BODY-02] %j is refused in the words of the service',
		(value) => {
			expect(() => readAttendees(value)).toThrow('attendee_emails must be an array of non-empty strings');
		},
	);
});

describe('an event ID in a path', () => {
	test('[D2-DEL-01] comes back as it was, whatever it holds, from an address as parsers read it', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', minLength: 1 }), (id) => {
				fc.pre(id !== '.' && id !== '..');
				const { pathname } = new URL(`https://crm.example.com/v1/custom/appointment/${toPathSegment(id)}`);
				const prefix = '/v1/custom/appointment/';
				expect(pathname.startsWith(prefix)).toBe(true);
				expect(pathname.slice(prefix.length)).not.toContain('/');
				expect(decodeURIComponent(pathname.slice(prefix.length))).toBe(id);
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('a price', () => {
	test('[D2-APPT-10] [D2-LIM-04] is a number from a number or its plain text', () => {
		fc.assert(
			fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (price) => {
				expect(readPrice(price, 'price')).toBe(price);
				expect(readPrice(` ${price} `, 'price')).toBe(Number(String(price)));
			}),
		);
	});

	test.each(['$12', '1,200', '1.200,50', '12 EUR', '0x10', 'NaN', '', Infinity, NaN, true, [5], {}])(
		'%j is refused',
		(value) => {
			expect(() => readPrice(value, 'price')).toThrow(/^price must be a number/);
		},
	);
});
