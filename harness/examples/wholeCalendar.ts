import { AVA, BEN, CARLA, DAY } from './visits';
import type { Json } from './services';

const NOOR = { email: 'noor@haddad.example', displayName: 'Noor Haddad', responseStatus: 'accepted' };
const self = { email: AVA, self: true, organizer: true, responseStatus: 'accepted' };
const declined = { ...self, responseStatus: 'declined' };
const ben = { email: BEN, responseStatus: 'needsAction' };
const room = {
	...{ email: 'c_188room@resource.calendar.google.com', displayName: 'Room 4', resource: true },
	responseStatus: 'accepted',
};
const own = { email: AVA, self: true };
const TEAM = { email: 'c_7d@group.calendar.google.com', displayName: 'Visits', self: true };
const UNKNOWN = { email: 'unknownorganizer@calendar.google.com', displayName: 'Unknown Organizer' };

/** What else stands in a rep's Google Calendar, as Google returns it; none of it is a visit to a customer. */
export const OTHERS: Record<string, Json> = {
	holiday: { eventType: 'default', transparency: 'transparent', visibility: 'public', days: 1 },
	birthday: { eventType: 'birthday', birthdayProperties: { type: 'birthday' }, days: 1 },
	focusTime: { eventType: 'focusTime', focusTimeProperties: { chatStatus: 'doNotDisturb' } },
	outOfOffice: { eventType: 'outOfOffice', outOfOfficeProperties: { autoDeclineMode: 'declineNone' } },
	workingLocation: {
		eventType: 'workingLocation',
		workingLocationProperties: { type: 'homeOffice' },
		days: 1,
	},
	alone: { summary: 'Drive to the office' },
	internal: { attendees: [self, ben, { email: CARLA, responseStatus: 'accepted' }, room] },
	roomOnly: { attendees: [self, room] },
	tradeFair: { attendees: [self, NOOR], days: 3 },
	declinedByRep: { attendees: [declined, NOOR] },
	declinedByCustomer: { attendees: [self, { ...NOOR, responseStatus: 'declined' }] },
	// In a calendar of the team, which is the organizer itself.
	internalOfTeam: { organizer: TEAM, attendees: [{ ...own, self: undefined }, ben] },
	fromMail: { eventType: 'fromGmail', attendees: [self], organizer: UNKNOWN },
	// Of another's private event, only that it takes place.
	private: { visibility: 'private', summary: undefined, organizer: { email: CARLA } },
};

/** Visits, by what is unusual about them. */
export const VISITS: Record<string, Json> = {
	visit: { attendees: [self, NOOR, ben], booked: { attendees: [AVA, BEN] } },
	inRoom: { attendees: [room, self, NOOR] },
	instance: { attendees: [self, NOOR], recurringEventId: 'series', originalStartTime: {} },
	invitedByCustomer: {
		attendees: [
			{ ...NOOR, organizer: true },
			{ email: AVA, self: true, responseStatus: 'accepted' },
		],
		organizer: { email: NOOR.email },
	},
	tentative: { status: 'tentative', attendees: [self, NOOR] },
	privateVisit: { visibility: 'private', attendees: [self, NOOR] },
	ofTeam: { organizer: TEAM, attendees: [{ email: AVA, responseStatus: 'accepted' }, NOOR] },
	nameOnly: { attendees: [self, { displayName: 'Reception', responseStatus: 'needsAction' }, NOOR] },
	oneDeclined: { attendees: [self, { email: 'lee@haddad.example', responseStatus: 'declined' }, NOOR] },
	manyGuests: { attendees: [self, NOOR, { email: 'lee@haddad.example', responseStatus: 'accepted' }] },
};
export const VISIT_IDS = Object.keys(VISITS);

export function written({ days, ...event }: Json, id: string, index: number): Json {
	const time = (hour: number) => ({
		dateTime: DAY.set({ hour }).setZone('Europe/Berlin').toISO({ suppressMilliseconds: true }),
		timeZone: 'Europe/Berlin',
	});
	const date = (day: number) => ({ date: DAY.plus({ days: day }).toISODate() });
	return {
		...{ kind: 'calendar#event', id, status: 'confirmed', summary: id, organizer: own, creator: own },
		...{ created: '2026-01-01T00:00:00Z', updated: new Date().toISOString(), eventType: 'default' },
		start: days ? date(0) : time(8 + (index % 8)),
		end: days ? date(days) : time(9 + (index % 8)),
		...event,
	};
}

/** A whole Google Calendar of a rep, prepared for nobody. */
export const wholeCalendar = (): Json[] =>
	Object.entries({ ...VISITS, ...OTHERS }).map(([id, kind], index) =>
		written({ ...kind, booked: undefined }, id, index),
	);
