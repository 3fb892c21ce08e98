import { DateTime } from 'luxon';
import { UserError } from 'n8n-workflow';

/**
 * The instant a user means, in the only form the export takes (D1: "UTC timestamp ending in Z").
 * An offset in the input wins; a time without one is read in the workflow's time zone.
 *
 * @param value ISO 8601 text, a JavaScript Date, a Luxon DateTime, or milliseconds since 1970
 * @param zone IANA name of the workflow's time zone, e.g. `Europe/Berlin`
 * @param field display name for the message, e.g. `From Date`
 * @returns for example `2026-03-01T08:30:00.000Z`
 * @throws UserError when the value is no date, naming the field
 */
export function toUtcTimestamp(value: unknown, zone: string, field: string): string {
	const instant = readInstant(value, zone);
	if (!instant.isValid) {
		const shown = typeof value === 'string' && value.trim() !== '' ? `"${value}"` : 'empty or not a date';
		throw new UserError(
			`${field} is ${shown}, which is not a date the node can read. Use an ISO date such as 2026-03-01 or 2026-03-01T08:30:00Z.`,
		);
	}
	return instant.toUTC().toJSDate().toISOString();
}

/** A date in any accepted form; invalid where it has no meaning. */
export function readInstant(value: unknown, zone: string): DateTime {
	if (DateTime.isDateTime(value)) return value;
	if (value instanceof Date) return DateTime.fromJSDate(value);
	if (typeof value === 'number') return DateTime.fromMillis(value);
	if (typeof value !== 'string') return DateTime.invalid('not a date');
	const text = value.trim();
	const iso = DateTime.fromISO(text, { zone, setZone: true });
	return firstOf(iso.isValid ? iso : DateTime.fromSQL(text, { zone, setZone: true }));
}

/** Of a local time that the clock shows twice, the first; the library would choose by the season in which it runs. */
function firstOf(instant: DateTime): DateTime {
	return DateTime.min(...instant.getPossibleOffsets()) ?? instant;
}

/**
 * @param fromDate UTC timestamp ending in Z
 * @param toDate UTC timestamp ending in Z
 * @throws UserError when the end is not after the start (D1: "must be after fromDate")
 */
export function assertRange(fromDate: string, toDate: string): void {
	if (Date.parse(toDate) > Date.parse(fromDate)) return;
	throw new UserError(
		`To Date (${toDate}) must be after From Date (${fromDate}). Swap the two or widen the range; nothing was requested.`,
	);
}
