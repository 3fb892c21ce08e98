import { DateTime, IANAZone } from 'luxon';
import { assertLength, codedError, refusedValue, type CodedError, type ErrorTable } from './codedErrors';
import { quoted } from './text';

/**
 * What can be wrong with a date, and with the time of an appointment, which must be a single instant.
 * @public read by `scripts/errorTables.ts`
 */
export const TIME_ERRORS = {
	date_invalid: [
		'{field} must be a date (it is {value})',
		'Use an ISO date such as 2026-03-01 or 2026-03-01T08:30:00Z. A number must be in milliseconds, not seconds.',
	],
	time_invalid: [
		'{field} must be a date and time (it is {value})',
		'Use an ISO date such as 2026-03-01T08:30:00Z or 2026-03-01 08:30:00. A number must be in milliseconds, not seconds.',
	],
	zone_unclear: [
		'{field} {value} has {zone}, which is not a clear time zone',
		'Use an offset such as +02:00, a zone such as [Europe/Berlin], or Z for UTC. Write the time as 14:30.',
	],
	time_skipped: [
		'{field} {value} is in an hour that the clock change in {zone} skips',
		'Correct the time, or add an offset such as +02:00.',
	],
	time_repeated: [
		'{field} {value} is in an hour that the clock change in {zone} repeats',
		'Add an offset such as +02:00 to say whether the first or the second hour is meant.',
	],
} as const satisfies ErrorTable;

/** Smaller numbers are seconds: as milliseconds they would mean 1973 or earlier. */
const MIN_MILLISECONDS = 1e11;

/** Larger numbers are dates without separators, e.g. 20260301083000: as milliseconds they would mean 2286 or later. */
const MAX_MILLISECONDS = 1e13;

/** Milliseconds since 1970 as text: one digit more than 202603010830, one less than 20260301083000. */
const MILLISECONDS_TEXT = /^\s*\d{13}\s*$/;

/** What a date is for: a range to export, or the time of an appointment. */
type Use = 'date' | 'time';

/**
 * The instant a user means, as the export accepts it: UTC ending in Z (D1). Of an hour that the clock repeats, the first one
 * is meant, and a skipped one moves forward.
 * @param value text as `docs/reference/values.md` lists it, a JavaScript Date, a Luxon DateTime, or milliseconds since 1970
 * @throws CodedError that names the field when the value is not a date
 */
export function toUtcTimestamp(value: unknown, zone: string, field: string): string {
	return readInstant(value, { zone, field, use: 'date', given: value });
}

/**
 * The instant a user means, as the appointment API stores it: UTC without fractions, e.g. `2026-03-01 07:30:00` (D2 § Limits,
 * 2). Unlike {@link toUtcTimestamp}, it rejects an hour that the clock shows twice or skips.
 * @param given what errors quote, if the value is another form of it
 */
export function toAppointmentTime(value: unknown, zone: string, field: string, given = value): string {
	return readInstant(value, { zone, field, use: 'time', given }).slice(0, 19).replace('T', ' ');
}

/** The zone of dates without one, what the date is for, and how errors name and quote the date. */
interface Asked {
	zone: string;
	field: string;
	use: Use;
	given: unknown;
}

function readInstant(value: unknown, asked: Asked): string {
	const { field, use, given } = asked;
	assertLength(value, field);
	const isText = typeof value === 'string' && !MILLISECONDS_TEXT.test(value);
	const instant = isText
		? readWritten(value, asked)
		: readDateObject(typeof value === 'string' ? Number(value) : value);
	const utc = instant?.isValid ? instant.toJSDate().toISOString() : '';
	// No appointment is in year 26, which two digits can have become, and a year of five digits has a sign.
	if (use === 'date' ? utc !== '' : /^(?:19|2)/.test(utc)) return utc;
	throw noDate(given, field, use);
}

function readDateObject(value: unknown): DateTime | undefined {
	if (DateTime.isDateTime(value)) return value;
	if (value instanceof Date) return DateTime.fromJSDate(value);
	if (typeof value !== 'number') return undefined;
	const size = Math.abs(value);
	return size >= MIN_MILLISECONDS && size < MAX_MILLISECONDS ? DateTime.fromMillis(value) : undefined;
}

