import { DateTime } from 'luxon';
import { noDate, readInstant } from './instant';

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
	throw noDate(value, field, 'a date and time', '2026-03-01T08:30:00Z or 2026-03-01 08:30:00');
}

/** Beside what every date may be, what stands in mails and HTTP headers. */
function readDate(value: unknown, zone: string): DateTime {
	const instant = readInstant(value, zone);
	if (instant.isValid || typeof value !== 'string') return instant;
	const text = value.trim();
	const mail = DateTime.fromRFC2822(text);
	return mail.isValid ? mail : DateTime.fromHTTP(text);
}
