import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readAttendees } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/attendees';
import { CodedError } from '../../../../nodes/shared/base/errors';
import { readTime, wholeDays } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import WINDOWS_ZONES from '../../../../nodes/ConversationIntelligenceAppointments/mapping/windowsZones.json';
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
					// test/nodes/shared/base/time.test.ts holds that an hour that comes twice is refused.
					fc.pre(at.getPossibleOffsets().length === 1);
					const own = reading({ zone: workflowZone });
					const stored = at.toUTC().toFormat('yyyy-MM-dd HH:mm:ss');
					expect(readTime(write(at, windowsName), 'Start Time', own)).toBe(stored);
					expect(own.warnings).toEqual({});
				}),
			);
		},
	);

	test('of whole days is a date or a floating midnight, and a midnight with an offset or a zone is none', () => {
		const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
		const dates: Array<(text: string) => unknown> = [
			(text) => ({ date: text }),
			(text) => text,
			(text) => ` ${text.replaceAll('-', '')} `,
			(text) => ({ dateTime: `${text}T00:00:00`, timeZone: 'floating' }),
			(text) => ({ dateTime: `${text}T00:00:00.0000000`, timeZone: 'UTC', isAllDay: true }),
			(text) => Date.parse(text) / 86_400_000 + 25_569,
		];
		const times: Array<(text: string) => unknown> = [
			(text) => ({ dateTime: `${text}T00:00:00.0000000`, timeZone: 'UTC' }),
			(text) => ({ dateTime: `${text}T00:00:00-05:00`, timeZone: 'America/New_York' }),
			(text) => `${text}T00:00:00.000+0000`,
			(text) => `${text}T00:00:00-05:00`,
			(text) => `${text} 00:00`,
		];
		fc.assert(
			fc.property(
				day,
				fc.nat(3),
				fc.constantFrom(...dates),
				fc.constantFrom(...times),
				(date, length, write, time) => {
					const start = DateTime.fromJSDate(date, { zone: 'UTC' }).startOf('day');
					const [end, next] = [start.plus({ days: length }), start.plus({ days: Math.max(1, length) })];
					const row = {
						start_time: write(start.toISODate()!),
						end_time: write(end.toISODate()!),
					} as IDataObject;
					expect(wholeDays(row)).toEqual({
						start_time: { dateTime: `${start.toISODate()}T00:00`, timeZone: undefined, startsDay: true },
						end_time: { dateTime: `${next.toISODate()}T00:00`, timeZone: undefined, startsDay: true },
					});
					const later = { ...row, end_time: time(next.toISODate()!) as string };
					expect(Object.keys(wholeDays(later))).toEqual(['start_time']);
				},
			),
		);
		expect(wholeDays({ start_time: '2026-03', end_time: 'soon' })).toEqual({});
	});

	test.each([
		// Clocks skip this midnight in Santiago, and repeat the other in Havana.
		['America/Santiago', '2026-09-06', '2026-09-06 04:00:00'],
		['America/Havana', { dateTime: '', date: '2026-11-01' }, '2026-11-01 04:00:00'],
		['UTC', { dateTime: '2026-03-01T00:00:00-05:00', isAllDay: true }, '2026-03-01 05:00:00'],
		[
			'UTC',
			{ dateTime: '2026-03-01T00:00', timeZone: 'Tokyo Standard Time', isAllDay: true },
			'2026-02-28 15:00:00',
		],
		['Asia/Tokyo', { dateTime: '2026-03-01T00:00Z', isAllDay: true }, '2026-02-28 15:00:00'],
	])('of a whole day in %s, %j, is when it begins: %s', (own, start_time, stored) => {
		const day = wholeDays({ start_time }).start_time;
		expect(readTime(day, 'Start Time', reading({ zone: own, isZoneChosen: true }))).toBe(stored);
	});

	test('from a spreadsheet is read to the second in the zone of the row, as a number or as text', () => {
		fc.assert(
			fc.property(minute, zone, fc.boolean(), (millis, [, ianaName], isText) => {
				const at = DateTime.fromMillis(millis, { zone: ianaName });
				fc.pre(at.getPossibleOffsets().length === 1 && at.hour + at.minute > 0);
				const serial = (millis + at.offset * 60_000) / 86_400_000 + 25_569;
				const own = reading({ zone: ianaName });
				const stored = at.toUTC().toFormat('yyyy-MM-dd HH:mm:ss');
				expect(readTime(isText ? ` ${serial} ` : serial, 'Start Time', own)).toBe(stored);
				expect(own.warnings.zone_assumed).toEqual([`Start Time (${ianaName})`]);
			}),
		);
	});
});

