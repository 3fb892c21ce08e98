/** How people write prices and dates: everything that such a text can mean. */
import { readWrittenTime } from '../../shared/base/time';
import type { Warnings } from '../itemWarnings';

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
