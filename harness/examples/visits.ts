import { DateTime } from 'luxon';
import type { Doubles } from './doubles';
import recorded from './recorded.json';
import type { Json } from './services';

/** Reps of the local service. */
export const [AVA, BEN, CARLA] = [
	'ava.adams@example.com',
	'ben.hansen@example.com',
	'carla.ortiz@example.com',
];
const DANA = 'dana.silva@example.com';
/** The day of the visits, after n8n's default time zone has reached it too. */
export const DAY = DateTime.utc().plus({ days: 2 }).startOf('day');

export interface Guest {
	email?: string;
	name?: string;
	/** As Google says it. */
	response?: 'accepted' | 'declined' | 'needsAction';
	isRoom?: boolean;
}

/** A visit of one hour on {@link DAY} or `daysLater`, in UTC. */
export interface Visit {
	id: string;
	hour: number;
	daysLater?: number;
	guests: Guest[];
	isCancelled?: boolean;
	/** Gone from its list; where the source tells it from cancelled. */
	isDeleted?: boolean;
	isAllDay?: boolean;
	isSeries?: boolean;
	/** As HubSpot says it. */
	outcome?: string;
	/** Whether Salesforce has it in a public calendar. */
	isPublic?: boolean;
	/** When it was changed last; by default, now. */
	changed?: string;
	/** Whether the customer bought, where the source knows. */
	isSold?: boolean;
}

export const CUSTOMER = { email: 'noor@haddad.example', name: 'Noor Haddad' };
export const VISIT = [{ email: AVA }, { email: BEN }, CUSTOMER];
/** Long before the examples look back. */
export const LONG_AGO = '2026-01-01T00:00:00.000Z';
const at = (hour: number, days = 0) =>
	DAY.plus({ days }).set({ hour }).toISO({ suppressMilliseconds: true })!;
const now = () => new Date().toISOString();
export const refill = <Row>(list: Row[], rows: Row[]) => void list.splice(0, list.length, ...rows);

const googleEvent = (visit: Visit): Json => {
	const { id, hour, daysLater, guests, isCancelled, isDeleted, isAllDay, isSeries, changed = now() } = visit;
	// Berlin, so that the offset counts.
	const timeZone = 'Europe/Berlin';
	const time = (of: number) => {
		const local = DateTime.fromISO(at(of, daysLater), { zone: timeZone });
		const dateTime = local.toISO({ suppressMilliseconds: true });
		return isAllDay ? { date: DAY.toISODate() } : { dateTime, timeZone };
	};
	return {
		...{ ...recorded.googleEvent, id, status: isCancelled || isDeleted ? 'cancelled' : 'confirmed' },
		...{ updated: changed, recurrence: isSeries ? ['RRULE:FREQ=DAILY'] : undefined },
		...{ start: time(hour), end: time(hour + 1) },
		attendees: guests.map(({ email, name: displayName, response: responseStatus = 'accepted', isRoom }) => ({
			...{ email, displayName, responseStatus, ...(isRoom && { resource: true }) },
			...(email === AVA && { organizer: true, self: true }),
		})),
	};
};

const outlookEvent = (visit: Visit): Json => {
	const { id, hour, daysLater, guests, isCancelled = false, isAllDay = false, changed = now() } = visit;
	const time = (of: number) => ({ dateTime: at(of, daysLater).replace('Z', '.0000000'), timeZone: 'UTC' });
	const invited = ({ email: address, name = address, isRoom, response = 'accepted' }: Guest) => ({
		...{ emailAddress: { name, address }, type: isRoom ? 'resource' : 'required' },
		status: { response, time: '0001-01-01T00:00:00Z' },
	});
	return {
		...{ ...recorded.outlookEvent, id: `AAMk-${id}`, iCalUId: id, isCancelled, isAllDay },
		...{ type: visit.isSeries ? 'seriesMaster' : 'singleInstance', lastModifiedDateTime: changed },
		responseStatus: { response: guests.find(({ email }) => email === AVA)?.response ?? 'organizer' },
		...{ start: time(hour), end: time(hour + 1) },
		attendees: guests.filter(({ email }) => email !== AVA).map(invited),
	};
};