/** What an entry of each source is read as: an address, or the name and reason in the warning that it is not sent. */
const ENTRIES: Array<[unknown, string]> = [
	// Google Calendar
	[{ email: 'ana@x.com', responseStatus: 'accepted', self: true, id: 'u@x.com' }, 'ana@x.com'],
	[{ email: 'needs@x.com', responseStatus: 'needsAction', comment: 'call me@x.com' }, 'needs@x.com'],
	[{ email: 'ben@x.com', responseStatus: 'declined' }, '"ben@x.com" (declined)'],
	[{ email: 'r1@x.com', resource: true }, '"r1@x.com" (a room)'],
	[{ displayName: 'Cara', responseStatus: 'accepted' }, '"Cara" (no address)'],
	// Outlook, Exchange
	[{ type: 'required', status: { response: 'none' }, emailAddress: { address: 'dan@x.com' } }, 'dan@x.com'],
	[{ emailAddress: { name: 'old@x.com', address: 'new@x.com' } }, 'new@x.com'],
	[{ status: { response: 'declined' }, emailAddress: { address: 'eve@x.com' } }, '"eve@x.com" (declined)'],
	[{ Status: { Response: 'Declined' }, EmailAddress: { Address: 'e2@x.com' } }, '"e2@x.com" (declined)'],
	[{ type: 'resource', emailAddress: { name: 'R2', address: 'r2@x.com' } }, '"r2@x.com" (a room)'],
	[{ type: 'optional', emailAddress: { name: 'Finn', address: '' } }, '"Finn" (no address)'],
	[{ Mailbox: { Name: 'G', EmailAddress: 'ews@x.com' }, ResponseType: 'Decline' }, '"ews@x.com" (declined)'],
	// iCalendar parsers
	[{ params: { CN: 'old@x.com', 'SENT-BY': 'mailto:pa@x.com' }, val: 'MAILTO:gus@x.com' }, 'gus@x.com'],
	[{ params: { PARTSTAT: 'DECLINED', RSVP: 'FALSE' }, val: 'mailto:hal@x.com' }, '"hal@x.com" (declined)'],
	[{ params: { CUTYPE: 'ROOM', CN: 'R3' }, val: 'mailto:r3@x.com' }, '"r3@x.com" (a room)'],
	[{ params: { CN: 'Ida' }, val: 'invalid:nomail' }, '"Ida" (no address)'],
	[{ name: 'Jan', mailto: 'mailto:jan@x.com', partstat: 'ACCEPTED', rsvp: true }, 'jan@x.com'],
	// Nylas, Calendly, Salesforce, Zoho
	[{ email: 'kim@x.com', status: 'no' }, '"kim@x.com" (declined)'],
	[{ email: 'leo@x.com', status: 'noreply' }, 'leo@x.com'],
	[{ email: 'mia@x.com', status: 'canceled', uri: 'https://x.com/a@x.com' }, '"mia@x.com" (declined)'],
	[{ user: 'https://api.x.com/users/1', user_email: 'ned@x.com', user_name: 'Ned' }, 'ned@x.com'],
	[{ Relation: { Name: 'Oli', Email: 'oli@x.com' }, Status: 'New' }, 'oli@x.com'],
	[{ Relation: { Email: 'pam@x.com' }, Status: 'Declined' }, '"pam@x.com" (declined)'],
	[{ Email: 'zed@x.com', Owner: { Email: 'owner@x.com' }, CreatedBy: { Email: 'c@x.com' } }, 'zed@x.com'],
	[{ participant: 'quin@x.com', type: 'email', status: 'not_known' }, 'quin@x.com'],
	[{ person: { email: 'MAILTO:rob@x.com', status: 'DECLINED' } }, '"rob@x.com" (declined)'],
	[{ email: 'sam@x.com', attendance: 'Declined', id: 5 }, '"sam@x.com" (declined)'],
	[{ email: 'ted@x.com', declined: true }, '"ted@x.com" (declined)'],
	[{ email: 'ugo@x.com', canceled: true }, '"ugo@x.com" (declined)'],
	[{ email: 'uta@x.com', canceled: false, deleted: false }, 'uta@x.com'],
	[{ calendarAddress: 'mailto:val@x.com', participationStatus: 'declined' }, '"val@x.com" (declined)'],
	[{ properties: { email: 'wes@x.com', hs_additional_emails: 'w2@x.com' } }, 'wes@x.com'],
	[{ email: 'una@x.com', responseStatus: 'abgelehnt', company: { status: 'canceled' } }, 'una@x.com'],
	// Pipedrive, Notion, Slack, forms, text
	[{ name: 'Ray', email: [{ value: 'ray@x.com', primary: true, label: 'work' }] }, 'ray@x.com'],
	[{ object: 'user', type: 'person', person: { email: 'sue@x.com' } }, 'sue@x.com'],
	[{ id: 'U1', profile: { email: 'tom@x.com', real_name: 'Tom' } }, 'tom@x.com'],
	[{ label: 'Uma', value: 'Uma <uma@x.com>' }, 'uma@x.com'],
	[{ email_address: 'vic@x.com', name: 'v@y.com' }, 'vic@x.com'],
	[{ label: 'w@y.com', value: 'wes@x.com' }, 'wes@x.com'],
	[{ email: 'ava.adams' }, 'ava.adams'],
	[['Yan', 'x'].slice(2).concat('yan@x.com'), 'yan@x.com'],
	['zoe@x.com', 'zoe@x.com'],
];

