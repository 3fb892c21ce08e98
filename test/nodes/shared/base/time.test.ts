import fc from 'fast-check';
import { DateTime, Settings } from 'luxon';
import { outcomeOf } from '../../ConversationIntelligenceAppointments/mapping';
import { toAppointmentTime, toUtcTimestamp } from '../../../../nodes/shared/base/time';

const exported = (value: unknown) => toUtcTimestamp(value, 'Europe/Berlin', 'From Date');
const appointed = (value: unknown, zone = 'Europe/Berlin') => toAppointmentTime(value, zone, 'Start Time');

const zone = fc.constantFrom(
	...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'America/St_Johns'],
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
	['RFC 3339 with a space', (at) => at.toFormat('yyyy-MM-dd HH:mm:ssZZ')],
	['RFC 3339 in lowercase', (at) => at.toUTC().toFormat("yyyy-MM-dd't'HH:mm:ss'z'")],
	['RFC 9557 with its own zone', (at) => `${at.toISO()}[${at.zoneName}]`],
	['RFC 9557 in UTC with a zone to display', (at) => `${at.toUTC().toISO()}[America/New_York]`],
	['RFC 9557 with another zone', (at) => `${at.toISO()}[Asia/Tokyo]`],
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

// D2-RULE-01, D2-LIM-02
test.each(FORMS)('an instant is the same UTC time from %s, in any workflow zone', (_name, write) => {
	fc.assert(
		fc.property(instant, zone, zone, (millis, inputZone, workflowZone) => {
			const at = DateTime.fromMillis(millis, { zone: inputZone });
			expect(toAppointmentTime(write(at), workflowZone, 'Start Time')).toBe(stored(millis));
			expect(toUtcTimestamp(write(at), workflowZone, 'From Date')).toBe(new Date(millis).toISOString());
		}),
	);
});

const forms = fc.constantFrom("yyyy-MM-dd'T'HH:mm:ss", 'yyyy-MM-dd HH:mm:ss', "yyyyMMdd'T'HHmmss");

