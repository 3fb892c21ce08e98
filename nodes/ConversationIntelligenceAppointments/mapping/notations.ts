/** How people write prices and dates in figures: all that such a text can mean. */

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

/** The order of day and month in dates whose year comes last; by default, only dates that mean one thing are read. */
export type DateOrder = 'monthFirst' | 'dayFirst' | undefined;

/** A date in figures with one separator, a time of 24 hours or with AM and PM, and a zone. */
const DATE =
	/^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:(?:,? |T)(\d{1,2})(:\d{2})?(:\d{2}(?:\.\d+)?)?( ?[ap]m)?( ?[a-z+[-].*)?)?$/i;

/** What a date in figures means, as ISO 8601, by its order; none of them if its year has not four digits. */
type Dates = { yearFirst?: string; monthFirst?: string; dayFirst?: string };

/** Reads a date in figures, such as `3/14/2026 2:30 PM`; undefined for other text. Whether it exists is not judged. */
export function datesOf(text: string): Dates | undefined {
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

/** `14:30` for 14, `:30`, or for 2, `:30`, `PM`; undefined for an hour alone and for one that no clock has before AM or PM. */
function clockOf(hour: number, minutes: string, half: string): string | undefined {
	if (half === '' ? minutes === '' : hour < 1 || hour > 12) return undefined;
	const hours = half === '' ? hour : (hour % 12) + (/p/i.test(half) ? 12 : 0);
	return `${String(hours).padStart(2, '0')}${minutes || ':00'}`;
}
