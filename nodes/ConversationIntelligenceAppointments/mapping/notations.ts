/** How people write values: every reading of a price or a date, and expressions that mend what has no clear one. */
import { DateTime } from 'luxon';
import { CodedError } from '../../shared/base/codedErrors';
import { readWrittenTime } from '../../shared/base/time';
import type { Warnings } from '../appointmentErrors';
import ROWS from './mends.json';

/** The whole part of a price, and the mark before its decimals. */
const PRICES = [
	[String.raw`\d*`, '[.,]'],
	[String.raw`[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3}`, '[.]'],
	[String.raw`[1-9]\d{0,2}(?:[.]\d{3})+`, ','],
	[String.raw`[1-9]\d{0,2}(?:\s\d{3})+|[1-9]\d{0,2}(?:['’]\d{3})+`, '[.,]'],
].map(([whole, mark]) => new RegExp(`^(${whole})(?:${mark}(\\d*))?$`));

const EXPONENT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)e[+-]?\d+$/i;
const SIGN = /^(?:kr|Kč|zł|Ft|S?Fr|Rs|Rp|RM|R|lei|лв|руб|euros?|dollars?|\p{L}{0,3}\p{Sc}|元|円|원)\.?$/iu;
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
const HAS_MILLS = /^(BHD|IQD|JOD|KWD|LYD|OMR|TND)$/;