test('without an offset, a time is read in the zone behind it, in brackets or not, else in the given one', () => {
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

/** A time in each form that takes the name of a zone. */
const inEachForm = (zone: string) =>
	['2026-07-01 08:30:00 ', '2026-07-01T08:30:00', 'Wed, 01 Jul 2026 08:30:00 '].map((local) => local + zone);

test.each([
	['an offset says which hour is meant', '2026-10-25T02:30:00+02:00[Europe/Berlin]', '2026-10-25 00:30:00'],
	['fractions are cut off, before 1970 too', '1969-12-31T23:59:59.999Z', '1969-12-31 23:59:59'],
	['a zone after an offset is only for display', '2026-07-01T08:30:00Z[Foo/Bar]', '2026-07-01 08:30:00'],
	['a comment can stand for a space', '01 Jul 2026 08:30:00(local)+0200', '2026-07-01 06:30:00'],
	['every comment is ignored', '01 Jul 2026 08:30:00 +0200 (CEST) (Berlin)', '2026-07-01 06:30:00'],
	['an email needs no seconds', '01 Jul 2026 08:30 +0200', '2026-07-01 06:30:00'],
	['repeated spaces are one', 'Wed,  01 Jul  2026  08:30:00   +0200', '2026-07-01 06:30:00'],
	...['UTC', 'GMT', 'Z'].flatMap((name) =>
		inEachForm(name).map((text) => [`${name} is UTC`, text, '2026-07-01 08:30:00']),
	),
])('for an appointment, %s: %p', (_rule, text, expected) => {
	expect(appointed(text, 'Asia/Dhaka')).toBe(expected);
});

const isNoTime = (value: unknown) => [value, 'time_invalid', 'Use an ISO date'] as const;

test.each<readonly [unknown, string, string]>([
	...['BST', 'EST', 'PST', 'CET', 'IST', 'A', 'UT', 'GMT+1', 'UTC+2', 'Foo/Bar'].flatMap((name) =>
		inEachForm(name).map((text) => [text, 'zone_unclear', name] as const),
	),
	['2026-07-01T08:30:00[CET]', 'zone_unclear', 'CET'],
	['2026-07-01T08:30:00[u-ca=gregory]', 'zone_unclear', 'u-ca=gregory'],
	['2026-07-01 08:30:00 BST[Europe/Berlin]', 'zone_unclear', 'BST'],
	['2026-07-01 08:30:00 BST[CET]', 'zone_unclear', 'BST'],
	['2026-07-01 08:30:00 xUTC', 'zone_unclear', 'xUTC'],
	['2026-07-01 08:30:00 x+02:00', 'zone_unclear', 'x+02:00'],
	['2026-07-01 08:30:00 +02:00x', 'zone_unclear', '+02:00x'],
	['2026-07-01T08:30:00+24:00', 'zone_unclear', '+24:00'],
	...['2026-02-30 08:30:00', '2026-02-30 08:30:00 BST', 'tomorrow[Europe/Berlin]', '2026-03', '2026-W10'].map(
		isNoTime,
	),
	...['2026-07-01T08:30:00[Europe/Berlin]x', new Date('+010000-01-01T00:00:00Z')].map(isNoTime),
	...['0026-03-13T08:30:00Z', 'on 01 Jul 2026 08:30:00 +0200', '01 Jul 2026 08:30:00 +0200 sharp'].map(
		isNoTime,
	),
	['2026-10-25 02:30:00 Europe/Berlin', 'time_repeated', 'Add an offset'],
	['2026-10-25T02:30:00[Europe/Berlin]', 'time_repeated', 'Add an offset'],
	['2026-03-29T02:30:00[Europe/Berlin]', 'time_skipped', 'Correct the time'],
])('for an appointment, %p is rejected as %s with the words "%s"', (value, code, words) => {
	const { error } = outcomeOf(() => appointed(value, 'Asia/Dhaka'));
	expect(error?.details).toEqual({ code, retryable: false, field: 'Start Time' });
	expect(error?.message).toContain(JSON.stringify(value));
	expect(`${error?.message}. ${error?.description}`).toContain(words);
});

test.each([
	['a repeated hour is the first one', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
	['a skipped hour moves on', '2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
	['the smallest number of milliseconds is 1e11', 1e11, '1973-03-03T09:46:40.000Z'],
	['a negative number is before 1970', -1e11, '1966-10-31T14:13:20.000Z'],
	['13 digits are milliseconds as text too', '9999999999999', '2286-11-20T17:46:39.999Z'],
	['spaces around them do not count', ' \n1763718000000  ', '2025-11-21T09:40:00.000Z'],
	['a year can have five digits', new Date('+010000-01-01T00:00:00Z'), '+010000-01-01T00:00:00.000Z'],
	['the day of a year is a date', '2026-060', '2026-02-28T23:00:00.000Z'],
	['a basic day is a date', '20260301', '2026-02-28T23:00:00.000Z'],
])('for an export, %s: %p, whatever the time zone of n8n', (_rule, value, expected) => {
	const { defaultZone } = Settings;
	const read = [defaultZone, 'Pacific/Auckland', 'America/Asuncion'].map((zone) => {
		Settings.defaultZone = zone;
		return exported(value);
	});
	Settings.defaultZone = defaultZone;
	expect(read).toEqual([expected, expected, expected]);
});

describe.each([
	['a range', 'date', exported],
	['an appointment', 'time', appointed],
] as const)('The dates of %s', (_whose, use, read) => {
	const expectRefusal = (value: unknown, code: string) =>
		expect(() => read(value)).toThrow(
			expect.objectContaining({ details: expect.objectContaining({ code }) }),
		);

	test('are refused as numbers that look like seconds, and accepted as milliseconds', () => {
		const seconds = fc.integer({ min: Date.UTC(1974, 0) / 1000, max: Date.UTC(2100, 0) / 1000 });
		fc.assert(
			fc.property(seconds, (value) => {
				expectRefusal(value, `${use}_invalid`);
				const taken = read(value * 1000).replace(' ', 'T');
				expect(Date.parse(taken.endsWith('Z') ? taken : `${taken}Z`)).toBe(value * 1000);
			}),
		);
		expectRefusal(100_000_000, `${use}_invalid`);
		expectRefusal(99_999_999, `${use}_invalid`);
		expectRefusal(-99_999_999_999, `${use}_invalid`);
		expectRefusal(undefined, 'expression_empty');
	});

	test.each([
		...['20260301083000', 20260301083000, '202603010830', ' 20260301083000 ', 20260301],
		...['12', '0830', '08:30', 'T08:30', '2026', '123', '1772354000', '2026060', 'tomorrow', '01/03/2026'],
		...['Thu, 01 Jul 2026 08:30:00 GMT', '01 Jul 26 08:30 GMT', 'Wednesday, 01-Jul-26 08:30:00 GMT'],
		...['Wed Jul  1 08:30:00 2026', '2026-07-01Z', '+010000-01-01T00:00:00Z', null, '', ' \n', true, {}, NaN],
		...[new Date('x'), 1e13, -1e13, [1e12], '-1763718000000', '1763718000000.5', '2026-03', '2026-W10'],
	])('are not read from %p', (value) => expectRefusal(value, `${use}_invalid`));
});
