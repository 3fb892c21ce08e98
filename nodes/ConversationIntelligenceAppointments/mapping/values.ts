/** Reads the values of fields: each `read…` throws a CodedError that names the field by its label. */
import { DateTime } from 'luxon';
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { assertLength, codedError } from '../../shared/base/codedErrors';
import { invisibleIn, isObject, normalized, quoted } from '../../shared/base/text';
import { readWrittenTime, toAppointmentTime, toUtcTimestamp, zoneOf } from '../../shared/base/time';
import { INPUT_ERRORS } from '../appointmentErrors';
import type { Warnings } from '../itemWarnings';
import { datesOf, pricesOf, type DateOrder } from './notations';
import { IANA_OF_WINDOWS } from './windowsZones';

/** How the values of one item are read. */
export type ValueContext = {
	/** IANA name of the zone of times without one. */
	zone: string;
	isZoneChosen: boolean;
	dateOrder: DateOrder;
	/** How warnings name the appointment, e.g. `Event crm-12`. */
	event: string;
	/** The input item, which can have the zone of a time. */
	json: IDataObject;
	warnings: Warnings;
};

/** Whether a value is missing or has nothing visible. */
export function isUnset(value: unknown): boolean {
	if (typeof value !== 'string') return value === undefined || value === null;
	return /^[\s\u2800\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u.test(value);
}

/** @param found what the texts of the error quote besides the value */
export function fieldError(code: keyof typeof INPUT_ERRORS, field: string, value?: unknown, found = '') {
	const given = isUnset(value) ? 'empty' : quoted(value);
	return codedError(INPUT_ERRORS, code, { field, value: given, found }, { field });
}

/** What programs write in place of a missing value, in their letter case: a customer can be called Null. */
const PLACEHOLDER =
	/undefined|null|NaN|\[object \w+\]|Invalid (?:DateTime|[Dd]ate|Duration|Interval)|\{\{[^{}]*\}\}|\$\{[^{}]*\}|<(?:no value|nil)>|#(?:REF|VALUE|NAME|N\/A|NUM|DIV\/0)[!?]?/g;

/** For IDs, and for names that everyone in the organization sees. */
export const IN_ANY_CASE = new RegExp(PLACEHOLDER, 'gi');

/** A placeholder or half of a character in an ID or a link, nothing after its last sign as in `crm-`, or only signs. */
const INCOMPLETE =
	/\p{Surrogate}|[Uu]ndefined|UNDEFINED|\[object \w+\]|Invalid (?:DateTime|[Dd]ate)|\{\{|\$\{|<(?:no value|nil)>|#(?:REF|VALUE|NAME|N\/A|NUM|DIV\/0)|(?<![\p{L}\p{N}])(?:null|NULL|NaN|None)(?![\p{L}\p{N}])|^[-_.:/#|]+$|^(?:(?:\p{Lu}?\p{Ll}{2,}|\p{Lu}{2,}|\p{Lo}{2,})[-_:/.#|\u2013])+\s*$/u;

/** Whether a text has nothing but placeholders, such as `undefined undefined`. */
export function isPlaceholder(text: string, placeholder = PLACEHOLDER): boolean {
	const rest = text.replace(placeholder, '');
	return rest !== text && !/[\p{L}\p{N}]/u.test(rest);
}

/** Whether a text is in place of an ID or a link. */
const isMissing = (text: string) =>
	isPlaceholder(text, IN_ANY_CASE) || /^\s*(?:none|nil|n\/a)\s*$/i.test(text);

/** Text exactly as given; a number or a boolean becomes its text. */
export function readText(value: unknown, label: string): string {
	if (typeof value === 'object' || Number.isNaN(value)) throw fieldError('text_invalid', label, value);
	const text = String(value);
	if (isPlaceholder(text)) throw fieldError('placeholder_refused', label, value);
	return text;
}

/** Text as people see it, for values that create or find something on the service (D2 § Rules, 2). */
export function readName(value: unknown, label: string): string {
	if (typeof value === 'boolean') throw fieldError('text_invalid', label, value);
	const text = normalized(readText(value, label));
	if (!isPlaceholder(text, IN_ANY_CASE)) return text;
	throw fieldError('placeholder_refused', label, value);
}

/** What a spreadsheet shows of a long number, such as `1.23457E+15`; `1E5` can be an ID. */
const DIGITS_LOST = /\dE\+\d{1,3}(?![\p{L}\p{N}@])|^\s*[+-]?\d[.,]\d+E[+-]?\d+\s*$/iu;

const hasLostDigits = (value: unknown) => Number.isInteger(value) && !Number.isSafeInteger(value);

export function readPhone(value: unknown, label: string): string {
	const phone = readText(value, label);
	if (DIGITS_LOST.test(phone)) throw fieldError('digits_lost', label, value);
	return phone;
}

/** An ID exactly as given, or the text of a whole number. */
export function readId(value: unknown, label: string): string {
	assertLength(value, label);
	if (hasLostDigits(value)) throw fieldError('number_inexact', label);
	const isText = typeof value === 'string' && !isUnset(value);
	if (!isText && !Number.isSafeInteger(value)) throw fieldError('id_invalid', label, value);
	const id = String(value);
	if (isMissing(id)) throw fieldError('placeholder_refused', label, value);
	if (INCOMPLETE.test(id)) throw fieldError('value_incomplete', label, value);
	if (DIGITS_LOST.test(id)) throw fieldError('digits_lost', label, value);
	const unseen = invisibleIn(id) ?? /[^\S ]/.exec(id)?.[0];
	if (unseen === undefined) return id;
	const code = unseen.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
	throw fieldError('id_invisible', label, value, `U+${code}`);
}

/** A link without outer spaces, of a scheme by which files are fetched. */
export function readLink(value: unknown, label: string): string {
	// Signed links have some 2,000 characters.
	assertLength(value, label, 10_000);
	const link = typeof value === 'string' ? value.trim() : '';
	if (isMissing(link)) throw fieldError('placeholder_refused', label, value);
	if (!/^(?:https?|s3|gs|s?ftp|ftps):\/\/\S+/i.test(link)) throw fieldError('link_invalid', label, value);
	// A query can have such words of its own.
	if (INCOMPLETE.test(link.split('?')[0])) throw fieldError('value_incomplete', label, value);
	return link;
}

/** A price as a number (D2 § Limits, 4: a float with no currency code), if it means one number. */
export function readPrice(value: unknown, label: string): number {
	assertLength(value, label);
	const prices = typeof value === 'string' ? pricesOf(value.trim()) : [value];
	const [price] = prices;
	if (typeof price !== 'number' || !Number.isFinite(price)) throw fieldError('price_invalid', label, value);
	if (prices.length === 1) return price;
	throw fieldError('price_unclear', label, value, prices.join(' or '));
}

/** An object or its JSON text, with neither placeholders nor numbers that JSON cannot hold. */
export function readObject(value: unknown, label: string): object {
	const object = typeof value === 'string' ? jsonParse<unknown>(value, { fallbackValue: null }) : value;
	if (!isObject(object)) throw fieldError('object_invalid', label, value);
	JSON.stringify(object, (key, part: unknown) => {
		if (hasLostDigits(part)) throw fieldError('number_inexact', label, undefined, ` in ${quoted(key)}`);
		const isNumber = typeof part === 'number';
		const isWrong = isNumber ? !Number.isFinite(part) : typeof part === 'string' && isPlaceholder(part);
		if (isWrong) throw fieldError('placeholder_refused', label, part);
		return part;
	});
	return object;
}

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
	const { clock, zone, isPartial } = written && 'clock' in written ? written : {};
	const isLocal = clock !== undefined && zone === undefined;
	const time: GivenTime = { given, isAlone, iso, isLocal, timeZone, problem };
	const isDate = !/[T\s]\d/i.test(String(iso));
	const isMidnight = clock && !isPartial && +clock === +clock.startOf('day');
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

/** The times of an event. As in calendars, the end day is not part of the event, unless it is the first one. */
export function timesOf({ start_time, end_time }: IDataObject, order: DateOrder): Record<string, GivenTime> {
	const [start, end] = [givenTime(start_time, order), givenTime(end_time, order)];
	if (start.day && end.day && start.day >= end.day) end.day = end.day.plus({ days: 1 });
	return { start_time: start, end_time: end };
}

/** A time as the API stores it (D2 § Limits, 2). Warns if its zone is the workflow's, or not that of the input. */
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

/** The IANA name of a zone, also from the name that Windows gives it. */
const knownZone = (name: unknown) =>
	typeof name === 'string' ? (zoneOf(name) ?? IANA_OF_WINDOWS.get(name)) : undefined;

export function readZone(name: unknown, label: string): string {
	const zone = knownZone(name);
	if (zone === undefined) throw fieldError('time_zone_invalid', label, name);
	return zone;
}