/** The numbers that a price can mean, the largest alone beside a currency: most have two decimals. */
export function pricesOf(text: string): number[] {
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

/** A date in figures with one separator, a time with or without AM and PM or in words such as `um 9h30`, and a zone. */
const DATE =
	/^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:(,? (?:(?:um|at|à|kl\.?) )?|T(?!\d+\.))(\d{1,2})([:.h]\d{2})?([:.]\d{2})?( ?[ap]\.?m\b\.?| ?(?:Uhr|h)(?![a-z\d]))?)?( ?[a-z+[-].*)?$/i;

/** The order of day and month in dates whose year comes last. */
export type SlashDates = 'refuse' | 'monthFirst' | 'dayFirst';
const ORDERS = { yearFirst: 'yMd', monthFirst: 'Mdy', dayFirst: 'dMy' };

/**
 * The dates that a text in figures can mean, e.g. `3/14/2026 2:30 PM`, with their order, as ISO 8601, as Luxon's format and
 * without a century (`isShort`); none for other text.
 */
export function datesOf(given: string) {
	const found = DATE.exec(given.trim().replace(/\s+/g, ' '));
	if (found === null) return [];
	const [, a, sign, b, c, space = '', digits, minute = '', second = '', unit = '', zone = ''] = found;
	const isHalf = /m/i.test(unit);
	const hour = isHalf ? (Number(digits) % 12) + (/p/i.test(unit) ? 12 : 0) : Number(digits);
	const isClock = isHalf ? +digits >= 1 && +digits <= 12 : minute + unit !== '' || digits === undefined;
	if (!isClock || (second && second[0] !== minute[0])) return [];
	const time =
		digits && `T${String(hour).padStart(2, '0')}${minute || ':00'}${second}`.replace(/[.h]/gi, ':');
	// Luxon's formats have words in quotes.
	const word = (part: string) => part.replace(/\p{L}+\.?/u, "'$&'");
	const toMinute = `${word(space)}${isHalf ? 'h' : 'H'}${minute && `${word(minute[0])}mm`}`;
	const clock = `${toMinute}${second && `${second[0]}ss`}${isHalf ? unit.replace(/[ap]m/i, 'a') : word(unit)}`;
	const isLuxons = zone === '' && space !== 'T' && !unit.includes('.');
	return Object.entries(ORDERS).flatMap(([order, letters]) => {
		const [year, month, day] = ['y', 'M', 'd'].map((letter) => [a, b, c][letters.indexOf(letter)]);
		const isShort = year.length === 2 && order !== 'yearFirst' && sign !== '-';
		const iso = `${isShort ? '20' : ''}${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${time ?? ''}${zone}`;
		const date = [...letters].join(sign).replace('y', 'y'.repeat(year.length));
		const format = isLuxons ? date + (digits ? clock : '') : undefined;
		const written = readWrittenTime(iso);
		return written === undefined ? [] : [{ order, iso, written, format, isShort }];
	});
}

/** How the values of one item are read: `zone` is an IANA name, for times without an offset. */
export type ValueContext = {
	zone: string;
	isZoneChosen: boolean;
	slashDates: SlashDates;
	warnings: Warnings;
};

/** How a refused value was read; `parameter` gave it, e.g. `={{ $json.Start }}`. */
type How = Partial<ValueContext> & { parameter: unknown; isAutomatic?: boolean };

/** Characters of an expression or a value that a description repeats. */
const MAX_SOURCE = 500;

/** By codes: what a value is like, and the expressions, which keep all others; `$x` gave `$v`, `$1` is the pattern's group. */
const MENDS = ROWS.map(([codes, like, ...mends]) => ({ codes, like: new RegExp(like), mends }));

/** Dates with their month as a word, with and without a time, as Luxon's formats. */
const WITH_MONTH = ['MMMM d, yyyy', 'MMM d, yyyy', 'd MMMM yyyy', 'd MMM yyyy', 'd-MMM-yyyy'].flatMap(
	(date) => ['', ' h:mm a', ', h:mm a', " 'at' h:mm a", ' H:mm', ', H:mm'].map((time) => date + time),
);

/** The error of a value with the expressions that mend it, in its description. */
export function withMends(error: CodedError, value: unknown, how: How): CodedError {
	const { details, message, description } = error;
	const source = expressionOf(how.parameter);
	const mends = source === undefined ? [] : mendsOf(details.code, value, source, how);
	if (mends.length === 0) return error;
	const where = how.isAutomatic ? 'Or paste in Edit Fields, before this node:' : 'Or paste:';
	const facts = `${description} ${where} ${mends.map((mend) => `{{ ${mend} }}`).join(' or ')}`;
	return new CodedError({ code: details.code, message }, { field: details.field, facts });
}

/** The expression that gives a column of the input, e.g. `$json["Start time"]`. */
export function columnOf(column: string): string {
	return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(column) ? `$json.${column}` : `$json[${JSON.stringify(column)}]`;
}

/** What is between the braces of a parameter that consists of one expression. */
function expressionOf(parameter: unknown): string | undefined {
	const inner = /^=\s*\{\{((?:(?!\}\}).)*)\}\}\s*$/s.exec(String(parameter).slice(0, MAX_SOURCE))?.[1].trim();
	const isOne = inner && /^[\w$.?]+$/.test(inner.replace(/\[(["'])[^"'\]]*\1\]/g, ''));
	return isOne ? inner : inner && `(${inner})`;
}

function mendsOf(code: string, value: unknown, source: string, { zone, isZoneChosen, slashDates }: How) {
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
	if (text.length > MAX_SOURCE) return [];
	// With a chosen order, the expression would turn the other rows around.
	const isInFigures = code === 'year_short' || (code === 'date_order_unclear' && slashDates === 'refuse');
	const formats = isInFigures
		? datesOf(text).flatMap(({ format }) => format ?? [])
		: WITH_MONTH.filter((one) => code === 'time_invalid' && DateTime.fromFormat(text, one).isValid).slice(
				0,
				1,
			);
	if (formats.length > 0) {
		const inZone = isZoneChosen ? `, { zone: '${zone}' }` : '';
		return formats.map((format) => {
			const read = `DateTime.fromFormat(${source}, '${format.replaceAll("'", String.raw`\'`)}'${inZone})`;
			return `${read}.${/h/i.test(format) ? 'toISO()' : 'toISODate()'} ?? ${source}`;
		});
	}
	const { like, mends = [] } =
		MENDS.find((row) => row.codes.split(' ').includes(code) && row.like.test(text)) ?? {};
	const [, first = '', second = ''] = like?.exec(text) ?? [];
	const json = String(JSON.stringify(value)).replaceAll('<', String.raw`\u003c`);
	const parts: Record<string, string> = { x: source, v: json, 1: first, 2: second };
	return mends.map((mend) => mend.replace(/\$([xv12])/g, (_, part: string) => parts[part]));
}