/** Entries that would be somebody's removal, or somebody else's invitation, if they were read on a guess. */
const UNKNOWN: unknown[] = [
	...[
		{},
		{ name: 'Bob' },
		{ id: 5, status: 'no' },
		{ user: 'u_1' },
		{ person: {} },
		{ email: 5 },
		[undefined],
	],
	...[
		{ params: { id: 1 } },
		{ a: { b: { c: 'a@x.com' } } },
		['a@x.com', 'b@x.com'],
		{ name: 'B', addedBy: 'a@x.com' },
	],
	...[{ email: 'a@x.com, b@x.com' }, { work: 'a@x.com', home: 'b@x.com' }, { email: 'Bob' }, { email: {} }],
	...[{ emails: ['a@x.com', 'b@x.com'] }, { email: `${'x'.repeat(50_000)}@x.com` }, { name: 'ava.adams' }],
	{ Email: '', Owner: { Email: 'a@x.com' }, home: 'b@x.com', work: 'c@x.com' },
];

const UNCLEAR = expect.objectContaining({ details: expect.objectContaining({ code: 'attendee_unclear' }) });

describe('The attendees of a list', () => {
	const read = (value: unknown, own = reading()) => readAttendees(value, 'Attendee Emails', own);

	// D2-ATT-03, D2-ATT-05
	test('of any sources are all sent, or left out by name: rooms, who declined, and who has no address', () => {
		fc.assert(
			fc.property(fc.shuffledSubarray(ENTRIES), fc.constantFrom(String, JSON.parse), (entries, form) => {
				const own = reading();
				const list = JSON.stringify(entries.map(([entry]) => entry));
				const expected = entries.map(([, one]) => one).filter((one) => !one.startsWith('"'));
				// Of a list in which nobody is left, nothing is sent: an update would drop everyone.
				const isNobody = expected.length === 0 && entries.length > 0;
				expect(read(form(list), own)).toEqual(isNobody ? undefined : expected);
				const others = entries.map(([, one]) => one).filter((one) => one.startsWith('"'));
				expect(own.warnings.attendees_left_out ?? []).toEqual(others);
			}),
		);
	});

	test.each(UNKNOWN.map((entry) => [JSON.stringify(entry).slice(0, 60), entry]))(
		'are refused as a whole with the entry %s',
		(_shape, entry) => {
			expect(() => read(['ana@x.com', entry])).toThrow(UNCLEAR);
			expect(() => read([entry, { email: 'ana@x.com', responseStatus: 'accepted' }])).toThrow(UNCLEAR);
		},
	);

	test('never lose an address under keys of any names: it is sent, or the row is refused', () => {
		const known = 'email Email e-mail value name address user organizer status type'.split(' ');
		const key = fc.oneof(fc.constantFrom(...known), fc.string({ maxLength: 8 }));
		const word = fc.oneof(
			fc.string({ maxLength: 8 }).filter((text) => !/[@.]/.test(text)),
			fc.constantFrom(null, true, 7, '', 'active', 'Bob Ray'),
		);
		const entry = fc.dictionary(key, fc.oneof(word, fc.dictionary(key, word, { maxKeys: 3 })), {
			maxKeys: 4,
		});
		const scheme = fc.constantFrom('', 'mailto:', 'MAILTO:');
		fc.assert(
			fc.property(
				entry,
				fc.array(key, { minLength: 1, maxLength: 2 }),
				scheme,
				(others, [first, second], prefix) => {
					const text = `${prefix}ann@x.com`;
					const list = [
						{ ...others, [first]: second === undefined ? text : { [second]: text } },
						'ben@x.com',
					];
					const own = reading();
					try {
						expect(read(list, own)).toEqual(['ann@x.com', 'ben@x.com']);
						expect(own.warnings).toEqual({});
					} catch (error) {
						if (!(error instanceof CodedError)) throw error;
						expect(error.details.code).toBe('attendee_unclear');
					}
				},
			),
		);
	});

	test('can be a single entry, but not the parent of a list or a map of entries', () => {
		const own = reading();
		for (const [entry, expected] of ENTRIES.slice(0, 20).filter(([, one]) => !/ews|jan|a room/.test(one))) {
			expect(read(entry, own)).toEqual(expected.startsWith('"') ? undefined : [expected]);
		}
		const whole = [
			{ value: [{ email: 'a@x.com' }] },
			{ a: { email: 'a@x.com' }, b: { name: 'B' } },
			{ email: ['a@x.com'] },
		];
		const code = expect.objectContaining({ details: expect.objectContaining({ code: 'attendees_invalid' }) });
		for (const value of whole) expect(() => read(value)).toThrow(code);
	});
});

