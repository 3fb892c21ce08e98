import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../node/isObject';

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

const OFFSET = /(z|[+-]\d{2}:?\d{2})$/i;

/**
 * The instant of a date field; without an offset, it is taken as UTC, as `date` is (D1 § ConversationsExport).
 *
 * @returns milliseconds since 1970; NaN for anything but a date
 */
export function dateOf(row: unknown, field: 'date' | 'processedDate'): number {
	const value = fieldOf(row, field);
	if (typeof value !== 'string') return NaN;
	return Date.parse(OFFSET.test(value) ? value : `${value}Z`);
}

/**
 * When a conversation or errored recording was processed, and so appeared in its list. A recording that awaits its
 * upload has no such time: its device can come online whenever it likes.
 *
 * @returns milliseconds since 1970; NaN if unknown, as without an offset
 */
export function processedAt(row: unknown): number {
	const value = fieldOf(row, 'processedDate');
	return typeof value === 'string' && OFFSET.test(value) ? Date.parse(value) : NaN;
}

/** How long presigned links live at most: six hours from answering or sending (D1 § Limits). */
const LINK_LIFETIME_MS = 6 * 60 * 60 * 1000;

/**
 * When a presigned link ends at the latest (D1 § Limits); the service may end it earlier.
 *
 * @param issued ISO 8601 text or milliseconds since 1970; for a response, a moment not later than it
 * @returns ISO 8601 in UTC; null when the time of issue is not a date
 */
export function linkExpiry(issued: unknown): string | null {
	const at =
		typeof issued === 'number' ? issued : DateTime.fromISO(String(issued), { zone: 'utc' }).toMillis();
	const end = new Date(at + LINK_LIFETIME_MS);
	return Number.isNaN(end.getTime()) ? null : end.toISOString();
}