function readWritten(text: string, { zone: ownZone, field, use, given }: Asked): DateTime | undefined {
	const written = readWrittenTime(text.trim());
	if (written === undefined) return undefined;
	const refused = { field, value: quoted(given) };
	if ('unclear' in written) {
		const values = { ...refused, zone: quoted(written.unclear) };
		throw codedError(TIME_ERRORS, 'zone_unclear', values, { field });
	}
	const { clock, zone = ownZone } = written;
	const instant = clock.setZone(zone, { keepLocalTime: true });
	const [first, ...others] = instant.getPossibleOffsets();
	if (use === 'date') return first;
	const isSkipped = instant.setZone('UTC', { keepLocalTime: true }).toMillis() !== clock.toMillis();
	if (!isSkipped && others.length === 0) return first;
	const values = { ...refused, zone: instant.zone.name };
	throw codedError(TIME_ERRORS, isSkipped ? 'time_skipped' : 'time_repeated', values, { field });
}

/** The error for a value that is not a date. */
export const noDate = (value: unknown, field: string, use: Use = 'date'): CodedError =>
	refusedValue(TIME_ERRORS, `${use}_invalid`, { field, value });

/** A date as written, before its zone is applied. */
interface WrittenTime {
	/** The date and time on the clock, read as if in UTC. */
	clock: DateTime;
	/** The zone in the text: `UTC`, `UTC+05:30` or an IANA name; undefined without one. */
	zone?: string;
}

/** Also the part of a date that has no single meaning, such as `BST`; undefined for text that is not a date. */
type Written = WrittenTime | { unclear: string } | undefined;

const DAY = String.raw`\d{4}-\d{2}-\d{2}|\d{4}-W\d{2}-\d|\d{4}W\d{3}|\d{4}-\d{3}|\d{8}|\d{7}(?=[Tt])`;
const TIME = String.raw`\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d+(?!\d))?)?)?`;
const ISO = new RegExp(`^(${DAY})(?:(?:[Tt]|\\s+)(${TIME})\\s*([^\\s[\\]]*))?$`);
/** RFC 5322 and HTTP dates; years have four digits, because two digits are ambiguous. */
const MAIL = /^((?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})?) (\S+)$/i;
const UTC = /^(?:z|utc|gmt)$/i;
const OFFSET = /^([+-](?:[01]\d|2[0-3])):?([0-5]\d)?$/;
/** RFC 9557: a zone in brackets, such as `[Europe/Berlin]`. */
const BRACKETED = /^([^[]*)\[([^[\]]*)\]$/;

/** Reads ISO 8601, RFC 3339, RFC 9557, SQL, email and HTTP dates. An offset takes precedence over a zone in brackets. */
export function readWrittenTime(text: string): Written {
	const [, core, name] = BRACKETED.exec(text) ?? [text, text];
	const written = readCore(core.trimEnd());
	if (name === undefined || written === undefined || 'unclear' in written) return written;
	const zone = written.zone ?? zoneOf(name);
	return zone === undefined ? { unclear: name } : { ...written, zone };
}

function readCore(core: string): Written {
	const iso = ISO.exec(core);
	if (iso) {
		const [, day, time, zone = ''] = iso;
		return onClock(DateTime.fromISO(time === undefined ? day : `${day}T${time}`, { zone: 'UTC' }), zone);
	}
	const plain = core.replace(/\([^()]*\)/g, ' ').replace(/\s+/g, ' ');
	const mail = MAIL.exec(plain.trim());
	return mail ? onClock(DateTime.fromRFC2822(`${mail[1]} +0000`, { zone: 'UTC' }), mail[2]) : undefined;
}

function onClock(clock: DateTime, written: string): Written {
	if (!clock.isValid) return undefined;
	if (written === '') return { clock };
	const zone = zoneOf(written);
	return zone === undefined ? { unclear: written } : { clock, zone };
}

/** A zone or an offset (D2 § Appointment, times); undefined for abbreviations: BST is British, Bangladesh or Bougainville time. */
export function zoneOf(written: string): string | undefined {
	if (UTC.test(written)) return 'UTC';
	const offset = OFFSET.exec(written);
	if (offset) return `UTC${offset[1]}:${offset[2] ?? '00'}`;
	return written.includes('/') && IANAZone.isValidZone(written) ? written : undefined;
}
