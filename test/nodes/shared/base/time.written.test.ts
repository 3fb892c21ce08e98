import { Settings } from 'luxon';
import { toAppointmentTime, toUtcTimestamp } from '../../../../nodes/shared/base/time';

const read = (text: string) => toAppointmentTime(text, 'Asia/Dhaka', 'Start Time');

test.each([
	['an unknown zone after an offset is only for display', '2026-07-01T08:30:00Z[Foo/Bar]', '08:30:00'],
	['a calendar is not a zone', '2026-07-01T08:30:00[u-ca=gregory]', '02:30:00'],
	['the first zone counts', '2026-07-01T08:30:00[Europe/Berlin][Asia/Tokyo]', '06:30:00'],
	['a comment can stand for a space', '01 Jul 2026 08:30:00(local)+0200', '06:30:00'],
	['every comment of an email date is ignored', '01 Jul 2026 08:30:00 +0200 (CEST) (Berlin)', '06:30:00'],
	['seconds can be left out of an email date', '01 Jul 2026 08:30 +0200', '06:30:00'],
	['repeated spaces count as one', 'Wed,  01 Jul  2026  08:30:00   +0200', '06:30:00'],
])('%s: %p', (_rule, text, expected) => {
	expect(read(text)).toBe(`2026-07-01 ${expected}`);
});

test.each([
	['2026-07-01T08:30:00[CET]', 'CET'],
	['2026-07-01T08:30:00Z[!Europe/Berlin]', '!Europe/Berlin'],
	['2026-07-01T08:30:00Z[!x=y]', '!x=y'],
	['2026-07-01 08:30:00 BST[Europe/Berlin]', 'BST'],
	['2026-07-01 08:30:00 BST[CET]', 'BST'],
	['2026-07-01 08:30:00 xUTC', 'xUTC'],
	['2026-07-01 08:30:00 x+02:00', 'x+02:00'],
	['2026-07-01 08:30:00 +02:00x', '+02:00x'],
	['2026-07-01T08:30:00+24:00', '+24:00'],
])('%p is refused with the part that is unclear, and with what to use instead', (text, unclear) => {
	expect(() => read(text)).toThrow(
		expect.objectContaining({
			message: `Start Time must have a clear time zone (it is "${text}")`,
			description: `"${unclear}" is not one. Use an offset such as +02:00, a zone such as [Europe/Berlin], or Z for UTC.`,
			details: { code: 'zone_unclear', retryable: false, field: 'Start Time' },
		}),
	);
});

test.each([
	'2026-02-30 08:30:00',
	'2026-02-30 08:30:00 BST',
	'tomorrow[Europe/Berlin]',
	'2026-07-01T08:30:00[Europe/Berlin]x',
	'on 01 Jul 2026 08:30:00 +0200',
	'01 Jul 2026 08:30:00 +0200 sharp',
])('%p is refused because it is not a date, not because of its zone', (text) => {
	expect(() => read(text)).toThrow(`Start Time must be a date and time (it is "${text}")`);
});

describe('In an n8n with any default time zone', () => {
	const { defaultZone } = Settings;
	afterEach(() => void (Settings.defaultZone = defaultZone));

	test.each([
		['Pacific/Auckland', '2026-07', '2026-06-30T22:00:00.000Z'],
		// The clock of n8n skips the first hour of this month.
		['America/Asuncion', '2023-10', '2023-09-30T22:00:00.000Z'],
		['Pacific/Auckland', '2026-07-01', '2026-06-30T22:00:00.000Z'],
		['Pacific/Auckland', '2026-07-01T08:30:00', '2026-07-01T06:30:00.000Z'],
		['Pacific/Auckland', '2026-07-01T08:30:00-05:00', '2026-07-01T13:30:00.000Z'],
		['Pacific/Auckland', 'Wed, 01 Jul 2026 08:30:00 +0200', '2026-07-01T06:30:00.000Z'],
	])("such as %s, %p is read in the workflow's zone or with its own offset", (zone, text, expected) => {
		Settings.defaultZone = zone;
		expect(toUtcTimestamp(text, 'Europe/Berlin', 'From Date')).toBe(expected);
	});
});
