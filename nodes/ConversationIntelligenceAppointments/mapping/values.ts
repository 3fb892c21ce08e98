/** Reads the values of fields: each `read…` throws a CodedError that names the field by its label. */
import { DateTime } from 'luxon';
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { assertLength, codedError } from '../../shared/base/codedErrors';
import { isObject, quoted } from '../../shared/base/text';
import { readWrittenTime, toAppointmentTime, toUtcTimestamp, zoneOf } from '../../shared/base/time';
import { INPUT_ERRORS } from '../appointmentErrors';
import { datesOf, pricesOf, type SlashDates, type ValueContext } from './notations';
import WINDOWS_ZONES from './windowsZones.json';

/** Whether the user set nothing: without a value, the editor leaves empty text. */
export function isUnset(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** The error of one field; its texts can quote the value and what it can mean. */
export function fieldError(code: keyof typeof INPUT_ERRORS, field: string, value?: unknown, readings = '') {
	const given = isUnset(value) ? 'empty' : quoted(value);
	return codedError(INPUT_ERRORS, code, { field, value: given, readings }, { field });
}

/** What programs write in place of a missing value, in their letter case: a customer can be called Null. */
const PLACEHOLDER =
	/undefined|null|NaN|\[object \w+\]|Invalid (?:DateTime|[Dd]ate|Duration|Interval)|\{\{[^{}]*\}\}|\$\{[^{}]*\}|<(?:no value|nil)>|#(?:REF|VALUE|NAME|N\/A|NUM|DIV\/0)[!?]?/g;

/** The same in any letter case, where it would be kept as an ID or a choice of the whole organization. */
export const IN_ANY_CASE = new RegExp(PLACEHOLDER, 'gi');

/** A placeholder in an ID or a link, short ones only between signs, or nothing behind the last sign: `crm-{{ $json.id }}`. */
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

/** An ID exactly as given, also its spaces and letter case, or the text of a whole number that has lost no digits. */
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

/** A link without outer spaces; not text without a scheme, which the service confirms, but cannot fetch. */
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
	const [price] = prices;
	if (typeof price !== 'number' || !Number.isFinite(price)) throw fieldError('price_invalid', label, value);
	if (prices.length === 1) return price;
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

/**
 * Reads a time, also as calendars give it: `{ dateTime, timeZone }`, or `{ date }` for a whole day. `iso` is ISO 8601 also
 * where it is given as a serial or in figures, and `readings` are those of figures of which none is meant. `day` is that of
 * a date or of a floating midnight; undefined for any other time, a midnight with an offset too.
 */
function givenTime(value: unknown, order: SlashDates) {
	const isEvent = isObject(value) && ('dateTime' in value || 'date' in value);
	const event: Record<string, unknown> = isEvent ? value : { dateTime: value };
	const given = isUnset(event.dateTime) ? event.date : event.dateTime;
	const isFloating = event.timeZone === 'floating';
	const timeZone = isFloating ? undefined : event.timeZone;
	// The text of no date and time is longer.
	const text = serialAsIso(given) ?? (typeof given === 'string' && given.length <= 100 ? given.trim() : '');
	const asIso = readWrittenTime(text);
	// No zone is called AM, .30, h30 or Uhr.
	const isUnread = !asIso || ('unclear' in asIso && /^([ap]\.?m|\.\d|h\d*$|uhr$)/i.test(asIso.unclear));
	const dates = isUnread ? datesOf(text) : [];
	const meant = dates.find((date) => !date.isShort && ['yearFirst', order].includes(date.order));
	const { iso, written } = meant ?? { iso: text || given, written: asIso };
	const time = { given, iso, written, readings: meant ? [] : dates };
	const { clock: day, zone, isPartial = false } = written && 'clock' in written ? written : {};
	const isDate = !/[T\s]\d/i.test(String(iso));
	const startsDay = isDate || isFloating || event.isAllDay === true || event.dateOnly === true;
	if (!day || isPartial || +day !== +day.startOf('day') || !startsDay) return { ...time, timeZone };
	const own = timeZone ?? zone?.replace(/^UTC(?=.)/, '');
	// Outlook writes a floating day in UTC.
	const isOutlooks = !isDate && /^(UTC|Etc\/UTC|GMT|[+-]00:?00)$/i.test(String(own));
	return { ...time, timeZone: isOutlooks ? undefined : own, day };
}

type GivenTime = ReturnType<typeof givenTime> & { day?: DateTime };

/** The days of a spreadsheet as ISO 8601: 25569 is 1970-01-01, with the time as a fraction. */
function serialAsIso(value: unknown): string | undefined {
	// From 1954 to 2119. No other form of a date that is read has five digits.
	if (typeof value === 'object' || !/^\s*[2-7]\d{4}(\.\d+)?\s*$/.test(String(value))) return undefined;
	const at = DateTime.fromSeconds(Math.round((Number(value) - 25_569) * 86_400), { zone: 'UTC' });
	return at.toFormat(Number.isInteger(Number(value)) ? 'yyyy-MM-dd' : "yyyy-MM-dd'T'HH:mm:ss");
}

/**
 * The times of an event; those that are days begin at their midnight. As in calendars, the end day is not part of the event,
 * unless it is the first one.
 */
export function timesOf({ start_time, end_time }: IDataObject, order: SlashDates): Record<string, GivenTime> {
	const [start, end]: GivenTime[] = [givenTime(start_time, order), givenTime(end_time, order)];
	if (start.day && end.day && start.day >= end.day) end.day = end.day.plus({ days: 1 });
	return { start_time: start, end_time: end };
}

/** A time as the API stores it (D2 § Limits, 2). Warns of one that is read in the workflow's zone, for lack of another. */
export function readTime(
	{ given, iso, readings, written, timeZone, day }: GivenTime,
	label: string,
	{ zone, isZoneChosen, warnings }: ValueContext,
): string {
	if (readings.length > 0) {
		const dayIn = (order: string) =>
			readings.find((date) => date.order === order)?.iso.slice(0, 10) ?? 'no date';
		const days = `${dayIn('monthFirst')} (month first) or ${dayIn('dayFirst')} (day first)`;
		throw fieldError(readings[0].isShort ? 'year_short' : 'date_order_unclear', label, given, days);
	}
	const isLocal = day !== undefined || (written && 'clock' in written && written.zone === undefined);
	const own = isLocal && !isUnset(timeZone) ? readZone(timeZone, label) : undefined;
	if (isLocal && !own && !isZoneChosen) (warnings.zone_assumed ??= []).push(`${label} (${zone})`);
	// A day begins once, even if its midnight is skipped or repeated.
	const instant = day ? toUtcTimestamp(day.toISODate(), own ?? zone, label) : iso;
	return toAppointmentTime(instant, own ?? zone, label, given);
}

/** The IANA names of Windows' zones (CLDR 48, `windowsZones.json`, territory 001). */
const IANA_OF_WINDOWS = new Map(Object.entries(WINDOWS_ZONES));

/** The IANA name of a zone, also from the name that Windows gives it. */
export function readZone(name: unknown, label: string): string {
	const zone = typeof name === 'string' ? (zoneOf(name) ?? IANA_OF_WINDOWS.get(name)) : undefined;
	if (zone !== undefined) return zone;
	throw fieldError('time_zone_invalid', label, name);
}
