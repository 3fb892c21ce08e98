import { DateTime } from 'luxon';
import type { Doubles } from './doubles';
import type { Json } from './services';
import { AVA, BEN, CARLA, CUSTOMER, DAY, LONG_AGO, refill } from './visits';
import { OTHERS, VISITS, written } from './wholeCalendar';

/** Events of a calendar or records of a CRM, by what is unusual about them. */
type Kinds = Record<string, Json>;

/** A whole answer of a calendar or CRM that was prepared for nobody. */
export interface WholeSource {
	/** Real visits. `booked` is what an appointment has that differs from the other ones. */
	visits: Kinds;
	/** What is no visit. */
	others: Kinds;
	/** Visits that cannot be booked. */
	rejected: Kinds;
	/** An event with its defaults, as the service returns it. */
	written(kind: Json, id: string, index: number): Json;
	fill?(doubles: Doubles, events: Json[]): void;
}

const at = (hour: number) => DAY.set({ hour }).toISO({ suppressMilliseconds: true })!;
/** The hour of the event at this place, in UTC. */
export const hourOf = (index: number) => 8 + (index % 8);
const now = () => new Date().toISOString();
const PHONE = '+1 555 0100';
/** The customer of a visit, unless its `booked` says otherwise. */
export const BY_EMAIL = { id: CUSTOMER.email, name: CUSTOMER.name, email: CUSTOMER.email };

// Outlook, as Microsoft Graph returns events.
const mail = (address: string | undefined, name = address) => ({ emailAddress: { name, address } });
const guest = (address: string | undefined, response = 'accepted', type = 'required') => ({
	...{ ...mail(address), type, status: { response, time: '0001-01-01T00:00:00Z' } },
});
const noor = { ...guest(CUSTOMER.email), ...mail(CUSTOMER.email, CUSTOMER.name) };
const room = guest('room4@example.com', 'accepted', 'resource');
const invited = {
	...{ isOrganizer: false, organizer: mail(CUSTOMER.email, CUSTOMER.name), attendees: [guest(AVA, 'none')] },
	responseStatus: { response: 'notResponded' },
};
const OLD = '/O=EXCHANGELABS/OU=EXCHANGE ADMINISTRATIVE GROUP (FYDIBOHF23SPDLT)/CN=RECIPIENTS/CN=7F2A-OLD';
const outlook: WholeSource = {
	visits: {
		visit: {
			attendees: [noor, guest(BEN, 'tentativelyAccepted', 'optional')],
			booked: { attendees: [AVA, BEN] },
		},
		inRoom: { attendees: [room, noor], location: { displayName: 'Room 4', locationType: 'conferenceRoom' } },
		occurrence: { type: 'occurrence', seriesMasterId: 'AAMk-series', attendees: [noor] },
		exception: { type: 'exception', seriesMasterId: 'AAMk-series', attendees: [noor] },
		invitedByCustomer: invited,
		online: { isOnlineMeeting: true, onlineMeeting: { joinUrl: 'https://teams.example' }, attendees: [noor] },
		outOfOfficeAtCustomer: { showAs: 'oof', attendees: [noor] },
		private: { sensitivity: 'private', attendees: [noor] },
		oneDeclined: { attendees: [guest('lee@haddad.example', 'declined'), noor] },
		nameOnly: { attendees: [guest(undefined, 'none'), noor] },
		upperCase: { organizer: mail('Ava.Adams@EXAMPLE.com'), attendees: [noor] },
		carla: { attendees: [guest(CARLA, 'declined'), noor, guest('lee@haddad.example')], hideAttendees: true },
	},
	others: {
		holiday: { isAllDay: true, showAs: 'free', organizer: mail('') },
		birthday: { isAllDay: true, type: 'occurrence', showAs: 'free' },
		focusTime: { subject: 'Focus time', categories: ['Focus'] },
		vacation: { isAllDay: true, showAs: 'oof' },
		elsewhere: { isAllDay: true, showAs: 'workingElsewhere' },
		internal: { attendees: [guest(BEN), guest(CARLA, 'none'), room], isOnlineMeeting: true },
		roomOnly: { attendees: [room] },
		ofFormerColleague: { organizer: mail(OLD), attendees: [guest(AVA, 'none'), guest(BEN)] },
		cancelledByCustomer: { ...invited, isCancelled: true, subject: 'Canceled: Roof' },
		declinedByRep: { ...invited, responseStatus: { response: 'declined' } },
		declinedByCustomer: { attendees: [guest(CUSTOMER.email, 'declined')] },
		draft: { isDraft: true, attendees: [guest(CUSTOMER.email, 'none')] },
		tradeFair: { isAllDay: true, attendees: [noor] },
		series: { type: 'seriesMaster', recurrence: {}, attendees: [noor] },
		// A colleague's shared calendar tells no more of a private event; it is the copy of a visit.
		copy: { iCalUId: 'visit', sensitivity: 'private', organizer: mail(''), subject: 'Private Appointment' },
	},
	rejected: {
		unknownRep: { organizer: mail('new.hire@example.com'), attendees: [noor] },
		formerColleague: { attendees: [noor, guest(OLD)] },
	},
	written({ isAllDay = false, ...event }, id, index) {
		const [from, to] = isAllDay ? [0, 24] : [hourOf(index), hourOf(index) + 1];
		const time = (hour: number) => ({
			dateTime: DAY.plus({ hours: hour }).toFormat("yyyy-MM-dd'T'HH:mm:ss.0000000"),
			timeZone: 'UTC',
		});
		return {
			...{ '@odata.etag': 'W/"x"', id: `AAMk-${id}`, iCalUId: id, subject: id, type: 'singleInstance' },
			...{ createdDateTime: LONG_AGO, lastModifiedDateTime: now(), originalStartTimeZone: 'UTC' },
			...{ isAllDay, isCancelled: false, isDraft: false, isOrganizer: true, isOnlineMeeting: false },
			...{ sensitivity: 'normal', showAs: 'busy', seriesMasterId: null, recurrence: null, categories: [] },
			...{ responseStatus: { response: 'organizer', time: '0001-01-01T00:00:00Z' }, hideAttendees: false },
			...{ start: time(from), end: time(to), location: { displayName: '' }, onlineMeeting: null },
			...{ organizer: mail(AVA, 'Ava Adams'), attendees: [], bodyPreview: '', ...event },
		};
	},
	fill: ({ calendars }, events) => refill(calendars.outlook, events),
};

