import { jsonParse } from 'n8n-workflow';
import { codedError } from '../../shared/errors/codedError';
import { isObject } from '../../shared/node/isObject';
import { assertLength, quoted, refusedValue } from '../../shared/node/parameters';
import { INPUT_ERRORS } from '../errors';

/** Whether the user set nothing: without a value, the editor leaves empty text. */
export function isUnset(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/**
 * Text exactly as given; a number or a boolean, e.g. a numeric ID, becomes its text.
 *
 * @throws CodedError for an object or a list
 */
export function readText(value: unknown, label: string): string {
	if (typeof value === 'object' || Number.isNaN(value)) throw refusedText(value, label);
	return String(value);
}

/** What templates and other programs write in place of a missing value. */
const PLACEHOLDER = /^(undefined|null|nan|\[object Object\])?$/i;

/**
 * An ID exactly as given: spaces and letter case may be part of it. A whole number becomes its text.
 *
 * @throws CodedError for what is no ID: blank text, `undefined`, a number that has lost digits
 */
export function readId(value: unknown, label: string): string {
	assertLength(value, label);
	const isNumber = Number.isSafeInteger(value);
	if (isNumber || (typeof value === 'string' && !PLACEHOLDER.test(value.trim()))) return String(value);
	throw refusedValue({
		label,
		rule: 'an ID',
		value,
		advice:
			'Use text, or a whole number up to 9007199254740991: larger ones lose digits. Check the expression that returns it.',
	});
}

/**
 * Text without outer spaces: for values that create something on the service (D2 § Rules, 2).
 *
 * @throws CodedError for an object, a list, true or false, and for text such as `undefined`
 */
export function readTrimmedText(value: unknown, field: string): string {
	if (typeof value === 'boolean') throw refusedText(value, field);
	const text = readText(value, field).trim();
	if (!PLACEHOLDER.test(text)) return text;
	throw codedError(INPUT_ERRORS, 'placeholder_refused', { field, value: quoted(value) }, { field });
}

/** Signed links have some 2,000 characters. */
const MAX_LINK = 10_000;

/**
 * A link without outer spaces, otherwise exactly as given: a signed one must not change.
 *
 * @throws CodedError for text without a scheme, e.g. a file name: the service confirms it and then fetches nothing
 */
export function readLink(value: unknown, label: string): string {
	assertLength(value, label, MAX_LINK);
	const link = String(value).trim();
	if (typeof value === 'string' && /^[a-z][a-z\d+.-]+:\/\/\S+/i.test(link)) return link;
	throw refusedValue({
		label,
		rule: 'a link',
		value,
		advice: 'Use a whole link such as https://media.example.com/call.mp3, or leave it empty.',
	});
}

const refusedText = (value: unknown, label: string) =>
	refusedValue({ label, rule: 'text or a number', value, advice: 'Map it to a single value.' });

const PLAIN_NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * A price as a number (D2 § Limits, 4: a float with no currency code).
 *
 * @throws CodedError for a formatted string such as "$1,200.50"
 */
export function readPrice(value: unknown, label: string): number {
	assertLength(value, label);
	const isPlain = typeof value === 'string' && PLAIN_NUMBER.test(value.trim());
	const price = isPlain || typeof value === 'number' ? Number(value) : NaN;
	if (Number.isFinite(price)) return price;
	throw refusedValue({
		label,
		rule: 'a number',
		value,
		advice: 'Use a number such as 1200.5, without currency or thousands separators.',
	});
}

/**
 * Reads an object or its JSON text.
 *
 * @throws CodedError for anything else, and for an integer that has lost digits
 */
export function readObject(value: unknown, label: string): object {
	const object = typeof value === 'string' ? jsonParse<unknown>(value, { fallbackValue: null }) : value;
	if (!isObject(object)) {
		throw refusedValue({
			label,
			rule: 'an object or its JSON',
			value,
			advice: 'Use an object such as {"region": "north"}.',
		});
	}
	const unsafe = findLossyNumber(object);
	if (unsafe === undefined) return object;
	const code = Number.isFinite(unsafe) ? 'number_loses_digits' : 'number_impossible';
	throw codedError(INPUT_ERRORS, code, { field: label, value: unsafe }, { field: label });
}

function findLossyNumber(value: unknown): number | undefined {
	if (typeof value === 'number') {
		const isLossy = !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
		return isLossy ? value : undefined;
	}
	if (typeof value !== 'object' || value === null) return undefined;
	for (const one of Object.values(value)) {
		const found = findLossyNumber(one);
		if (found !== undefined) return found;
	}
	return undefined;
}
