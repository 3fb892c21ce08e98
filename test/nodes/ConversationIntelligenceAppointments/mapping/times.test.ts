import type { IDataObject } from 'n8n-workflow';
import { readTime, timesOf } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import type { SlashDates } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/notations';
import { quoted } from '../../../../nodes/shared/base/text';
import { outcomeOf, reading, texts } from '../mapping';

/** The time that is stored, or why none is, with `…` for what was given. */
const read = (start_time: unknown, zone: string, slashDates: SlashDates = 'refuse') => {
	const times = timesOf({ start_time } as IDataObject, slashDates);
	const own = reading({ zone, slashDates, isZoneChosen: true });
	const { value, message } = outcomeOf(() => readTime(times.start_time, 'Start', own));
	return value ?? message.replace(quoted(start_time), '…');
};
/** A time of a calendar. */
const event = (dateTime: string, timeZone?: unknown) => ({ dateTime, timeZone });
/** A day of Outlook's. */
const day = (dateTime: string, timeZone?: string) => ({ dateTime, timeZone, isAllDay: true });

// pairs.test.ts and test/nodes/shared/base/time.test.ts hold the other notations.
test.each([
	// As n8n's Google Calendar, Outlook, Salesforce and Pipedrive return it.
	['UTC', event('2026-03-01T08:30:00-05:00', 'America/New_York'), '2026-03-01 13:30:00'],
	['Asia/Tokyo', event('2026-03-01T08:30:00.0000000', 'UTC'), '2026-03-01 08:30:00'],
	['Asia/Tokyo', event('2026-07-01T08:30:00', 'W. Europe Standard Time'), '2026-07-01 06:30:00'],
	['Asia/Tokyo', '2026-03-01T08:30:00.000+0000', '2026-03-01 08:30:00'],
	['Asia/Tokyo', '2026-03-01T08:30Z', '2026-03-01 08:30:00'],
	// To the second, although the fraction of a spreadsheet's day is a little less or more.
	['Asia/Tokyo', 46082.354178240741, '2026-02-28 23:30:01'],
	['UTC', ' 46082.35416666666 ', '2026-03-01 08:30:00'],
	['UTC', '20000.5', '1954-10-03 12:00:00'],
	// Clocks skip this midnight in Santiago, and repeat the other in Havana.
	['America/Santiago', '2026-09-06', '2026-09-06 04:00:00'],
	['America/Havana', { dateTime: '', date: '2026-11-01' }, '2026-11-01 04:00:00'],
	['UTC', day('2026-03-01T00:00:00-05:00'), '2026-03-01 05:00:00'],
	['UTC', day('2026-03-01T00:00', 'Tokyo Standard Time'), '2026-02-28 15:00:00'],
	['Asia/Tokyo', day('2026-03-01T00:00Z'), '2026-02-28 15:00:00'],
	[
		'UTC',
		event('2026-03-01T09:30', 'constructor'),
		'Start must have a known time zone (it is "constructor")',
	],
	['UTC', event('2026-03-01T09:30', {}), 'Start must have a known time zone (it is {})'],
	['UTC', '2026-03', 'Start must be a date and time (it is …)'],
])('in a row of %s, the time %j is %s', (zone, start_time, expected) => {
	expect(read(start_time, zone)).toBe(expected);
});

test.each<[unknown, isDay: boolean]>([
	[{ date: '2026-03-01' }, true],
	['2026-03-01', true],
	[' 20260301 ', true],
	[46082, true],
	[event('2026-03-01T00:00:00', 'floating'), true],
	[day('2026-03-01T00:00:00.0000000', 'UTC'), true],
	[{ ...event('2026-03-01T00:00:00.0000000', 'UTC'), isAllDay: false }, false],
	[event('2026-03-01T00:00:00-05:00', 'America/New_York'), false],
	['2026-03-01T00:00:00.000+0000', false],
	['2026-03-01T00:00:00-05:00', false],
	['2026-03-01 00:00', false],
	[day('2026-03-01T00:30:00'), false],
])('%j is a whole day, which a date or a floating midnight is: %p', (given, isDay) => {
	const daysOf = (start_time: unknown, end_time: unknown) => {
		const times = timesOf({ start_time, end_time } as IDataObject, 'refuse');
		return [times.start_time, times.end_time].map((time) => time.day?.toISODate());
	};
	expect(daysOf(given, '2026-03-03')).toEqual([isDay ? '2026-03-01' : undefined, '2026-03-03']);
	// It ends when the day after the first one begins, at least.
	expect(daysOf('2026-03-01', given)).toEqual(['2026-03-01', isDay ? '2026-03-02' : undefined]);
	expect(daysOf('2026-03-04', given)[1]).toBe(isDay ? '2026-03-02' : undefined);
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
	expect(read(text, 'UTC', slashDates)).toBe(expected);
});