// HubSpot: properties of meetings, and `links` to contacts. Of the owners, 59 has left.
const hubSpot: WholeSource = {
	visits: {
		scheduled: {},
		noOutcome: { hs_meeting_outcome: null },
		rescheduled: { hs_meeting_outcome: 'RESCHEDULED' },
		colleague: { links: ['901', '902'], hs_attendee_owner_ids: '50;51', booked: { attendees: [AVA, BEN] } },
		withoutOwner: { hubspot_owner_id: null, hs_attendee_owner_ids: '50' },
		ownerLeft: { hubspot_owner_id: '59', hs_attendee_owner_ids: '59;50' },
		withoutEmail: { links: ['903'], booked: { customer: { id: '903', name: 'Reception', phone: PHONE } } },
		milliseconds: {
			...{ hs_meeting_start_time: String(DAY.toMillis()), hs_meeting_end_time: DAY.toMillis() + 3_600_000 },
			booked: { start_time: DAY.toFormat('yyyy-MM-dd HH:mm:ss') },
		},
		synced: { hs_meeting_source: 'BIDIRECTIONAL_API', hs_object_source: 'CALENDAR_SYNC' },
	},
	others: {
		canceled: { hs_meeting_outcome: 'CANCELED' },
		canceledByCustomer: { hs_meeting_outcome: 'CANCELLED_BY_CUSTOMER' },
		internal: { links: ['902'], hs_attendee_owner_ids: '50;51' },
		ofCompany: { links: [] },
		logged: { createdAt: at(23) },
		deleted: { archivedAt: now() },
	},
	rejected: {
		ownOutcome: { hs_meeting_outcome: 'ABGESAGT' },
		withoutEnd: { hs_meeting_end_time: null },
		nobodyLeft: { hubspot_owner_id: '59', hs_attendee_owner_ids: null },
	},
	written({ links = ['901'], createdAt = LONG_AGO, archivedAt, ...properties }, id, index) {
		const own = {
			...{ hs_meeting_title: null, hs_meeting_outcome: 'SCHEDULED', hubspot_owner_id: '50' },
			...{ hs_attendee_owner_ids: null, hs_lastmodifieddate: now(), hs_activity_type: null },
			...{ hs_meeting_start_time: at(hourOf(index)), hs_meeting_end_time: at(hourOf(index) + 1) },
		};
		return { id, createdAt, archivedAt, properties: { ...own, ...properties }, links: { contacts: links } };
	},
	fill({ hubSpot: { owners, contacts, meetings } }, records) {
		const contact = (id: string, properties: Json) => ({ id, createdAt: LONG_AGO, properties });
		refill(owners, [
			{ id: '50', email: AVA },
			{ id: '51', email: BEN },
		]);
		refill(contacts, [
			contact('901', { email: CUSTOMER.email, firstname: 'Noor', lastname: 'Haddad' }),
			contact('902', { email: BEN, firstname: 'Ben' }),
			contact('903', { firstname: 'Reception', phone: PHONE }),
		]);
		refill(meetings, records);
	},
};

