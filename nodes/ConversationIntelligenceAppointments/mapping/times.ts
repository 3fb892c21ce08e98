/** Reads the times of an appointment: text, the objects of calendars, and days of spreadsheets. */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { isObject, quoted } from '../../shared/base/text';
import { readWrittenTime, toAppointmentTime, toUtcTimestamp, zoneOf } from '../../shared/base/time';
import type { INPUT_ERRORS } from '../appointmentErrors';
import { fieldError, isUnset, type DateOrder, type ValueContext } from './values';
import { IANA_OF_WINDOWS } from './windowsZones';

/** A time as it was given, also by a calendar as `{ dateTime, timeZone }` or `{ date }`. */
type GivenTime = {
	/** What messages quote. */
	given: unknown;
	/** Whether it was mapped without the object of a calendar around it. */
	isAlone: boolean;
	/** ISO 8601, also where text has another notation; else as given. */
	iso: unknown;
	isLocal: boolean;
	timeZone?: unknown;
	/** The midnight at which a whole day begins. */
	day?: DateTime;
	/** Why it cannot be read, and what was found. */
	problem?: [code: keyof typeof INPUT_ERRORS, found?: string];
};

/** What is read of the object that a calendar returns for a time. */
const TIME_KEYS = ['dateTime', 'date', 'timeZone', 'isAllDay'];

function givenTime(value: unknown, order: DateOrder): GivenTime {
	const isAlone = !isObject(value) || !('dateTime' in value || 'date' in value);
	const event: IDataObject = isAlone ? { dateTime: value as string } : value;
	const { timeZone } = event;
	const given = isUnset(event.dateTime) ? event.date : event.dateTime;
	// Another key can have the zone or the time of day; `@odata.type` and `__typename` say neither.
	const isUnread = (key: string) => !TIME_KEYS.includes(key) && !/^(?:@|__)/.test(key);
	const unread = Object.keys(event).find(
		(key) => isUnread(key) && event[key] !== false && !isUnset(event[key]),
	);
	const { iso, problem: unclear } = isoOf(given, order);
	const problem: GivenTime['problem'] = unread === undefined ? unclear : ['time_key_unknown', quoted(unread)];
	const written = typeof iso === 'string' && iso.length <= MAX_TIME ? readWrittenTime(iso) : undefined;
	const { clock, zone } = written && 'clock' in written ? written : {};
	const isLocal = clock !== undefined && zone === undefined;
	const time: GivenTime = { given, isAlone, iso, isLocal, timeZone, problem };
	const isDate = !/[T\s]\d/i.test(String(iso));
	const isMidnight = clock && +clock === +clock.startOf('day');
	if (!isMidnight || !(isDate || event.isAllDay === true)) return time;
	const own = timeZone ?? zone?.replace(/^UTC(?=.)/, '');
	// Outlook writes a day of any zone in UTC.
	const isOutlooks = !isDate && /^(UTC|Etc\/UTC|GMT|[+-]00:?00)$/i.test(String(own));
	return { ...time, isLocal: true, timeZone: isOutlooks ? undefined : own, day: clock };
}

const MAX_TIME = 100;

/** A serial of a spreadsheet or a date in figures as ISO 8601, and anything else as given. */
function isoOf(given: unknown, order: DateOrder): Pick<GivenTime, 'iso' | 'problem'> {
	const text = serialAsIso(given) ?? (typeof given === 'string' ? given.trim() : given);
	const dates = typeof text === 'string' && text.length <= MAX_TIME ? datesOf(text) : undefined;
	if (!dates) return { iso: text };
	const { yearFirst, ...others } = dates;
	const existing = Object.values(others).filter((iso) => readWrittenTime(iso) !== undefined);
	const chosen = order && others[order];
	if (yearFirst || (chosen && existing.includes(chosen))) return { iso: yearFirst ?? chosen };
	if (Object.keys(others).length === 0) return { iso: given, problem: ['year_short'] };
	if (chosen && existing.length > 0) return { iso: given, problem: ['date_order_wrong', chosen.slice(5, 7)] };
	if (new Set(existing).size < 2) return { iso: existing[0] ?? text };
	const days = existing.map((iso) => DateTime.fromISO(iso.slice(0, 10)).toFormat('d LLLL', { locale: 'en' }));
	return { iso: given, problem: ['date_order_unclear', days.join(' or ')] };
}

/** The days of a spreadsheet as ISO 8601: 25569 is 1970-01-01, with the time as a fraction. */
function serialAsIso(value: unknown): string | undefined {
	// From 1954 to 2119. No other form of a date that is read has five digits.
	if (typeof value === 'object' || !/^\s*[2-7]\d{4}(\.\d+)?\s*$/.test(String(value))) return undefined;
	const at = DateTime.fromSeconds(Math.round((Number(value) - 25_569) * 86_400), { zone: 'UTC' });
	return at.toFormat(Number.isInteger(Number(value)) ? 'yyyy-MM-dd' : "yyyy-MM-dd'T'HH:mm:ss");
}