/** HubSpot has no rooms, declined invitations or whole days, but owners who have left. */
const hubSpot = ({ hubSpot: { owners, contacts, deals, meetings } }: Doubles, visits: Visit[]) => {
	const isOdd = ({ email, response, isRoom }: Guest) => !email || response === 'declined' || isRoom;
	const stored = structuredClone(recorded.hubSpot);
	refill(owners, stored.owners);
	refill(contacts, stored.contacts);
	refill(deals, stored.deals);
	const meeting = (visit: Visit): Json => {
		const { id, hour, daysLater, guests, isCancelled, isDeleted, isSold, changed = now() } = visit;
		const idOf = (guest: Guest): string =>
			isOdd(guest) ? '99' : owners.find(({ email }) => email === guest.email)?.id;
		const properties = {
			...stored.meeting,
			hs_meeting_start_time: at(hour, daysLater),
			hs_meeting_end_time: at(hour + 1, daysLater),
			hs_meeting_outcome: visit.outcome ?? (isCancelled ? 'CANCELED' : isSold ? 'COMPLETED' : 'SCHEDULED'),
			hs_attendee_owner_ids: guests.map(idOf).filter(Boolean).join(';'),
			hs_lastmodifieddate: changed,
		};
		const links = { contacts: guests.includes(CUSTOMER) ? ['901', '900'] : [], deals: isSold ? ['700'] : [] };
		return { id, createdAt: LONG_AGO, ...(isDeleted && { archivedAt: changed }), properties, links };
	};
	const logged = meeting({ id: '8', hour: 6, guests: VISIT, changed: LONG_AGO });
	const timed = visits.filter(({ isAllDay }) => !isAllDay);
	const written = timed.map((visit) => meeting({ ...visit, id: visit.id.replace(/\D/g, '') }));
	refill(meetings, [...written, { ...logged, createdAt: at(20) }]);
};

export const salesforceEvent = (visit: Visit): Json => {
	const { id: Id, hour, daysLater, guests, isCancelled, isDeleted, isAllDay = false } = visit;
	const { changed = now() } = visit;
	const invitee = ({ email: Email = null, response, isRoom }: Json, IsDeleted = false) => {
		const Type = isRoom ? 'Calendar' : Email === CUSTOMER.email ? 'Contact' : 'User';
		const Status = response === 'declined' ? 'Declined' : 'Accepted';
		return { Relation: { Email, Type }, Status, IsDeleted };
	};
	const time = (of: number) => at(of, daysLater).replace('Z', '.000+0000');
	const Who = { Name: CUSTOMER.name, Email: CUSTOMER.email, Phone: null };
	const invited = guests.filter(({ email }) => email !== AVA).map((guest) => invitee(guest));
	return {
		...{ ...recorded.salesforceEvent, Id, IsAllDayEvent: isAllDay },
		...{ IsDeleted: Boolean(isCancelled || isDeleted), SystemModstamp: changed.replace('Z', '+0000') },
		...{ StartDateTime: time(hour), EndDateTime: time(hour + 1) },
		Owner: { Email: visit.isPublic ? null : AVA },
		...(guests.includes(CUSTOMER) && { WhoId: '003', Who }),
		invitees: [...invited, invitee({ email: DANA }, true)],
	};
};

/** Replaces what a calendar or CRM contains, written as its API's documentation says, by the example that reads it. */
export const WRITERS: Record<string, (doubles: Doubles, visits: Visit[]) => void> = {
	'google-calendar-to-appointments': ({ calendars }, visits) => {
		const series = googleEvent({ id: 'series', hour: 5, guests: VISIT, isSeries: true, changed: LONG_AGO });
		refill(calendars.google, [...visits.map(googleEvent), series]);
	},
	'outlook-to-appointments': ({ calendars }, visits) =>
		refill(calendars.outlook, visits.filter(({ isDeleted }) => !isDeleted).map(outlookEvent)),
	'hubspot-to-appointments': hubSpot,
	// Salesforce has a copy of each event for each of its invitees.
	'salesforce-to-appointments': ({ salesforce }, visits) => {
		const copies = (event: Json) => [event, { ...event, Id: `${event.Id}-copy`, IsChild: true }];
		refill(salesforce, visits.map(salesforceEvent).flatMap(copies));
	},
};

/** The ID of the first sample event in Salesforce, whose IDs are 15 characters long. */
export const SALESFORCE_EVENT_ID = '00U000000000001';

/** Writes two visits into each calendar and CRM. */
export function writeSampleVisits(doubles: Doubles): void {
	for (const [slug, write] of Object.entries(WRITERS)) {
		const prefix = slug.startsWith('salesforce') ? SALESFORCE_EVENT_ID.slice(0, -1) : `${slug}-`;
		const visit = (number: number) => ({ id: `${prefix}${number}`, hour: 14 + number, guests: VISIT });
		write(doubles, [visit(1), visit(2)]);
	}
}
