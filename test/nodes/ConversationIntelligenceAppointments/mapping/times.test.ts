import type { IDataObject } from 'n8n-workflow';
import { sentencesOf } from '../../../../nodes/ConversationIntelligenceAppointments/itemWarnings';
import type { DateOrder } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import { readTime, timesOf } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/times';
import { quoted } from '../../../../nodes/shared/base/text';
import { documented, outcomeOf, reading, texts } from '../mapping';

/** The time that is stored, or why none is, with `…` for what was given. */
const read = (start_time: unknown, zone: string, dateOrder?: DateOrder) => {
	const times = timesOf({ start_time } as IDataObject, dateOrder);
	const own = reading({ zone, dateOrder, isZoneChosen: true });
	const { value, message } = outcomeOf(() => readTime(times.start_time, 'Start', own));
	return value ?? message.replace(quoted(start_time), '…');
};
/** A time of a calendar. */
const event = (dateTime: string, timeZone?: unknown) => ({ dateTime, timeZone });
/** A day of Outlook's. */
const day = (dateTime: string, timeZone?: string) => ({ dateTime, timeZone, isAllDay: true });
const NO_ZONE = 'which is not a clear time zone';

// rows.test.ts and test/nodes/shared/base/time.test.ts hold the other notations.
test.each<readonly [zone: string, given: unknown, expected: string]>([
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
	['UTC', event('2026-03-01T09:30', 'constructor'), 'Start: "constructor" is not a known time zone'],
	['UTC', event('2026-03-01T09:30', {}), 'Start: {} is not a known time zone'],
	['UTC', '2026-03', 'Start must be a date and time (it is …)'],
	// A key that is not read, unless it says nothing.
	[
		'UTC',
		{ ...event('2026-03-01T09:30Z'), '@odata.type': 'x', __typename: 'x', tz: '', isUtc: false },
		'2026-03-01 09:30:00',
	],
	...Object.entries({
		...{ timezone: 'Europe/Berlin', time_zone: 'UTC', tzid: 'Tokyo', utcOffset: -300, time: '09:30:00' },
		...{ TimeZone: 'UTC', hour: 9, allDay: true, meta: { timeZone: 'UTC' } },
	}).flatMap(([key, value]) =>
		[{ dateTime: '2026-03-01T09:30:00' }, { date: '2026-03-01' }, event('2026-03-01T09:30:00Z', 'UTC')].map(
			(time) => ['UTC', { ...time, [key]: value }, `Start has the key "${key}", which is not read`] as const,
		),
	),
])('in a row of %s, the time %j is %s', (zone, start_time, expected) => {
	expect(read(start_time, zone)).toBe(expected);
});

test.each<[unknown, isDay: boolean]>([
	[{ date: '2026-03-01' }, true],
	['2026-03-01', true],
	[' 20260301 ', true],
	[46082, true],
	[event('2026-03-01T00:00:00'), false],
	[day('2026-03-01T00:00:00.0000000', 'UTC'), true],
	[{ ...event('2026-03-01T00:00:00.0000000', 'UTC'), isAllDay: false }, false],
	[event('2026-03-01T00:00:00-05:00', 'America/New_York'), false],
	['2026-03-01T00:00:00.000+0000', false],
	['2026-03-01T00:00:00-05:00', false],
	['2026-03-01 00:00', false],
	[day('2026-03-01T00:30:00'), false],
])('%j is a whole day, which a date or a midnight with isAllDay is: %p', (given, isDay) => {
	const daysOf = (start_time: unknown, end_time: unknown) => {
		const times = timesOf({ start_time, end_time } as IDataObject, undefined);
		return [times.start_time, times.end_time].map((time) => time.day?.toISODate());
	};
	expect(daysOf(given, '2026-03-03')).toEqual([isDay ? '2026-03-01' : undefined, '2026-03-03']);
	// It ends when the day after the first one begins, at least.
	expect(daysOf('2026-03-01', given)).toEqual(['2026-03-01', isDay ? '2026-03-02' : undefined]);
	expect(daysOf('2026-03-04', given)[1]).toBe(isDay ? '2026-03-02' : undefined);
});

/** What is no date and time, whichever of day and month comes first. */
const NO_TIME = `2/30/2026 9:00 | 2026-2-30 9:00 | 3/14/2026 25:30 | 3/14/2026 0:30 AM | 3/14/2026 14:30 PM | 13/14/2026 9:00 | 3/14-2026 9:00 |
	3/14/2026 9 | 14.3.2026 9.05 | 14.3.2026 um 9:30 | 14/03/2026 09h30 | 14.3.2026, 9 Uhr | 2026-3-14 9h30 | 9:30 | March 14, 2026`;