/** A date in figures with one separator, a time of 24 hours or with AM and PM, and a zone. */
const DATE =
	/^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:(?:,? |T)(\d{1,2})(:\d{2})?(:\d{2}(?:\.\d+)?)?( ?[ap]m(?![a-z]))?( ?[a-z+[-].*)?)?$/i;

/** What a date in figures means in each order, as ISO 8601; empty if its year does not have four digits. */
type Dates = { yearFirst?: string; monthFirst?: string; dayFirst?: string };

/** Reads a date in figures, such as `3/14/2026 2:30 PM`; undefined for other text. Whether it exists is not judged. */
function datesOf(text: string): Dates | undefined {
	const found = DATE.exec(text.replace(/\s+/g, ' '));
	if (found === null) return undefined;
	const [, first, , second, last, hour, minutes = '', seconds = '', half = '', zone = ''] = found;
	const time = hour === undefined ? '' : clockOf(Number(hour), minutes, half.trim());
	if (time === undefined) return undefined;
	const isoOf = (year: string, month: string, day: string) =>
		`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${time && `T${time}${seconds}`}${zone}`;
	if (first.length === 4) return last.length > 2 ? undefined : { yearFirst: isoOf(first, second, last) };
	if (first.length === 3 || last.length < 4) return {};
	return { monthFirst: isoOf(last, first, second), dayFirst: isoOf(last, second, first) };
}

/** A time such as `14:30`; undefined for an hour without minutes, AM or PM, and for 0 or 13 with AM or PM. */
function clockOf(hour: number, minutes: string, half: string): string | undefined {
	if (half === '' ? minutes === '' : hour < 1 || hour > 12) return undefined;
	const hours = half === '' ? hour : (hour % 12) + (/p/i.test(half) ? 12 : 0);
	return `${String(hours).padStart(2, '0')}${minutes || ':00'}`;
}

/** The times of an event. As in calendars, the end day is not part of the event, unless it is the first one. */
export function timesOf({ start_time, end_time }: IDataObject, order: DateOrder): Record<string, GivenTime> {
	const [start, end] = [givenTime(start_time, order), givenTime(end_time, order)];
	if (start.day && end.day && start.day >= end.day) end.day = end.day.plus({ days: 1 });
	return { start_time: start, end_time: end };
}

/** A time as the API stores it (D2 § Limits, 2). Warns if it uses the workflow's zone, or not the input's. */
export function readTime(time: GivenTime, label: string, context: ValueContext): string {
	const { given, iso, isAlone, isLocal, timeZone, day, problem } = time;
	const { event, zone, isZoneChosen, json, warnings } = context;
	if (problem) throw fieldError(problem[0], label, given, problem[1]);
	const own = isLocal && !isUnset(timeZone) ? readZone(timeZone, label) : undefined;
	// A day begins once, even if its midnight is skipped or repeated.
	const instant = day ? toUtcTimestamp(day.toISODate(), own ?? zone, label) : iso;
	const stored = toAppointmentTime(instant, own ?? zone, label, given);
	if (!isLocal || own) return stored;
	const beside = isAlone ? zoneBeside(given, json) : undefined;
	if (beside && beside.zone !== zone) {
		(warnings.zone_not_mapped ??= []).push(`${event} ${label} (${zone} was used: ${beside.advice})`);
	} else if (!isZoneChosen) (warnings.zone_assumed ??= []).push(`${event} ${label} (${zone})`);
	return stored;
}

/** The zone beside a time in an item, as calendars return both, and how to map it. */
function zoneBeside(
	time: unknown,
	part: unknown,
	path: string[] = [],
): { zone: string; advice: string } | undefined {
	if (typeof part !== 'object' || part === null || path.length > 4) return undefined;
	const entries = Object.entries(part);
	const isParent = path.length > 0 && entries.some(([, value]) => value === time);
	const [key, name] = (isParent && entries.find(([, value]) => knownZone(value))) || [];
	if (key === undefined) {
		return entries.map(([own, value]) => zoneBeside(time, value, [...path, own])).find(Boolean);
	}
	const isRead = entries.every(([own]) => TIME_KEYS.includes(own));
	const mapped = (keys: string[]) => `{{ $json${keys.map(accessOf).join('')} }}`;
	const advice = isRead ? `map ${mapped(path)}` : `choose ${mapped([...path, key])} in Options → Time Zone`;
	return { zone: knownZone(name)!, advice };
}

const accessOf = (key: string) =>
	/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? `.${key}` : `[${/^\d+$/.test(key) ? key : JSON.stringify(key)}]`;

const knownZone = (name: unknown) =>
	typeof name === 'string' ? (zoneOf(name) ?? IANA_OF_WINDOWS.get(name)) : undefined;

export function readZone(name: unknown, label: string): string {
	const zone = knownZone(name);
	if (zone === undefined) throw fieldError('time_zone_invalid', label, name);
	return zone;
}
