import type { FastifyInstance } from 'fastify';

/** A time as Google and Outlook write it; `date` alone is a day of Google's. */
export interface CalendarTime {
	dateTime?: string;
	timeZone?: string;
	date?: string;
}

/** The part of an event that the doubles read. The examples read the rest. */
export interface CalendarEvent extends Record<string, unknown> {
	id: string;
	/** Of Google's: `confirmed` or `cancelled`. */
	status?: string;
	/** Of Google's: when it was changed last. */
	updated?: string;
	/** Of Google's: the rules of a series. */
	recurrence?: string[];
	/** Of Outlook's: `singleInstance` or `seriesMaster`. */
	type?: string;
	start: CalendarTime;
	end: CalendarTime;
}

/** The events of each calendar, recurring ones as instances. */
export interface Calendars {
	google: CalendarEvent[];
	outlook: CalendarEvent[];
}

const EVENTS_PER_PAGE = 2;

/** The parts of the Google Calendar API and Microsoft Graph that n8n's nodes use to read events. */
export function calendarRoutes(server: FastifyInstance, { google, outlook }: Calendars): void {
	server.get('/www.googleapis.com/calendar/v3/users/me/calendarList', async () => ({
		items: [{ id: 'ava.adams@example.com', summary: 'Visits' }],
	}));
	server.get<{ Querystring: Record<string, string | undefined> }>(
		'/www.googleapis.com/calendar/v3/calendars/:id/events',
		async ({ query: { timeMin, timeMax, updatedMin, showDeleted, singleEvents, pageToken = '0' } }) => {
			const found = google.filter(
				({ status, updated, recurrence, ...event }) =>
					(showDeleted === 'true' || status !== 'cancelled') &&
					!(singleEvents === 'true' && recurrence) &&
					!(Date.parse(updated!) < Date.parse(updatedMin ?? '')) &&
					isBetween(event, timeMin, timeMax),
			);
			// Of a deleted event, Google promises no more.
			const events = found.map((event) =>
				event.status === 'cancelled' ? { id: event.id, status: event.status } : event,
			);
			const next = Number(pageToken) + EVENTS_PER_PAGE;
			return {
				kind: 'calendar#events',
				items: events.slice(Number(pageToken), next),
				...(next < events.length && { nextPageToken: String(next) }),
			};
		},
	);
	server.get<{ Params: { id: string } }>(
		'/graph.microsoft.com/v1.0/me/events/:id',
		async ({ params: { id } }, reply) =>
			outlook.find((event) => event.id === id) ??
			(await reply.code(404).send({ error: { code: 'ErrorItemNotFound' } })),
	);
	server.get('/graph.microsoft.com/v1.0/me/calendars', async () => ({ value: [{ id: 'calendar' }] }));
	server.get<{ Querystring: Record<string, string> }>(
		'/graph.microsoft.com/v1.0/me/calendars/:id/calendarView',
		async ({ query: { startDateTime, endDateTime } }) => ({
			value: outlook.filter(
				(event) => event.type !== 'seriesMaster' && isBetween(event, startDateTime, endDateTime),
			),
		}),
	);
}

/** The service compares instants. Of Outlook's, which have no offset, all are in UTC. */
function isBetween({ start, end }: Pick<CalendarEvent, 'start' | 'end'>, from = '', to = ''): boolean {
	const instant = ({ dateTime = '', timeZone, date }: CalendarTime) =>
		Date.parse(date ?? (timeZone === 'UTC' ? `${dateTime}Z` : dateTime));
	return !(instant(end) <= Date.parse(from)) && !(instant(start) >= Date.parse(to));
}
