import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../node/isObject';
import { readWrittenTime } from '../time/writtenTime';

/** A field of a row; undefined if the row is not an object. */
export function fieldOf(row: unknown, name: string): unknown {
	return isObject(row) ? row[name] : undefined;
}

/** Adds fields to a row, except those that the service sends itself. */
export function addFields(row: unknown, fields: IDataObject): void {
	if (!isObject(row)) return;
	for (const name of Object.keys(fields)) if (!(name in row)) row[name] = fields[name];
}

/** Presigned links and their expiry. */
const LINKS = ['transcriptUrl', 'audioUrl', 'urlsExpireAt'];

/** The content of a row without its links, which differ in each response. */
export function contentOf(row: unknown): string {
	return JSON.stringify(row, (name, value: unknown) => (LINKS.includes(name) ? undefined : value));
}

/** The usual form, which Date.parse reads at once; it would also accept days that no calendar has. */
const USUAL =
	/^\d{4}-(?!02-(?:29|3)|(?:0[469]|11)-31)(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;
/** No date is longer, with its zone in brackets. */
const MAX_LENGTH = 100;

/**
 * The only reader of the service's dates: all of ISO 8601 that names a day (D1 § Conventions). Without an offset they are
 * in UTC, as `date` is (D1 § ConversationsExport).
 * @returns milliseconds since 1970; NaN for anything but a date
 */
export function instantOf(value: unknown): number {
	if (typeof value !== 'string' || value.length > MAX_LENGTH) return NaN;
	const usual = USUAL.exec(value);
	if (usual) return Date.parse(usual[1] ? value : `${value}Z`);
	const written = readWrittenTime(value.trim());
	if (!written || 'unclear' in written || written.isPartial) return NaN;
	return written.clock.setZone(written.zone ?? 'UTC', { keepLocalTime: true }).toMillis();
}

/** The instant of a date field, as {@link instantOf} reads it. A recording that awaits its upload has no `processedDate`. */
export function dateOf(row: unknown, field: 'date' | 'processedDate'): number {
	return instantOf(fieldOf(row, field));
}

/** How long presigned links live at most: six hours from answering or sending (D1 § Limits). */
const LINK_LIFETIME_MS = 6 * 60 * 60 * 1000;

/**
 * When a presigned link ends at the latest (D1 § Limits); the service may end it earlier.
 * @param issued ISO 8601 text or milliseconds since 1970; for a response, a moment not later than it
 * @returns ISO 8601 in UTC; null when the time of issue is not a date
 */
export function linkExpiry(issued: unknown): string | null {
	const end = new Date((typeof issued === 'number' ? issued : instantOf(issued)) + LINK_LIFETIME_MS);
	return Number.isNaN(end.getTime()) ? null : end.toISOString();
}
