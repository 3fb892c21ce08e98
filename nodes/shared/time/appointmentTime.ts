import { DateTime } from 'luxon';
import { UserError } from 'n8n-workflow';
import { readInstant } from './instant';

/** A whole date stands first: a lone time or year would silently become today's or January's. */
const STARTS_WITH_DATE = /^\d{4}-|^\d{7,8}(?!\d)/;

/**
 * The instant a user means, as the appointment API stores it: UTC, `yyyy-mm-dd hh:mm:ss` (D2 § Limits, 2).
 * An offset or zone in the input wins; a time without one is read in the given zone. Fractions of a second are cut.
 *
 * @param value ISO 8601, SQL, HTTP or e-mail date text, a JavaScript Date, a Luxon DateTime, or milliseconds since 1970
 * @param zone IANA name, e.g. `Europe/Berlin`
 * @param field name for the message, e.g. `start_time`
 * @returns for example `2026-03-01 07:30:00`
 * @throws UserError when the value is no date, naming the field
 */
export function toAppointmentTime(value: unknown, zone: string, field: string): string {
	const instant = readDate(value, zone);
	if (instant.isValid) {
		const utc = instant.toJSDate().toISOString();
		// A year of more than four digits has a sign and does not fit the format.
		if (/^\d/.test(utc)) return utc.slice(0, 19).replace('T', ' ');
	}
	const shown = typeof value === 'string' ? `"${value}"` : 'not a date';
	throw new UserError(
		`${field} is ${shown}, which is not a date and time the node can read. Use an ISO date such as 2026-03-01T08:30:00Z or 2026-03-01 08:30:00.`,
	);
}

function readDate(value: unknown, zone: string): DateTime {
	if (typeof value !== 'string') return readInstant(value, zone);
	const text = value.trim();
	if (STARTS_WITH_DATE.test(text)) return readInstant(text, zone);
	const mail = DateTime.fromRFC2822(text);
	return mail.isValid ? mail : DateTime.fromHTTP(text);
}
