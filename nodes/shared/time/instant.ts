import { DateTime } from 'luxon';
import { UserError } from 'n8n-workflow';

/** A whole date stands first: a lone time or year would silently become today's or January's. */
const STARTS_WITH_DATE = /^\d{4}-|^\d{7,8}(?!\d)/;

/** Smaller numbers are no milliseconds that anyone means: those would lie in 1973 or before. */
const LEAST_MILLISECONDS = 1e11;

/**
 * The instant a user means, in the only form the export takes (D1: "UTC timestamp ending in Z").
 * An offset in the input wins; a time without one is read in the workflow's time zone.
 *
 * @param value ISO 8601 or SQL text, a JavaScript Date, a Luxon DateTime, or milliseconds since 1970
 * @param zone IANA name of the workflow's time zone, e.g. `Europe/Berlin`
 * @param field display name for the message, e.g. `From Date`
 * @returns for example `2026-03-01T08:30:00.000Z`
 * @throws UserError when the value is no date, naming the field
 */
export function toUtcTimestamp(value: unknown, zone: string, field: string): string {
	const instant = readInstant(value, zone);
	if (instant.isValid) return instant.toUTC().toJSDate().toISOString();
	throw noDate(value, field, 'a date', '2026-03-01 or 2026-03-01T08:30:00Z');
}

/**
 * A date in any accepted form; invalid where it has no meaning.
 *
 * @param value as for {@link toUtcTimestamp}; text must begin with a whole date, a number must be milliseconds
 * @param zone IANA name, for text without an offset
 */
export function readInstant(value: unknown, zone: string): DateTime {
	if (DateTime.isDateTime(value)) return value;
	if (value instanceof Date) return DateTime.fromJSDate(value);
	if (typeof value === 'number') {
		return isTooSmall(value) ? DateTime.invalid('no milliseconds') : DateTime.fromMillis(value);
	}
	const text = typeof value === 'string' ? value.trim() : '';
	if (!STARTS_WITH_DATE.test(text)) return DateTime.invalid('not a date');
	const iso = DateTime.fromISO(text, { zone, setZone: true });
	return firstOf(iso.isValid ? iso : DateTime.fromSQL(text, { zone, setZone: true }));
}

function isTooSmall(value: number): boolean {
	return Math.abs(value) < LEAST_MILLISECONDS;
}

/**
 * The error for a value that {@link readInstant} cannot read: it says whether the value is empty, a number of
 * seconds, text without a meaning, or something else.
 *
 * @param field name for the message
 * @param wanted what the field takes, e.g. `a date and time`
 * @param examples of it
 */
export function noDate(value: unknown, field: string, wanted: string, examples: string): UserError {
	return new UserError(`${field} is ${whatIsWrong(value, wanted)}. Use an ISO date such as ${examples}.`);
}

function whatIsWrong(value: unknown, wanted: string): string {
	if (value === undefined || value === null) return 'empty';
	if (typeof value === 'string') {
		return value.trim() === '' ? 'empty' : `"${value}", which is not ${wanted} the node can read`;
	}
	if (typeof value !== 'number' || !isTooSmall(value)) return `not ${wanted}`;
	const isSeconds = isTooSmall(value * 1000) ? '' : ': it looks like seconds; multiply by 1000';
	return `the number ${value}, which is too small for milliseconds since 1970${isSeconds}`;
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
