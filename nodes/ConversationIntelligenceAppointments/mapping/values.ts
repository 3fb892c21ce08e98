/** Reads the values of fields. Each `read…` takes the field's label, and throws a CodedError that names it for what it refuses. */
import { DateTime } from 'luxon';
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { codedError, assertLength, type CodedError } from '../../shared/base/codedError';
import { isObject, quoted } from '../../shared/base/text';
import { readWrittenTime, toAppointmentTime, toUtcTimestamp, zoneOf } from '../../shared/base/time';
import { INPUT_ERRORS } from '../errors';
import type { Reading } from '../warnings';
import { datesOf, pricesOf, type DateReading, type SlashDates } from './notations';
import WINDOWS_ZONES from './windowsZones.json';

/** No date and time is as long. */
const MAX_TIME = 100;

/** Whether the user set nothing: without a value, the editor leaves empty text. */
export function isUnset(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

type Code = keyof typeof INPUT_ERRORS;

/** The error of one field; its texts can quote the value and what it can mean. */
export function fieldError(code: Code, field: string, value?: unknown, readings = ''): CodedError {
	const given = isUnset(value) ? 'empty' : quoted(value);
	return codedError(INPUT_ERRORS, code, { field, value: given, readings }, { field });
}

/** What programs write in place of a missing value, in their letter case: a customer can be called Null. */
const PLACEHOLDER =
	/undefined|null|NaN|\[object \w+\]|Invalid (?:DateTime|[Dd]ate|Duration|Interval)|\{\{[^{}]*\}\}|\$\{[^{}]*\}|<(?:no value|nil)>|#(?:REF|VALUE|NAME|N\/A|NUM|DIV\/0)[!?]?/g;

/** The same in any letter case, where it would be kept as an ID or a choice of the whole organization. */
const IN_ANY_CASE = new RegExp(PLACEHOLDER, 'gi');

/**
 * A placeholder as a part of an ID or a link, or words with nothing behind the last sign: `crm-` from `crm-{{ $json.id }}`.
 * Short placeholders only between signs, because letters and digits of an ID can be random.
 */
const INCOMPLETE =
	/[Uu]ndefined|UNDEFINED|\[object \w+\]|Invalid (?:DateTime|[Dd]ate)|\{\{|\$\{|<(?:no value|nil)>|#(?:REF|VALUE|NAME|N\/A|NUM|DIV\/0)|(?<![\p{L}\p{N}])(?:null|NULL|NaN|None)(?![\p{L}\p{N}])|^(?:none|NONE|nil|[nN]\/[aA]|[-_:/#|]+)$|^(?:(?:\p{Lu}?\p{Ll}{2,}|\p{Lu}{2,}|\p{Lo}{2,})[-_:/.#|\u2013])+\s*$/u;

/** Whether a text consists of nothing but placeholders, such as `undefined undefined`. */
export function isPlaceholder(text: string, placeholder = PLACEHOLDER): boolean {
	const rest = text.replace(placeholder, '');
	return rest !== text && !/[\p{L}\p{N}]/u.test(rest);
}

/** Text exactly as given; a number or a boolean becomes its text, an object, a list or a placeholder is refused. */
export function readText(value: unknown, label: string): string {
	if (typeof value === 'object' || Number.isNaN(value)) throw fieldError('text_invalid', label, value);
	const text = String(value);
	if (isPlaceholder(text)) throw fieldError('placeholder_refused', label, value);
	return text;
}

/**
 * An ID exactly as given: spaces and letter case may be part of it. A whole number becomes its text; blank text, a
 * missing part and a number that has lost digits are refused.
 */
export function readId(value: unknown, label: string): string {
	assertLength(value, label);
	const isText = typeof value === 'string' && !isUnset(value) && !isPlaceholder(value, IN_ANY_CASE);
	if (!isText && !Number.isSafeInteger(value)) throw fieldError('id_invalid', label, value);
	const id = String(value);
	if (INCOMPLETE.test(id)) throw fieldError('id_incomplete', label, value);
	return id;
}

/** Text without outer spaces, for values that create something on the service (D2 § Rules, 2). */
export function readTrimmedText(value: unknown, label: string): string {
	if (typeof value === 'boolean') throw fieldError('text_invalid', label, value);
	const text = readText(value, label).trim();
	if (!isPlaceholder(text, IN_ANY_CASE)) return text;
	throw fieldError('placeholder_refused', label, value);
}

/**
 * A link without outer spaces, otherwise exactly as given: a signed one must not change. Text without a scheme, e.g. a
 * file name, is refused, because the service confirms it and then fetches nothing.
 */
export function readLink(value: unknown, label: string): string {
	// Signed links have some 2,000 characters.
	assertLength(value, label, 10_000);
	const link = typeof value === 'string' ? value.trim() : '';
	const isLink = /^[a-z][a-z\d+.-]+:\/\/\S+/i.test(link);
	// A query can have such words of its own.
	if (isLink && !INCOMPLETE.test(link.split('?')[0])) return link;
	throw fieldError('link_invalid', label, value);
}

/** A price as a number (D2 § Limits, 4: a float with no currency code), if it has only one reading. */
export function readPrice(value: unknown, label: string): number {
	assertLength(value, label);
	const prices = typeof value === 'string' ? pricesOf(value.trim()) : [value];
	const [price, other] = prices;
	if (typeof price !== 'number' || !Number.isFinite(price)) throw fieldError('price_invalid', label, value);
	if (other === undefined) return price;
	throw fieldError('price_unclear', label, value, prices.join(' or '));
}

/** An object or its JSON text, without a placeholder, a number that JSON turns into null or one that has lost digits. */
export function readObject(value: unknown, label: string): object {
	const object = typeof value === 'string' ? jsonParse<unknown>(value, { fallbackValue: null }) : value;
	if (!isObject(object)) throw fieldError('object_invalid', label, value);
	JSON.stringify(object, (_key, one: unknown) => {
		const isExact = Number.isInteger(one) ? Number.isSafeInteger(one) : Number.isFinite(one);
		if (typeof one === 'number' && !isExact) throw fieldError('number_inexact', label, one);
		if (typeof one === 'string' && isPlaceholder(one)) throw fieldError('placeholder_refused', label, one);
		return one;
	});
	return object;
}

/** The time of a calendar: Google's and Outlook's events have `{ dateTime, timeZone }`, or `{ date }` for a whole day. */
function calendarTime(value: unknown, order: SlashDates) {
	if (!isObject(value) || !('dateTime' in value || 'date' in value)) return { text: isoOf(value, order) };
	const { dateTime, date, timeZone, isAllDay, dateOnly, startsDay } = value;
	const text = isoOf(isUnset(dateTime) ? date : dateTime, order);
	if (timeZone === 'floating') return { text, isFloating: true };
	return {
		text,
		timeZone,
		isFloating: isAllDay === true || dateOnly === true,
		startsDay: startsDay === true,
	};
}

/** The days of a spreadsheet, 25569 on 1970-01-01 with the time as a fraction, and dates in figures as ISO 8601. */
function isoOf(value: unknown, order: SlashDates): unknown {
	const isMeant = (date: DateReading) => !date.isShort && ['yearFirst', order].includes(date.order);
	const meant = inFigures(value).find(isMeant);
	if (meant) return meant.iso;
	// From 1954 to 2119. No other form of a date that is read has five digits.
	if (typeof value === 'object' || !/^\s*[2-7]\d{4}(\.\d+)?\s*$/.test(String(value))) return value;
	const seconds = Math.round((Number(value) - 25_569) * 86_400);
	const form = Number.isInteger(Number(value)) ? 'yyyy-MM-dd' : "yyyy-MM-dd'T'HH:mm:ss";
	return DateTime.fromSeconds(seconds, { zone: 'UTC' }).toFormat(form);
}

/** The readings of a date that is not ISO 8601. */
function inFigures(value: unknown): DateReading[] {
	const isText = typeof value === 'string' && value.length <= MAX_TIME;
	return isText && readWrittenTime(value.trim()) === undefined ? datesOf(value) : [];
}

/** A time as the API stores it (D2 § Limits, 2). Warns of one that is read in the workflow's zone, for lack of another. */
export function readTime(value: unknown, label: string, reading: Reading): string {
	const { zone, isZoneChosen, warnings, slashDates } = reading;
	const { text, timeZone, startsDay } = calendarTime(value, slashDates);
	const written = writtenTime(text);
	const dates = inFigures(text);
	if (dates.length > 0) {
		const [monthFirst, dayFirst] = ['monthFirst', 'dayFirst'].map(
			(order) => dates.find((date) => date.order === order)?.iso.slice(0, 10) ?? 'no date',
		);
		const readings = `${monthFirst} (month first) or ${dayFirst} (day first)`;
		throw fieldError(dates[0].isShort ? 'year_short' : 'date_order_unclear', label, value, readings);
	}
	const isLocal = written !== undefined && written.zone === undefined;
	const own = isLocal && !isUnset(timeZone) ? readZone(timeZone, label) : undefined;
	if (isLocal && !own && !isZoneChosen) (warnings.zone_assumed ??= []).push(`${label} (${zone})`);
	// A day begins once, even if its midnight is skipped or repeated.
	const instant = startsDay ? toUtcTimestamp(text, own ?? zone, label) : text;
	return toAppointmentTime(instant, own ?? zone, label);
}

/** The IANA names of Windows' zones (CLDR 48, `windowsZones.json`, territory 001). */
const IANA_OF_WINDOWS = new Map(Object.entries(WINDOWS_ZONES));

/** The IANA name of a zone, also from the name that Windows gives it. */
export function readZone(name: unknown, label: string): string {
	const zone = typeof name === 'string' ? (zoneOf(name) ?? IANA_OF_WINDOWS.get(name)) : undefined;
	if (zone !== undefined) return zone;
	throw fieldError('time_zone_invalid', label, name);
}

/**
 * Start and end of the days of an event without times of day: a date, or a midnight that its calendar marks as floating.
 * As in calendars, the end day is not part of it, unless it is the first one.
 * @returns only the times that are days, as calendars' times at midnight
 */
export function wholeDays({ start_time, end_time }: IDataObject, order: SlashDates = 'refuse'): IDataObject {
	const [start, end] = [dayOf(start_time, order), dayOf(end_time, order)];
	const isFirst = start && end && start.day >= end.day;
	const days: IDataObject = {};
	if (start) days.start_time = midnight(start.day, start.timeZone);
	if (end) days.end_time = midnight(end.day.plus({ days: isFirst ? 1 : 0 }), end.timeZone);
	return days;
}

/** The day of a date or of a floating midnight; undefined for any other time, a midnight with an offset too. */
function dayOf(value: unknown, order: SlashDates): { day: DateTime; timeZone?: unknown } | undefined {
	const { text, timeZone, isFloating } = calendarTime(value, order);
	const written = writtenTime(text);
	if (!written || written.isPartial || +written.clock !== +written.clock.startOf('day')) return undefined;
	const isDate = !/[T\s]\d/i.test(String(text).trim());
	const zone = timeZone ?? written.zone?.replace(/^UTC(?=.)/, '');
	if (isDate) return { day: written.clock, timeZone: zone };
	if (!isFloating) return undefined;
	// Outlook writes a floating day in UTC.
	return {
		day: written.clock,
		timeZone: /^(UTC|Etc\/UTC|GMT|[+-]00:?00)$/i.test(String(zone)) ? undefined : zone,
	};
}

const midnight = (day: DateTime, timeZone: unknown) =>
	({ dateTime: day.toFormat("yyyy-MM-dd'T'00:00"), timeZone, startsDay: true }) as IDataObject;

function writtenTime(text: unknown) {
	if (typeof text !== 'string' || text.length > MAX_TIME) return undefined;
	const written = readWrittenTime(text.trim());
	return written && 'clock' in written ? written : undefined;
}
