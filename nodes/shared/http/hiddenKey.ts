import { isObject } from '../base/text';

/** Shorter keys are not hidden, because they could be words. */
const MIN_LENGTH = 8;
/** Characters of a key that are recognized; the rest of a longer key goes with them. */
const MAX_RECOGNIZED = 40;
const REST = String.raw`[^\s"'<>]*`;

/** ASCII characters as JSON may write them. */
const ESCAPED = /\\u00([2-7][\da-f])/gi;

/**
 * Makes a function that hides an API key in a text or in the values of a JSON text, however its characters are escaped.
 * @returns the text with `***` in place of the key; JSON stays JSON
 */
export function keyHider(key: string): (text: string) => string {
	if (key.length < MIN_LENGTH) return (text) => text;
	const characters = [...key.slice(0, MAX_RECOGNIZED)].map(anyForm).join('');
	const form = new RegExp(characters + (key.length > MAX_RECOGNIZED ? REST : ''), 'g');
	const hide = (text: string) => text.replace(form, '***');
	return (text) => {
		const plain = text.replace(ESCAPED, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)));
		if (plain.search(form) < 0) return text;
		try {
			return JSON.stringify(JSON.parse(text, (_, value: unknown) => changed(value, hide)));
		} catch {
			return hide(plain);
		}
	};
}

function changed(value: unknown, change: (text: string) => string): unknown {
	if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [change(k), v]));
	if (typeof value === 'object') return value;
	const text = String(value);
	return change(text) === text ? value : change(text);
}

/** The forms that JSON, JavaScript, a URL and HTML have for an ASCII character, also one in the other, e.g. `%252B`. */
function anyForm(character: string): string {
	const code = character.charCodeAt(0);
	const hex = code.toString(16).replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
	const plain = character.replace(/\W/, String.raw`\$&`);
	const name = /[a-z\d]/i.test(character) ? '' : '|[a-zA-Z]{2,9}';
	return [
		String.raw`(?:(?:\\{1,4}|%(?:25)*5[cC])(?:u\{?0{0,6}${hex}\}?|x${hex}|${plain})`,
		String.raw`%(?:25)*(?:u00)?${hex}`,
		String.raw`(?:&|%(?:25)*26)(?:amp;)*(?:(?:#|%(?:25)*23)(?:0*${code}|[xX]0*${hex})${name})(?:;|%(?:25)*3[bB])?`,
		`${plain})`,
	].join('|');
}
