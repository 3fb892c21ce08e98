import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readAttendees } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/attendees';
import { readTime, wholeDays } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/times';
import WINDOWS_ZONES from '../../../../nodes/ConversationIntelligenceAppointments/mapping/windowsZones.json';
import { sentencesOf, type Warnings } from '../../../../nodes/ConversationIntelligenceAppointments/warnings';
import { byHand, CREATE, processingService, reading, runAppointments } from '../mapping';

/** Names of Windows, with their IANA names. */
const zone = fc.constantFrom(...Object.entries(WINDOWS_ZONES));
const minute = fc
	.integer({ min: Date.UTC(2000, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 })
	.map((minutes) => minutes * 60_000);

/** What n8n's own nodes return for an instant (read in the sources of n8n-nodes-base 2.41), or an expression makes of it. */
const RETURNED: Array<[string, (at: DateTime, windowsName: string) => unknown]> = [
	[
		'Google Calendar',
		(at) => ({ dateTime: at.toISO({ suppressMilliseconds: true }), timeZone: at.zoneName }),
	],
	[
		'Outlook',
		(at) => ({ dateTime: at.toUTC().toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'0000'"), timeZone: 'UTC' }),
	],
	[
		'Outlook in its own zone',
		(at, timeZone) => ({ dateTime: at.toFormat("yyyy-MM-dd'T'HH:mm:ss"), timeZone }),
	],
	['HubSpot', (at) => at.toUTC().toISO({ suppressMilliseconds: true })],
	['HubSpot, of an engagement', (at) => at.toMillis()],
	['Salesforce', (at) => at.toUTC().toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'+0000'")],
	['Pipedrive', (at) => at.toUTC().toFormat("yyyy-MM-dd'T'HH:mm'Z'")],
];

describe('A time of a calendar', () => {
	// D2-RULE-01
	test.each(RETURNED)(
		'from %s is the same instant in any workflow zone, without a warning',
		(_name, write) => {
			fc.assert(
				fc.property(minute, zone, zone, (millis, [windowsName, ianaName], [, workflowZone]) => {
					const at = DateTime.fromMillis(millis, { zone: ianaName });
					// test/nodes/shared/time/instant.test.ts holds that an hour that comes twice is refused.
					fc.pre(at.getPossibleOffsets().length === 1);
					const own = reading({ zone: workflowZone });
					const stored = at.toUTC().toFormat('yyyy-MM-dd HH:mm:ss');
					expect(readTime(write(at, windowsName), 'Start Time', own)).toBe(stored);
					expect(own.warnings).toEqual({});
				}),
			);
		},
	);

	test('of whole days is known in each form, and no other time is taken for one', () => {
		const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
		const forms: Array<(text: string) => unknown> = [
			(text) => ({ date: text }),
			(text) => text,
			(text) => ` ${text.replaceAll('-', '')} `,
			(text) => ({ dateTime: `${text}T00:00:00.0000000`, timeZone: 'UTC' }),
			(text) => `${text}T00:00:00.000+0000`,
		];
		const property = fc.property(day, fc.nat(3), fc.constantFrom(...forms), (date, length, write) => {
			const start = DateTime.fromJSDate(date, { zone: 'UTC' }).startOf('day');
			const [end, next] = [start.plus({ days: length }), start.plus({ days: Math.max(1, length) })];
			const row = { start_time: write(start.toISODate()!), end_time: write(end.toISODate()!) } as IDataObject;
			const isTime = length === 0 && JSON.stringify(row).includes('T00');
			expect(wholeDays(row)).toEqual(
				isTime ? {} : { start_time: `${start.toISODate()}T00:00`, end_time: `${next.toISODate()}T00:00` },
			);
			const later = { ...row, end_time: `${next.toISODate()}T00:01Z` };
			expect('end_time' in wholeDays(later)).toBe(false);
		});
		fc.assert(property);
		expect(wholeDays({ start_time: '2026-03', end_time: 'soon' })).toEqual({});
	});
});

/** Entries of Google's and Outlook's attendees, whether each attends, and its name in the warning. */
const ENTRIES: Array<[IDataObject, boolean, string?]> = [
	[{ email: 'ana@x.com', responseStatus: 'accepted', self: true }, true],
	[{ email: 'needs@x.com', responseStatus: 'needsAction' }, true],
	[{ email: 'ben@x.com', responseStatus: 'declined' }, false, '"ben@x.com" (declined)'],
	[
		{ email: 'r1@resource.calendar.google.com', resource: true },
		false,
		'"r1@resource.calendar.google.com" (a room)',
	],
	[{ displayName: 'Cara', responseStatus: 'accepted' }, false, '"Cara" (no address)'],
	[{ type: 'required', status: { response: 'none' }, emailAddress: { address: 'dan@x.com' } }, true],
	[
		{ status: { response: 'declined' }, emailAddress: { address: 'eve@x.com' } },
		false,
		'"eve@x.com" (declined)',
	],
	[{ type: 'resource', emailAddress: { name: 'R2', address: 'r2@x.com' } }, false, '"r2@x.com" (a room)'],
	[{ type: 'optional', emailAddress: { name: 'Finn', address: '' } }, false, '"Finn" (no address)'],
];

test('of the attendees of a calendar, those attend who have an address, did not decline and are no room', () => {
	fc.assert(
		fc.property(fc.shuffledSubarray(ENTRIES), (entries) => {
			const own = reading();
			const addressOf = ({ email, emailAddress }: IDataObject) =>
				email ?? (emailAddress as IDataObject).address;
			const list = entries.map(([entry]) => entry);
			const expected = entries.filter(([, attends]) => attends).map(([entry]) => addressOf(entry));
			// Of a list in which nobody is left, nothing is sent: an update would drop everyone.
			const isNobody = expected.length === 0 && list.length > 0;
			expect(readAttendees(list, 'Attendee Emails', own)).toEqual(isNobody ? undefined : expected);
			const others = entries.filter(([, attends]) => !attends).map(([, , name]) => name);
			expect(own.warnings.attendees_left_out ?? []).toEqual(others);
		}),
	);
});

describe('An event of a calendar in a workflow of Berlin', () => {
	const { engine, bodies } = processingService();
	const send = async (row: IDataObject, options: INodeParameters = {}) =>
		await runAppointments(engine, byHand({ ...CREATE, ...row }, { options }), [{}], {
			timezone: 'Europe/Berlin',
		});
	const outlook = (time: string) => ({ dateTime: `2026-03-01T${time}:00.0000000`, timeZone: 'UTC' });
	const times = { start_time: outlook('08:30'), end_time: outlook('09:30') };
	const naive = { start_time: times.start_time.dateTime, end_time: times.end_time.dateTime };
	const days = { start_time: { date: '2026-03-29' }, end_time: { date: '2026-03-30' } };
	const TWICE = { dateTime: '2026-10-25T02:30:00', timeZone: 'Europe/Berlin' };
	const whole = { allDayEvents: 'wholeDay' };
	const assumed = { zone_assumed: ['Start Time (Europe/Berlin)', 'End Time (Europe/Berlin)'] };

	test.each<[string, IDataObject, INodeParameters, [string, string], Warnings]>([
		['start of Outlook', times, {}, ['2026-03-01 08:30:00', '2026-03-01 09:30:00'], {}],
		// Once, they were stored an hour off in silence.
		['start.dateTime of Outlook', naive, {}, ['2026-03-01 07:30:00', '2026-03-01 08:30:00'], assumed],
		[
			'start.dateTime of Outlook with its Time Zone',
			naive,
			{ timeZone: 'UTC' },
			['2026-03-01 08:30:00', '2026-03-01 09:30:00'],
			{},
		],
		[
			'times with a Time Zone of Windows',
			naive,
			{ timeZone: 'Pacific Standard Time' },
			['2026-03-01 16:30:00', '2026-03-01 17:30:00'],
			{},
		],
		['the day of a clock change', days, whole, ['2026-03-28 23:00:00', '2026-03-29 22:00:00'], assumed],
	])('sends %s', async (_name, row, options, sent, warnings) => {
		const { items, error } = await send(row, options);
		expect(error).toBeUndefined();
		expect(bodies().map((body) => [body?.start_time, body?.end_time])).toEqual([sent]);
		expect(items[0].json.warnings).toEqual(sentencesOf(warnings));
	});

	test.each<[string, IDataObject, string[]]>([
		['without times of day', days, ['whole_day', 'whole_day']],
		['in an unknown zone', { end_time: { ...outlook('09:30'), timeZone: 'Mars' } }, ['time_zone_invalid']],
		['at an hour that comes twice', { end_time: TWICE }, ['time_repeated']],
	])('%s is refused by name', async (_name, row, codes) => {
		const { details } = (await send(row)).error!.context as { details: IDataObject };
		const causes = (details.causes ?? [details]) as IDataObject[];
		expect(causes.map(({ code, field }) => [code, field])).toEqual(
			codes.map((code, index) => [code, row === days ? ['Start Time', 'End Time'][index] : 'End Time']),
		);
		expect(details.eventId).toBe(CREATE.event_id);
		expect(bodies()).toEqual([]);
	});
});