// Salesforce, as SOQL returns events.
const invitee = (
	Email: string | null,
	Type: string,
	Status: string | null = 'Accepted',
	RelationId = Type,
) => ({
	...{ RelationId, Relation: { Email, Type }, Status, IsDeleted: false },
});
const lead = { Type: 'Lead', Name: 'Lee', Email: null, Phone: PHONE };
const salesforce: WholeSource = {
	visits: {
		contact: {
			invitees: [invitee(BEN, 'User', 'New'), invitee(CARLA, 'User', 'Declined')],
			booked: { attendees: [AVA, BEN] },
		},
		lead: { WhoId: '00Q1', Who: lead, booked: { customer: { id: '00Q1', name: 'Lee', phone: PHONE } } },
		private: { IsPrivate: true },
		free: { ShowAs: 'Free', Location: null },
		outOfOffice: { ShowAs: 'OutOfOffice' },
		instance: { RecurrenceActivityId: '00Umaster' },
		instanceInLightning: { IsRecurrence2: true },
		publicCalendar: { Owner: { Email: null }, invitees: [invitee(AVA, 'User')] },
		uninvited: { invitees: [invitee(CARLA, 'User', 'Uninvited'), invitee(null, 'Calendar')] },
		withAccount: {
			invitees: [invitee(null, 'Account', null), invitee(CUSTOMER.email, 'Contact', 'New', '003')],
		},
	},
	others: {
		withoutWho: { WhoId: null, Who: null },
		busy: { Subject: null, IsPrivate: true, WhoId: null, Who: null },
		allDay: { IsAllDayEvent: true, ActivityDate: DAY.toISODate(), StartDateTime: null, EndDateTime: null },
		deleted: { IsDeleted: true, WhoId: null, Who: null },
		master: { IsRecurrence: true },
		copy: { IsChild: true, Owner: { Email: BEN } },
		internal: { WhoId: '0039', Who: { Type: 'Contact', Name: 'Ben', Email: 'Ben.Hansen@Example.com' } },
		declinedByCustomer: { invitees: [invitee(CUSTOMER.email, 'Contact', 'Declined', '003')] },
	},
	rejected: {
		nobody: { Owner: { Email: null } },
		unknownRep: { Owner: { Email: 'integration@acme.force.example' } },
	},
	written: ({ invitees = [], ...event }, Id, index) => ({
		...{
			Id,
			Subject: Id,
			WhoId: '003',
			Who: { Type: 'Contact', Name: CUSTOMER.name, Email: CUSTOMER.email, Phone: null },
			Owner: { Email: AVA },
		},
		...{ IsChild: false, IsDeleted: false, IsRecurrence: false, IsAllDayEvent: false, ShowAs: 'Busy' },
		...{ StartDateTime: at(hourOf(index)).replace('Z', '.000+0000'), SystemModstamp: now() },
		...{ EndDateTime: at(hourOf(index) + 1).replace('Z', '.000+0000'), ActivityDate: DAY.toISODate() },
		...{ invitees, ...event },
	}),
	fill: ({ salesforce: events }, written) => refill(events, written),
};

