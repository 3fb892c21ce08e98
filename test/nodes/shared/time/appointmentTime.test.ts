import fc from 'fast-check';
import { DateTime } from 'luxon';
import { toAppointmentTime, toUtcTimestamp } from '../../../../nodes/shared/time/instant';

const zone = fc.constantFrom(
	'UTC',
	'Europe/Berlin',
	'America/New_York',
	'Asia/Kolkata',
	'Asia/Dhaka',
	'Pacific/Auckland',
	'America/St_Johns',
);
/** Whole seconds: the service stores no fractions. From 1974, because smaller numbers are read as seconds. */
const instant = fc
	.integer({ min: Date.UTC(1974, 0) / 1000, max: Date.UTC(2099, 11) / 1000 })
	.map((seconds) => seconds * 1000);
const stored = (millis: number) => new Date(millis).toISOString().slice(0, 19).replace('T', ' ');
const mail = (at: DateTime, form: string) => at.setLocale('en-US').toFormat(form);

/** Ways to write an instant with its offset in common standards. */
const FORMS: Array<[string, (at: DateTime) => unknown]> = [
	['ISO 8601', (at) => at.toISO()],
	['ISO 8601 in UTC', (at) => at.toUTC().toISO()],
	['ISO 8601 without fractions', (at) => at.toISO({ suppressMilliseconds: true })],
	['ISO 8601 with a comma', (at) => at.toISO()!.replace('.', ',')],
	['basic ISO 8601', (at) => at.toISO({ format: 'basic' })],
	['an ISO week date', (at) => at.toFormat("kkkk-'W'WW-c'T'HH:mm:ssZZ")],
	['a basic ISO week date', (at) => at.toFormat("kkkk'W'WWc'T'HHmmssZZZ")],
	['an ISO ordinal date', (at) => at.toFormat("yyyy-ooo'T'HH:mm:ssZZ")],
	['RFC 3339 with a space', (at) => at.toFormat('yyyy-MM-dd HH:mm:ssZZ')],
	['RFC 3339 in lowercase', (at) => at.toUTC().toFormat("yyyy-MM-dd't'HH:mm:ss'z'")],
	['RFC 9557 with its own zone', (at) => `${at.toISO()}[${at.zoneName}][u-ca=gregory]`],
	['RFC 9557 in UTC with a zone to display', (at) => `${at.toUTC().toISO()}[America/New_York]`],
	['RFC 9557 with another zone', (at) => `${at.toISO()}[Asia/Tokyo]`],
	['SQL with an offset', (at) => at.toSQL()],
	['SQL with an offset in hours only', (at) => at.toUTC().toFormat("yyyy-MM-dd HH:mm:ss.SSS'+00'")],
	['SQL in UTC by name', (at) => at.toUTC().toFormat("yyyy-MM-dd HH:mm:ss 'UTC'")],
	['RFC 5322', (at) => at.toRFC2822()],
	['RFC 5322 without a weekday', (at) => mail(at, 'd LLL yyyy HH:mm:ss ZZZ')],
	['RFC 5322 with a comment', (at) => `${at.toRFC2822()} (CEST)`],
	['an HTTP date', (at) => at.toHTTP()],
	['a JavaScript Date', (at) => at.toJSDate()],
	['a Luxon DateTime', (at) => at],
	['milliseconds', (at) => at.toMillis()],
	['text with spaces around it', (at) => ` ${at.toISO()}\n`],
];

describe('An instant with its offset', () => {
	// D2-RULE-01, D2-LIM-02
	test.each(FORMS)('is stored as the same UTC time from %s, in any workflow zone', (_name, write) => {
		fc.assert(
			fc.property(instant, zone, zone, (millis, inputZone, workflowZone) => {
				const at = DateTime.fromMillis(millis, { zone: inputZone });
				expect(toAppointmentTime(write(at), workflowZone, 'Start Time')).toBe(stored(millis));
				expect(toUtcTimestamp(write(at), workflowZone, 'From Date')).toBe(new Date(millis).toISOString());
			}),
		);
	});

	test.each([
		['2026-03-01T08:30:00Z[America/New_York]', '2026-03-01 08:30:00'],
		['2026-10-25T02:30:00+01:00[Europe/Berlin]', '2026-10-25 01:30:00'],
		['2026-10-25T02:30:00+02:00[Europe/Berlin]', '2026-10-25 00:30:00'],
		['2026-07-01T08:30:00-00:00', '2026-07-01 08:30:00'],
		['2026-03-01T08:30:59.999Z', '2026-03-01 08:30:59'],
		['1969-12-31T23:59:59.999Z', '1969-12-31 23:59:59'],
	])('%s is stored as %s', (text, expected) => {
		expect(toAppointmentTime(text, 'Asia/Dhaka', 'Start Time')).toBe(expected);
	});
});

describe('A time without an offset', () => {
	const forms = fc.constantFrom("yyyy-MM-dd'T'HH:mm:ss", 'yyyy-MM-dd HH:mm:ss', "yyyyMMdd'T'HHmmss");

	test('is read in the zone that follows it, with or without brackets, otherwise in the given zone', () => {
		fc.assert(
			fc.property(instant, zone, zone, forms, (millis, own, other, form) => {
				const local = DateTime.fromMillis(millis, { zone: own });
				// An hour that a clock change repeats is ambiguous.
				fc.pre(local.getPossibleOffsets().length === 1);
				const text = local.toFormat(form);
				expect(toAppointmentTime(text, own, 'Start Time')).toBe(stored(millis));
				if (!own.includes('/')) return;
				expect(toAppointmentTime(`${text}[${own}]`, other, 'Start Time')).toBe(stored(millis));
				expect(toAppointmentTime(`${text} ${own}`, other, 'Start Time')).toBe(stored(millis));
			}),
		);
	});
});

describe('An abbreviation of a zone', () => {
	const LOCAL = ['2026-07-01 08:30:00 ', '2026-07-01T08:30:00', 'Wed, 01 Jul 2026 08:30:00 '];

	test.each(['BST', 'EST', 'PST', 'CET', 'IST', 'A', 'UT', 'GMT+1', 'UTC+2', 'Foo/Bar'])(
		'%s is refused by name in every form',
		(abbreviation) => {
			for (const local of LOCAL) {
				expect(() => toAppointmentTime(`${local}${abbreviation}`, 'Asia/Dhaka', 'End Time')).toThrow(
					`End Time must have a clear time zone (it is "${local}${abbreviation}")`,
				);
			}
		},
	);

	test.each(['UTC', 'GMT', 'Z'])('%s is UTC in every form', (name) => {
		for (const local of LOCAL) {
			expect(toAppointmentTime(`${local}${name}`, 'Asia/Dhaka', 'End Time')).toBe('2026-07-01 08:30:00');
		}
	});
});

test.each([
	'2026-07-01T08:30:00+24:00',
	'Thu, 01 Jul 2026 08:30:00 GMT',
	'01 Jul 26 08:30 GMT',
	'Wednesday, 01-Jul-26 08:30:00 GMT',
	'Wed Jul  1 08:30:00 2026',
	'2026-07-01Z',
	'tomorrow',
	'01/03/2026',
	'+010000-01-01T00:00:00Z',
])('%j is refused with the name of the field', (value) => {
	expect(() => toAppointmentTime(value, 'UTC', 'End Time')).toThrow(/^End Time must /);
});
