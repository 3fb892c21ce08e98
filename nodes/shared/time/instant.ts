import { DateTime } from 'luxon';
import { UserError } from 'n8n-workflow';
import { readWrittenTime } from './writtenTime';

/** Smaller numbers are seconds, not milliseconds: as milliseconds they would lie in 1973 or before. */
const LEAST_MILLISECONDS = 1e11;

interface Wanted {
	/** Label for messages, e.g. `From Date`. */
	field: string;
	/** IANA name, for text without an offset. */
	zone: string;
	what: 'a date' | 'a date and time';
	examples: string;
}

/**
 * The instant a user means, in the only form the export takes (D1: "UTC timestamp ending in Z").
 * An offset in the value wins; a time without one is read in the workflow's time zone. Of an hour that the clock
 * shows twice it is the first, and an hour that the clock skips moves on: a range needs no more.
 *
 * @param value ISO 8601, RFC 3339, RFC 9557, SQL, email or HTTP date text, a JavaScript Date, a Luxon DateTime, or
 *   milliseconds since 1970
 * @param zone IANA name of the workflow's time zone, e.g. `Europe/Berlin`
 * @param field label for the message, e.g. `From Date`
 * @returns for example `2026-03-01T08:30:00.000Z`
 * @throws UserError when the value is no date, naming the field
 */
export function toUtcTimestamp(value: unknown, zone: string, field: string): string {
	const examples = '2026-03-01 or 2026-03-01T08:30:00Z';
	return readInstant(value, { field, zone, what: 'a date', examples }).toISOString();
}

/**
 * The instant a user means, as the appointment API stores it (D2 § Limits, 2). Fractions of a second are cut.
 *
 * @param value as for {@link toUtcTimestamp}; an hour that the clock shows twice or skips is refused, and so is a
 *   month or a week
 * @param zone IANA name, e.g. `Europe/Berlin`
 * @param field label for the message, e.g. `Start Time`
 * @returns UTC, for example `2026-03-01 07:30:00`
 * @throws UserError when the value is no single instant, naming the field
 */
export function toAppointmentTime(value: unknown, zone: string, field: string): string {
	const examples = '2026-03-01T08:30:00Z or 2026-03-01 08:30:00';
	const wanted: Wanted = { field, zone, what: 'a date and time', examples };
	const utc = readInstant(value, wanted).toISOString();
	// A year of more than four digits has a sign and does not fit the format.
	if (!/^\d/.test(utc)) throw refusal(value, wanted);
	return utc.slice(0, 19).replace('T', ' ');
}

function readInstant(value: unknown, wanted: Wanted): Date {
	const instant = typeof value === 'string' ? readText(value, wanted) : readObject(value);
	if (instant.isValid) return instant.toJSDate();
	throw refusal(value, wanted);
}

function readObject(value: unknown): DateTime {
	if (DateTime.isDateTime(value)) return value;
	if (value instanceof Date) return DateTime.fromJSDate(value);
	if (typeof value === 'number' && !isTooSmall(value)) return DateTime.fromMillis(value);
	return DateTime.invalid('not a date');
}

function readText(text: string, wanted: Wanted): DateTime {
	const written = readWrittenTime(text.trim());
	if (written === undefined) return DateTime.invalid('not a date');
	if (!('clock' in written)) {
		throw new UserError(`${wanted.field} is "${text}", where "${written.unclear}" is not a clear time zone`, {
			description: 'Use an offset such as +02:00, a zone such as [Europe/Berlin], or Z for UTC.',
		});
	}
	const { clock, zone = wanted.zone, isPartial } = written;
	const instant = clock.setZone(zone, { keepLocalTime: true });
	if (wanted.what === 'a date and time') {
		if (isPartial) return DateTime.invalid('no single day');
		assertOnce(text, clock, instant, wanted.field);
	}
	return DateTime.min(...instant.getPossibleOffsets()) ?? instant;
}

/** @throws UserError for a time that the clocks of a zone show twice, or never, when they are changed */
function assertOnce(text: string, clock: DateTime, instant: DateTime, field: string): void {
	const isSkipped = instant.setZone('UTC', { keepLocalTime: true }).toMillis() !== clock.toMillis();
	if (!isSkipped && instant.getPossibleOffsets().length === 1) return;
	const what = isSkipped ? 'does not exist' : 'happens twice';
	throw new UserError(`${field} is "${text}", which ${what} in ${instant.zoneName ?? 'its zone'}`, {
		description: 'The clocks change at this hour: add an offset such as +02:00.',
	});
}

function isTooSmall(value: number): boolean {
	return Math.abs(value) < LEAST_MILLISECONDS;
}

function refusal(value: unknown, { field, what, examples }: Wanted): UserError {
	return noDate(value, field, what, examples);
}

/**
 * The error for a value that is no date: it says whether the value is empty, a number of seconds, or something else.
 *
 * @param value as entered
 * @param field label for the message
 * @param what the field takes, e.g. `a date and time`
 * @param examples of it
 */
export function noDate(value: unknown, field: string, what: string, examples: string): UserError {
	return new UserError(`${field} is ${whatIsWrong(value, what)}`, {
		description: `Use an ISO date such as ${examples}.`,
	});
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
