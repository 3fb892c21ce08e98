/** Reads the values of fields: each `read…` throws a CodedError that names the field by its label. */
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { assertLength, codedError } from '../../shared/base/codedErrors';
import { invisibleIn, isObject, normalized, quoted } from '../../shared/base/text';
import { INPUT_ERRORS } from '../appointmentErrors';
import type { Warnings } from '../itemWarnings';

/** The order of day and month in dates whose year comes last; by default, only dates that mean one thing are read. */
export type DateOrder = 'monthFirst' | 'dayFirst' | undefined;

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

/** What programs and spreadsheets write for a missing value, in exact case: a customer can be called Null. */
const PLACEHOLDER =
	/undefined|null|NaN|\[object \w+\]|Invalid (?:DateTime|[Dd]ate|Duration|Interval)|\{\{[^{}]*\}\}|\$\{[^{}]*\}|<(?:no value|nil)>|#(?:\p{Lu}[\p{Lu}/]*[!?]|DIV\/0!?|\p{Lu}\/\p{Lu}|NV|REF|VALUE|NAME|NUM)/gu;

/** For IDs, and for names that everyone in the organization sees. */
export const IN_ANY_CASE = new RegExp(PLACEHOLDER, 'giu');

/** An ID or link that has a placeholder or half a character, ends with a sign as in `crm-`, or has only signs. */
const INCOMPLETE =
	/\p{Surrogate}|[Uu]ndefined|UNDEFINED|\[object \w+\]|Invalid (?:DateTime|[Dd]ate)|\{\{|\$\{|<(?:no value|nil)>|#(?:\p{Lu}+[!?]|REF|VALUE|NAME|NUM|DIV\/0|\p{Lu}\/\p{Lu}|NV$)|(?<![\p{L}\p{N}])(?:null|NULL|NaN|None)(?![\p{L}\p{N}])|^[-_.:/#|]+$|^(?:(?:\p{Lu}?\p{Ll}{2,}|\p{Lu}{2,}|\p{Lo}{2,})[-_:/.#|\u2013])+\s*$/u;

/** Whether a text has nothing but placeholders, such as `undefined undefined`. */
export function isPlaceholder(text: string, placeholder = PLACEHOLDER): boolean {
	const rest = text.replace(placeholder, '');
	return rest !== text && !/[\p{L}\p{N}]/u.test(rest);
}

/** Whether a text means that the ID or link is missing. */
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
	// A lone dash stands for nothing in spreadsheets.
	if (!isPlaceholder(text, IN_ANY_CASE) && !/^[\p{P}\s]+$/u.test(text)) return text;
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
	const unseen = invisibleIn(id) ?? /[^\S ]|\u2800/.exec(id)?.[0];
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

/** The whole part of a price, and the sign before its decimals. */
const PRICES = [
	[String.raw`\d*`, '[.,]'],
	[String.raw`[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3}`, '[.]'],
	[String.raw`[1-9]\d{0,2}(?:[.]\d{3})+`, ','],
	[String.raw`[1-9]\d{0,2}(?:\s\d{3})+|[1-9]\d{0,2}(?:['’]\d{3})+`, '[.,]'],
].map(([whole, sign]) => new RegExp(`^(${whole})(?:${sign}(\\d*))?$`));

const EXPONENT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)e[+-]?\d+$/i;
const SIGN = /^(?:kr|Kč|zł|Ft|S?Fr|Rs|Rp|RM|R|lei|лв|руб|euros?|dollars?|\p{L}{0,3}\p{Sc}|元|円|원)\.?$/iu;
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
const HAS_MILLS = /^(BHD|IQD|JOD|KWD|LYD|OMR|TND)$/;

/** The numbers that a price can mean. Beside a currency of two decimals, three figures after a sign are thousands. */
function pricesOf(text: string): number[] {
	if (EXPONENT.test(text)) return [Number(text)];
	const [before, ...others] = text.split(/(?<!\p{L})[.,]\d|\d/u);
	const after = text.split(/\d/).at(-1)!;
	const figures = others.length === 0 ? '' : text.slice(before.length, text.length - after.length);
	// `500.-` has no cents.
	const signs = [before.replace(/[-+−]/, ''), after.replace(/^[.,][-–—]*/, '')].map((sign) => sign.trim());
	const codes = signs.map((sign) => sign.toUpperCase()).filter(Boolean);
	if (!codes.every((code) => SIGN.test(code) || CURRENCIES.has(code))) return [];
	const found = PRICES.flatMap((notation) => {
		const [, whole = '', decimals = ''] = notation.exec(figures) ?? [];
		const number = Number(`${/[-−]/.test(before) ? '-' : ''}${whole.replace(/\D/g, '')}.${decimals}`);
		return whole || decimals ? number : [];
	});
	const prices = [...new Set(found)].sort((one, other) => Math.abs(other) - Math.abs(one));
	return codes.length > 0 && !codes.some((code) => HAS_MILLS.test(code)) ? prices.slice(0, 1) : prices;
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
