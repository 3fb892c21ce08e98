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
function calendarTime(value: unknown): { text: unknown; timeZone?: unknown } {
	if (!isObject(value) || !('dateTime' in value || 'date' in value)) return { text: value };
	return { text: value.dateTime ?? value.date, timeZone: value.timeZone };
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
 * Start and end of the days of an event without times of day: a date, or from midnight to midnight, as Outlook and
 * Salesforce return it. As in calendars, the end day is not part of it, unless it is the first one.
 *
 * @returns only the times that are days, as midnight without an offset
 */
export function wholeDays({ start_time, end_time }: IDataObject): IDataObject {
	const [start, end] = [dayOf(start_time), dayOf(end_time)];
	const isFromMidnight = start !== undefined && end !== undefined && start.day < end.day;
	const days: IDataObject = {};
	if (start && (start.isDate || isFromMidnight)) days.start_time = midnight(start.day);
	if (end && (end.isDate || isFromMidnight)) {
		const isFirst = start !== undefined && start.day >= end.day;
		days.end_time = midnight(isFirst ? end.day.plus({ days: 1 }) : end.day);
	}
	return days;
}

/** The day of a date, or of a time at midnight; undefined for any other time. */
function dayOf(value: unknown): { day: DateTime; isDate: boolean } | undefined {
	const { text } = calendarTime(value);
	const written = writtenTime(text);
	if (!written || written.isPartial || +written.clock !== +written.clock.startOf('day')) return undefined;
	return { day: written.clock, isDate: !/[T\s]\d/i.test(String(text).trim()) };
}

const midnight = (day: DateTime) => day.toFormat("yyyy-MM-dd'T'00:00");

function writtenTime(text: unknown) {
	if (typeof text !== 'string' || text.length > MAX_TEXT) return undefined;
	const written = readWrittenTime(text.trim());
	return written && 'clock' in written ? written : undefined;
}
