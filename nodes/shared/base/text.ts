import type { IDataObject } from 'n8n-workflow';

/** Whether a value is a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Control, format (bidirectional, zero-width) and line characters, and lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The first `max` UTF-16 units of a text, without half of a character at the end. */
export const cut = (text: string, max: number) =>
	text.length > max ? text.slice(0, max).replace(/[\ud800-\udbff]$/, '') : text;

/** Replaces half of a character (a lone surrogate) by `\ufffd`, because databases and parsers reject it. */
export const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** Does the same for every text and key of a JSON value. Returns the value itself if nothing is replaced. */
export function wellFormedData<Data>(data: Data): Data {
	// JSON.stringify writes only half of a character as an escape that begins with \ud.
	const json = JSON.stringify(data) ?? '';
	if (!/\\ud[89a-f]/.test(json)) return data;
	const whole = json.replace(/\\(?:ud[89a-f]..|.)/g, (escape) => (escape.length > 2 ? '\ufffd' : escape));
	return JSON.parse(whole) as Data;
}

/** Characters that stay: those of an emoji, and invisible characters that join Arabic or Indic letters. */
const JOINED = String.raw`(?:\p{ExtPict}|\p{EMod}|[\d#*](?=\ufe0f\u20e3))[\ufe0e\ufe0f]?(?:\u200d(?=\p{ExtPict}))?|(?<=[\p{sc=Arab}\p{M}])[\u200c\u200d](?=\p{L})`;
const INVISIBLE = new RegExp(String.raw`(${JOINED})|[\p{Cc}\p{Default_Ignorable_Code_Point}]`, 'gu');

/** A text as people see it: in NFC, without invisible characters, with single spaces and none outside. Letter case stays. */
export function normalized(text: string): string {
	const spaced = wellFormed(text).replace(/[^\S\ufeff]|[\u0085\u2800]/g, ' ');
	return spaced.replace(INVISIBLE, '$1').replace(/ +/g, ' ').trim().normalize('NFC');
}

/** The first character of a text that nobody sees: a control character such as a line break, or a zero-width one. */
export const invisibleIn = (text: string) =>
	Array.from(text.matchAll(INVISIBLE)).find(([, joined]) => joined === undefined)?.[0];

/** An ampersand that would start a character reference. */
const REFERENCE = /&(?=#|[a-z])/gi;

/** Text as HTML for a hint or an error's description, which n8n's editor shows as such; logs stay readable. */
export function escapeHtml(text: string): string {
	return text.replace(REFERENCE, '&amp;').replace(/</g, '&lt;').replace(/\n/g, '<br />');
}

/** A message with a full stop at its end. */
export const sentence = (message: string) => message.replace(/[.!?]?$/, (end) => end || '.');

/** A message as it goes on after a colon. */
export const lowerFirst = (message: string) => message.charAt(0).toLowerCase() + message.slice(1);

/** Makes data harmless in an error's message, which is read as text and which n8n's toast shows as HTML: without a tag. */
export function withoutTags(text: string): string {
	return text.replace(/<(?=[a-z/!?])/gi, '‹');
}

/** A text in one line for a log or a message, with escapes such as `\u202e` in place of what is invisible. */
export function plainText(text: string, max = 1000): string {
	const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const plain = text.slice(0, max + 1).replace(UNPRINTABLE, escape);
	return plain.length > max ? `${cut(plain, max)}…` : plain;
}

/** Maximum names in one sentence, and characters of one name. */
const MAX_NAMED = 10;
const MAX_NAME = 200;

/** The first names of a list that can be long, and how many more it has, e.g. `a, b and 3 more`. */
export function firstFew<Name>(
	names: Iterable<Name>,
	show: (name: Name) => string = String,
	separator = ', ',
): string {
	const all = [...names];
	const few = all.slice(0, MAX_NAMED).map((name) => plainText(show(name), MAX_NAME));
	const more = all.length - few.length;
	return `${few.join(separator)}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Links, also with escaped slashes or URL-encoded, and where their query begins. */
const LINK = /https?(?::(?:\\?\/){2}|%3a%2f%2f)[^\s"']*/gi;
const QUERY = /(\?|%3f).*/is;

/** The parameters by which object stores sign links: a whole name, read once, and then its value. */
const SIGNATURE =
	/((?<![a-z-])[a-z-]+(?:=|%3d)(?<=(?:x-(?:amz|goog)-[a-z-]+|signature|sig)(?:=|%3d)))[^\s"'&]+/gi;

/** Whether an object store signed a link, so that its query differs in each response. */
export function isPresigned(link: string): boolean {
	return link.search(SIGNATURE) >= 0;
}

/** Hides the queries of links, because a presigned one opens the file for anyone who reads it (D1 § Limits). */
export function hideQueries(text: string): string {
	return text.replace(LINK, (link) => link.replace(QUERY, '$1…')).replace(SIGNATURE, '$1…');
}

/** Maximum characters of a refused value that a message quotes, and that are searched for links before. */
const MAX_QUOTED = 100;
const MAX_SEARCHED_LENGTH = 10_000;

/** A value as a message quotes it, without the query of a link. */
export function quoted(value: unknown): string {
	const given = typeof value === 'string' ? value.slice(0, MAX_SEARCHED_LENGTH) : value;
	const isJson = typeof given === 'object' || typeof given === 'string';
	const text = (isJson ? JSON.stringify(given) : undefined) ?? String(given);
	return withoutTags(plainText(hideQueries(text.slice(0, MAX_SEARCHED_LENGTH)), MAX_QUOTED));
}
