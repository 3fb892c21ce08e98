import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../shared/node/isObject';
import { toAppointmentTime } from '../../shared/time/instant';
import { readWrittenTime, zoneOf } from '../../shared/time/writtenTime';
import type { Reading } from '../warnings';
import { fieldError, isUnset } from './values';
import WINDOWS_ZONES from './windowsZones.json';

/** Texts that long are refused by the reader of times. */
const MAX_TEXT = 100;

/** The time of a calendar: Google's and Outlook's events have `{ dateTime, timeZone }`, or `{ date }` for a whole day. */
function calendarTime(value: unknown): { text: unknown; timeZone?: unknown; isFloating?: boolean } {
	if (!isObject(value) || !('dateTime' in value || 'date' in value)) return { text: fromSpreadsheet(value) };
	const { dateTime, date, timeZone, isAllDay, dateOnly } = value;
	const text = fromSpreadsheet(dateTime ?? date);
	if (timeZone === 'floating') return { text, isFloating: true };
	return { text, timeZone, isFloating: isAllDay === true || dateOnly === true };
}

/** A date of a spreadsheet as text: it is a number of days, 25569 on 1970-01-01, with the time of day as a fraction. */
function fromSpreadsheet(value: unknown): unknown {
	// From 1954 to 2119. No other form of a date that is read has five digits.
	if (typeof value === 'object' || !/^\s*[2-7]\d{4}(\.\d+)?\s*$/.test(String(value))) return value;
	const seconds = Math.round((Number(value) - 25_569) * 86_400);
	const form = Number.isInteger(Number(value)) ? 'yyyy-MM-dd' : "yyyy-MM-dd'T'HH:mm:ss";
	return DateTime.fromSeconds(seconds, { zone: 'UTC' }).toFormat(form);
}

/**
 * A time as the API stores it (D2 § Limits, 2). Warns of one that is read in the workflow's zone, for lack of another.
 *
 * @throws CodedError that names the field
 */
export function readTime(value: unknown, label: string, { zone, isZoneChosen, warnings }: Reading): string {
	const { text, timeZone } = calendarTime(value);
	const written = writtenTime(text);
	const isLocal = written !== undefined && written.zone === undefined;
	if (isLocal && !isUnset(timeZone)) return toAppointmentTime(text, readZone(timeZone, label), label);
	if (isLocal && !isZoneChosen) (warnings.zone_assumed ??= []).push(`${label} (${zone})`);
	return toAppointmentTime(text, zone, label);
}

/**
 * The IANA name of a zone, also from the name that Windows gives it (CLDR's windowsZones, by scripts/windowsZones.mjs).
 *
 * @throws CodedError for any other text
 */
export function readZone(name: unknown, label: string): string {
	const windowsZones: Record<string, string> = WINDOWS_ZONES;
	const zone = zoneOf(String(name)) ?? windowsZones[String(name)];
	if (zone !== undefined) return zone;
	throw fieldError('time_zone_invalid', label, name);
}

/**
 * Start and end of the days of an event without times of day: a date, or a midnight that its calendar marks as floating.
 * As in calendars, the end day is not part of it, unless it is the first one.
 *
 * @returns only the times that are days, as calendars' times at midnight
 */
export function wholeDays({ start_time, end_time }: IDataObject): IDataObject {
	const [start, end] = [dayOf(start_time), dayOf(end_time)];
	const isFirst = start && end && start.day >= end.day;
	const days: IDataObject = {};
	if (start) days.start_time = midnight(start.day, start.timeZone);
	if (end) days.end_time = midnight(end.day.plus({ days: isFirst ? 1 : 0 }), end.timeZone);
	return days;
}

/** The day of a date or of a floating midnight; undefined for any other time, a midnight with an offset too. */
function dayOf(value: unknown): { day: DateTime; timeZone?: unknown } | undefined {
	const { text, timeZone, isFloating } = calendarTime(value);
	const written = writtenTime(text);
	if (!written || written.isPartial || +written.clock !== +written.clock.startOf('day')) return undefined;
	const isDate = !/[T\s]\d/i.test(String(text).trim());
	if (isDate) return { day: written.clock, timeZone: timeZone ?? written.zone?.replace(/^UTC(?=.)/, '') };
	return isFloating ? { day: written.clock } : undefined;
}

const midnight = (day: DateTime, timeZone: unknown) =>
	({ dateTime: day.toFormat("yyyy-MM-dd'T'00:00"), timeZone }) as IDataObject;

function writtenTime(text: unknown) {
	if (typeof text !== 'string' || text.length > MAX_TEXT) return undefined;
	const written = readWrittenTime(text.trim());
	return written && 'clock' in written ? written : undefined;
}
