import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { readTime, timesOf } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import type {
	SlashDates,
	ValueContext,
} from '../../../../nodes/ConversationIntelligenceAppointments/mapping/notations';
import WINDOWS_ZONES from '../../../../nodes/ConversationIntelligenceAppointments/mapping/windowsZones.json';
import { quoted } from '../../../../nodes/shared/base/text';
import { outcomeOf, reading, texts } from '../mapping';

/** Names of Windows, with their IANA names. */
const zone = fc.constantFrom(...Object.entries(WINDOWS_ZONES));
const minute = fc.integer({ min: Date.UTC(2000, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 });
const utc = (at: DateTime, format: string) => at.toUTC().toFormat(format);

/** The time that is stored, or why none is, with `…` for what was given. */
const read = (start_time: unknown, own: ValueContext = reading()) => {
	const times = timesOf({ start_time } as IDataObject, own.slashDates);
	const { value, message } = outcomeOf(() => readTime(times.start_time, 'Start', own));
	return value ?? message.replace(quoted(start_time), '…');
};

/** What n8n's own nodes return for an instant (read in the sources of n8n-nodes-base 2.41), or an expression makes of it. */
const RETURNED: Record<string, (at: DateTime, windowsName: string) => unknown> = {
	'Google Calendar': (at) => ({ dateTime: at.toISO({ suppressMilliseconds: true }), timeZone: at.zoneName }),
	Outlook: (at) => ({ dateTime: utc(at, "yyyy-MM-dd'T'HH:mm:ss.SSS'0000'"), timeZone: 'UTC' }),
	'Outlook in its own zone': (at, timeZone) => ({ dateTime: at.toFormat("yyyy-MM-dd'T'HH:mm:ss"), timeZone }),
	HubSpot: (at) => at.toUTC().toISO({ suppressMilliseconds: true }),
	'HubSpot, of an engagement': (at) => at.toMillis(),
	Salesforce: (at) => utc(at, "yyyy-MM-dd'T'HH:mm:ss.SSS'+0000'"),
	Pipedrive: (at) => utc(at, "yyyy-MM-dd'T'HH:mm'Z'"),
};
/** In the zone of the row, which a warning names. */
const SERIAL: typeof RETURNED = {
	'a spreadsheet, as a number': (at) => (at.toSeconds() + at.offset * 60) / 86_400 + 25_569,
	'a spreadsheet, as text': (at) => ` ${(at.toSeconds() + at.offset * 60) / 86_400 + 25_569} `,
};

// D2-RULE-01
test.each(Object.entries({ ...RETURNED, ...SERIAL }))(
	'a time from %s is the same instant, in any workflow zone if it has its own',
	(name, write) => {
		fc.assert(
			fc.property(minute, zone, zone, (minutes, [windowsName, ianaName], [, workflowZone]) => {
				const at = DateTime.fromMillis(minutes * 60_000, { zone: ianaName });
				// test/nodes/shared/base/time.test.ts holds that an hour that comes twice is refused.
				fc.pre(at.getPossibleOffsets().length === 1 && at.hour + at.minute > 0);
				const isAssumed = name in SERIAL;
				const own = reading({ zone: isAssumed ? ianaName : workflowZone });
				const warnings = isAssumed ? { zone_assumed: [`Start (${ianaName})`] } : {};
				expect([read(write(at, windowsName), own), own.warnings]).toEqual([
					utc(at, 'yyyy-MM-dd HH:mm:ss'),
					warnings,
				]);
			}),
		);
	},
);

/** Days, and times that are none: a midnight with an offset or a zone. */
const DAYS: Array<(text: string) => unknown> = [
	(date) => ({ date }),
	(date) => date,
	(date) => ` ${date.replaceAll('-', '')} `,
	(date) => ({ dateTime: `${date}T00:00:00`, timeZone: 'floating' }),
	(date) => ({ dateTime: `${date}T00:00:00.0000000`, timeZone: 'UTC', isAllDay: true }),
	(date) => Date.parse(date) / 86_400_000 + 25_569,
];
const NO_DAYS: typeof DAYS = [
	(date) => ({ dateTime: `${date}T00:00:00.0000000`, timeZone: 'UTC' }),
	(date) => ({ dateTime: `${date}T00:00:00-05:00`, timeZone: 'America/New_York' }),
	(date) => `${date}T00:00:00.000+0000`,
	(date) => `${date}T00:00:00-05:00`,
	(date) => `${date} 00:00`,
];
test('a day is a date or a floating midnight, and ends when the day after the first begins, at least', () => {
	const first = fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
	const writers = fc.tuple(fc.constantFrom(...DAYS), fc.constantFrom(...NO_DAYS));
	fc.assert(
		fc.property(first, fc.nat(3), writers, (date, length, [write, writeTime]) => {
			const start = DateTime.fromJSDate(date, { zone: 'UTC' });
			const [startDay, endDay, nextDay] = [0, length, Math.max(1, length)].map(
				(days) => start.plus({ days }).toISODate()!,
			);
			const daysOf = (start_time: unknown, end_time: unknown) => {
				const times = timesOf({ start_time, end_time } as IDataObject, 'refuse');
				return [times.start_time, times.end_time].map(({ day }) => day?.toISODate());
			};
			expect(daysOf(write(startDay), write(endDay))).toEqual([startDay, nextDay]);
			expect(daysOf(write(startDay), writeTime('2026-03-01'))).toEqual([startDay, undefined]);
		}),
	);
});

const day = (dateTime: string, timeZone?: string) => ({ dateTime, timeZone, isAllDay: true });
test.each([
	// Clocks skip this midnight in Santiago, and repeat the other in Havana.
	['America/Santiago', '2026-09-06', '2026-09-06 04:00:00'],
	['America/Havana', { dateTime: '', date: '2026-11-01' }, '2026-11-01 04:00:00'],
	['UTC', day('2026-03-01T00:00:00-05:00'), '2026-03-01 05:00:00'],
	['UTC', day('2026-03-01T00:00', 'Tokyo Standard Time'), '2026-02-28 15:00:00'],
	['Asia/Tokyo', day('2026-03-01T00:00Z'), '2026-02-28 15:00:00'],
	// The last one is no zone to JavaScript either.
	[
		'UTC',
		{ dateTime: '2026-03-01T09:30', timeZone: 'constructor' },
		'Start must have a known time zone (it is "constructor")',
	],
	['UTC', { dateTime: '2026-03-01T09:30', timeZone: {} }, 'Start must have a known time zone (it is {})'],
	['UTC', '2026-03', 'Start must be a date and time (it is …)'],
])('in a row of %s, the time %j is %s', (own, start_time, expected) => {
	expect(read(start_time, reading({ zone: own, isZoneChosen: true }))).toBe(expected);
});

const NO_TIME = `2/30/2026 9:00 | 3/14/2026 14:30 PM | 3/14/2026 0:30 AM | 3/14/2026 25:30 | 13/14/2026 9:00 | 3/14-2026 9:00 |
	3/14/2026 9 | 14.3.2026T9.30 | 14.3.2026 9:30.15 | 3/14/2026 9h30:15 | 3/14/2026 um | 3-14-26 9:00`;
test.each<[string, SlashDates, string]>([
	['3/14/2026 2:30 PM', 'monthFirst', '2026-03-14 14:30:00'],
	['3/14/2026, 2:30:05\u202fpm', 'monthFirst', '2026-03-14 14:30:05'],
	['03-14-2026 12 AM', 'monthFirst', '2026-03-14 00:00:00'],
	['14.3.2026 9.05.30', 'dayFirst', '2026-03-14 09:05:30'],
	['14.3.2026 um 9:05', 'dayFirst', '2026-03-14 09:05:00'],
	['14/03/2026 à 09h30', 'dayFirst', '2026-03-14 09:30:00'],
	['14.3.2026, 9 Uhr', 'dayFirst', '2026-03-14 09:00:00'],
	['2026-03-14 09h30', 'refuse', '2026-03-14 09:30:00'],
	['2026-03-14 09:30 Uhr', 'refuse', '2026-03-14 09:30:00'],
	['4/3/2026 12:00 p.m.', 'dayFirst', '2026-03-04 12:00:00'],
	['3/14/2026 2:30 PM +01:00', 'monthFirst', '2026-03-14 13:30:00'],
	['3/14/2026 14:30 [Asia/Tokyo]', 'monthFirst', '2026-03-14 05:30:00'],
	['2026/03/14 14:30', 'refuse', '2026-03-14 14:30:00'],
	['2026-3-14 2:30 PM', 'dayFirst', '2026-03-14 14:30:00'],
	['2026-03-14 10.30', 'refuse', '2026-03-14 10:30:00'],
	['2026-03-14 14:30 HST', 'refuse', 'Start must have a clear time zone (it is …)'],
	['3/14/26 9:00', 'monthFirst', 'Start must have a year of four digits (it is …)'],
	// Once, these two quoted what nobody had written.
	['3/14/2026 2 PM EST', 'monthFirst', 'Start must have a clear time zone (it is …)'],
	[
		'3/29/2026 2 AM [Europe/Berlin]',
		'monthFirst',
		'Start … is in an hour that the clock change in Europe/Berlin skips',
	],
	['3/4/2026 9:00', 'refuse', 'Start … is 2026-03-04 (month first) or 2026-04-03 (day first)'],
	['14.03.2026 9:00', 'refuse', 'Start … is no date (month first) or 2026-03-14 (day first)'],
	['14/03/2026 9:00', 'monthFirst', 'Start … is no date (month first) or 2026-03-14 (day first)'],
	...texts(NO_TIME).map((text): [string, SlashDates, string] => [
		text,
		'monthFirst',
		'Start must be a date and time (it is …)',
	]),
])('the time %j with %s: %s', (text, slashDates, expected) => {
	expect(read(text, reading({ zone: 'UTC', slashDates }))).toBe(expected);
});