describe('An event of a calendar in a workflow of Berlin', () => {
	const { engine, bodies } = processingService();
	const send = async (start_time: unknown, end_time: unknown, options: INodeParameters = {}) =>
		await runAppointments(
			engine,
			byHand({ ...CREATE, start_time, end_time } as IDataObject, { options }),
			[{}],
			{ timezone: 'Europe/Berlin' },
		);
	const [midnight, next] = ['2026-03-01T00:00:00-05:00', '2026-03-02T00:00:00-05:00'];
	const inZone = (dateTime: string, timeZone: unknown) => ({ dateTime, timeZone });
	const whole = { allDayEvents: 'wholeDay' };

	test.each<[string, [unknown, unknown], INodeParameters, [string, string]]>([
		// Once, Time Zone went before it: five hours off.
		[
			"a calendar's own zone, not the Time Zone beside it",
			[inZone('2026-03-01T08:30', 'UTC'), inZone('2026-03-01T18:30', 'Tokyo Standard Time')],
			{ timeZone: 'America/New_York' },
			['2026-03-01 08:30:00', '2026-03-01 09:30:00'],
		],
		[
			'the day of a clock change',
			[{ date: '2026-03-29' }, { date: '2026-03-30' }],
			whole,
			['2026-03-28 23:00:00', '2026-03-29 22:00:00'],
		],
		['midnights with an offset', [midnight, next], whole, ['2026-03-01 05:00:00', '2026-03-02 05:00:00']],
		['midnights by default', [midnight, next], {}, ['2026-03-01 05:00:00', '2026-03-02 05:00:00']],
	])('sends %s', async (_name, [start, end], options, sent) => {
		expect((await send(start, end, options)).error).toBeUndefined();
		expect(bodies().map((body) => [body?.start_time, body?.end_time])).toEqual([sent]);
	});

	// The last two are no zones to JavaScript either.
	test.each<[string, unknown]>([
		['time_repeated', inZone('2026-10-25T02:30:00', 'Europe/Berlin')],
		['time_zone_invalid', inZone('2026-03-01T09:30', 'constructor')],
		['time_zone_invalid', inZone('2026-03-01T09:30', { toString: '' })],
	])('is refused by name with %s', async (code, end) => {
		const { error } = await send(midnight, end);
		expect(error?.context?.details).toMatchObject({ code, field: 'End Time', eventId: CREATE.event_id });
		expect(bodies()).toEqual([]);
	});
});