const DATES: Array<[texts: string, DateOrder | '', expected: string]> = [
	[
		'3/14/2026 2:30 PM | 3/14/2026, 2:30\u202fpm | 14.03.2026 14:30 | 14-3-2026 2:30pm',
		'',
		'2026-03-14 14:30:00',
	],
	[
		'2026/03/14 14:30 | 2026-3-14 2:30 PM | 2026-03-14 02:30 PM | 2026.3.14T14:30:00.5',
		'',
		'2026-03-14 14:30:00',
	],
	[
		'3/14/2026 2:30 PM +00:00 | 3/14/2026 23:30 [Asia/Tokyo] | 3/14/2026 10:30 America/New_York',
		'',
		'2026-03-14 14:30:00',
	],
	['3/3/2026 9:00 | 03.03.2026 09:00', '', '2026-03-03 09:00:00'],
	['3/4/2026 12 AM', 'monthFirst', '2026-03-04 00:00:00'],
	['3/4/2026 12:00 pm', 'dayFirst', '2026-04-03 12:00:00'],
	['3/4/2026 9:00 | 03-04-2026 9:00 EST', '', 'Start … is ambiguous: 4 March or 3 April'],
	['14/03/2026 9:00', 'monthFirst', 'Start … does not match Date Order, because there is no month 14'],
	['3/14/2026 9:00', 'dayFirst', 'Start … does not match Date Order, because there is no month 14'],
	['3/14/26 9:00 | 26-03-14 9:00 | 14.3.26', 'monthFirst', 'Start … has no year of four digits'],
	['2026-03-14 14:30 HST | 3/14/2026 2 PM HST', '', `Start … has "HST", ${NO_ZONE}`],
	['2026-03-14 09h30', '', `Start … has "h30", ${NO_ZONE}`],
	['2026-03-14 10.30', '', `Start … has ".30", ${NO_ZONE}`],
	['2026-03-14 09:30 Uhr', '', `Start … has "Uhr", ${NO_ZONE}`],
	['4/23/2026 12:00 p.m.', '', `Start … has "p.m.", ${NO_ZONE}`],
	// Once, this quoted what nobody had written.
	[
		'3/29/2026 2 AM [Europe/Berlin]',
		'',
		'Start … is in an hour that the clock change in Europe/Berlin skips',
	],
	[NO_TIME, '', 'Start must be a date and time (it is …)'],
	[NO_TIME, 'monthFirst', 'Start must be a date and time (it is …)'],
	[NO_TIME, 'dayFirst', 'Start must be a date and time (it is …)'],
];
test.each(
	DATES.flatMap(([all, order, expected]) => texts(all).map((text) => [text, order, expected] as const)),
)('the time %j with the order "%s": %s', (text, order, expected) => {
	expect(read(text, 'UTC', order || undefined)).toBe(expected);
});

test.each(documented('Text, in the time zone UTC'))('the time %j is %s, as documented', (text, result) => {
	const { start_time } = timesOf({ start_time: text }, undefined);
	const { value, code } = outcomeOf(() => readTime(start_time, 'Start', reading({ zone: 'UTC' })));
	expect(value ?? code).toBe(result);
});

const BERLIN = { dateTime: '2026-07-01T09:00:00', timeZone: 'Europe/Berlin' };
const ASSUMED = "No time zone was given, so the workflow's was used: Event crm-1 Start (America/New_York).";
const notMapped = (advice: string) =>
	`The time zone in the input was not mapped: Event crm-1 Start (America/New_York was used: ${advice}).`;
test.each<[json: IDataObject, warning: string, isZoneChosen?: boolean]>([
	[{ start: BERLIN }, notMapped('map {{ $json.start }}')],
	[{ start: BERLIN }, notMapped('map {{ $json.start }}'), true],
	[{ events: [{ 'Start at': BERLIN }] }, notMapped('map {{ $json.events[0]["Start at"] }}')],
	[
		{ start: { ...BERLIN, timeZone: undefined, tzid: 'Tokyo Standard Time' } },
		notMapped('choose {{ $json.start.tzid }} in Options → Time Zone'),
	],
	// The zone that was used, none that is known, another time, the zone of a person.
	[{ start: { ...BERLIN, timeZone: 'America/New_York' } }, ASSUMED],
	[{ start: { ...BERLIN, timeZone: 'America/New_York' } }, '', true],
	[{ start: { ...BERLIN, timeZone: 'here' } }, ASSUMED],
	[{ start: { ...BERLIN, dateTime: '2026-07-01T10:00:00' } }, ASSUMED],
	[{ ...BERLIN }, ASSUMED],
])('a time without a zone from the input %j warns: %s', (json, warning, isZoneChosen = false) => {
	const own = reading({ zone: 'America/New_York', isZoneChosen, event: 'Event crm-1', json });
	const { start_time } = timesOf({ start_time: BERLIN.dateTime }, undefined);
	expect(readTime(start_time, 'Start', own)).toBe('2026-07-01 13:00:00');
	const said = sentencesOf(own.warnings).join();
	expect(said.slice(0, warning.length || undefined)).toBe(warning);
});
