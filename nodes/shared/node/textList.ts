import { jsonParse } from 'n8n-workflow';
import { assertLength, MAX_LIST } from '../base/codedError';

/** Text between two commas or line breaks; those do not separate inside quotes with which a part begins. */
const PART = /[ \t]*"(?:[^"]|"")*"[^,\r\n]*|[^,\r\n]+/g;

/** Quotes as phones and text editors write them, where a part begins. */
const CURLY = /((?:^|[,\r\n])[ \t]*)[“„]([^“”„"]*)[”“]/g;

const QUOTED = /^"((?:[^"]|"")*)"$/;

/**
 * Reads a list of names, IDs or addresses, as people and expressions write it: a list of text, its JSON, or text such as
 * `Lost, "Sold, financed"`.
 * @param field its label
 * @returns what is more than separators, without outer spaces and quotes; undefined for anything but text and lists of text
 * @throws CodedError for more than 50,000 characters
 */
export function textList(value: unknown, field: string): string[] | undefined {
	assertLength(value, field, MAX_LIST);
	const isJson = typeof value === 'string' && /^\s*\[/.test(value);
	const list = isJson ? jsonParse<unknown>(value, { fallbackValue: value }) : value;
	const texts: unknown =
		typeof list === 'string' ? (list.replace(CURLY, '$1"$2"').match(PART) ?? []).map(withoutQuotes) : list;
	if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string')) return undefined;
	for (const text of texts) assertLength(text, field, MAX_LIST);
	return texts.map((text) => text.trim()).filter((text) => /[^\s,;]/.test(text));
}

function withoutQuotes(part: string): string {
	return QUOTED.exec(part.trim())?.[1].replaceAll('""', '"') ?? part;
}