// A table, as n8n's Google Sheets and Extract from File return what a person typed into a spreadsheet.
const LOCAL = DAY.setZone('America/New_York', { keepLocalTime: true });
const serial = DAY.diff(DateTime.utc(1899, 12, 30), 'days').days;
const inNewYork = { booked: { start_time: LOCAL.set({ hour: 9 }).toUTC().toFormat('yyyy-MM-dd HH:mm:ss') } };
const sheet: WholeSource = {
	visits: {
		plain: {},
		'00501': { updated_at: '' },
		'1E5': { updated_at: 'yesterday, by Ben' },
		serial: {
			start_time: serial + 9 / 24,
			end_time: `${serial + 10 / 24}`,
			updated_at: serial - 2,
			...inNewYork,
		},
		american: {
			...{ start_time: '12/31/2027 9:00 AM', end_time: '12/31/2027 10:00 AM' },
			booked: { start_time: '2027-12-31 14:00:00' },
		},
		spaces: { status: ' Booked\u00a0', user_email: ` ${AVA}\u00a0`, title: 'Roof\u00a0inspection' },
		confirmed: {
			status: 'CONFIRMED',
			attendee_emails: `Ava Adams <${AVA}>; ${BEN}`,
			booked: { attendees: [AVA, BEN] },
		},
		quoted: { customer_id: '00501', booked: { customer: { ...BY_EMAIL, id: '00501' } } },
		phone: { customer_phone: 491512345678, booked: { customer: { ...BY_EMAIL, phone: '491512345678' } } },
	},
	others: {
		canceled: { status: 'Canceled', start_time: '', user_email: '#N/A' },
		cancelled: { status: 'cancelled ' },
	},
	rejected: {
		'1.23457E+15': {},
		'1,23457E+15': {},
		'#REF!': {},
		'crm-': {},
		'zero\u200bwidth': {},
		statusUnknown: { status: 'abgesagt' },
		statusEmpty: { status: '' },
		statusError: { status: '#N/A' },
		dateOrder: { start_time: '3/4/2027 14:30', end_time: '3/4/2027 15:30' },
		dateOnly: { start_time: serial, end_time: serial },
		dateError: { end_time: '#VALUE!' },
		repError: { user_email: '#N/A' },
		phoneLost: { customer_phone: '4.91512E+11' },
		attendee: { attendee_emails: `${AVA}, Bob` },
		unknownRep: { user_email: 'new.hire@example.com', attendee_emails: '' },
	},
	written: (row, event_id, index) => ({
		...{
			event_id,
			status: 'booked',
			updated_at: now(),
			user_email: AVA,
			attendee_emails: AVA,
			title: event_id,
		},
		...{ start_time: at(hourOf(index)), end_time: at(hourOf(index) + 1), customer_address: '', result: '' },
		...{
			customer_id: CUSTOMER.email,
			customer_name: CUSTOMER.name,
			customer_email: CUSTOMER.email,
			customer_phone: '',
		},
		...row,
	}),
};

/** By the example that reads it. */
export const WHOLE_SOURCES: Record<string, WholeSource> = {
	'google-calendar-to-appointments': {
		...{ visits: VISITS, others: OTHERS, rejected: {}, written },
		fill: ({ calendars }, events) => refill(calendars.google, events),
	},
	'outlook-to-appointments': outlook,
	'hubspot-to-appointments': hubSpot,
	'salesforce-to-appointments': salesforce,
	'sync-appointments': sheet,
};
