import { jsonParse, UserError } from 'n8n-workflow';
import { isObject } from '../../shared/node/isObject';

/** Whether the user set nothing: without a value, the editor leaves empty text. */
export function isUnset(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/**
 * Text exactly as given; a number or a boolean, e.g. a numeric ID, becomes its text.
 *
 * @throws UserError for an object or a list
 */
export function readText(value: unknown, label: string): string {
	if (typeof value === 'object') {
		throw new UserError(`${label} is ${Array.isArray(value) ? 'a list' : 'an object'}, not text`, {
			description: 'Map it to text or a number.',
		});
	}
	return String(value);
}

/** Text without outer spaces: for values that create something on the service (D2 § Rules, 2). */
export function readTrimmedText(value: unknown, label: string): string {
	return readText(value, label).trim();
}

/** @throws UserError for anything but text (D2 § Errors, `user_email`) */
export function readUserEmail(value: unknown, label: string): string {
	if (typeof value === 'string') return value;
	throw new UserError(`${label} is ${JSON.stringify(value)}, not text`, {
		description: 'Map it to the email address of the rep who owns the appointment.',
	});
}

/**
 * A price as a number (D2 § Limits, 4: a float with no currency code).
 *
 * @throws UserError for a formatted string such as "$1,200.50"
 */
export function readPrice(value: unknown, label: string): number {
	const isPlain = typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value);
	const price = isPlain || typeof value === 'number' ? Number(value) : NaN;
	if (Number.isFinite(price)) return price;
	throw new UserError(`${label} is ${JSON.stringify(value)}, not a number`, {
		description: 'Use a number such as 1200.5, without currency or thousands separators.',
	});
}

/**
 * Reads an object or its JSON text.
 *
 * @throws UserError for anything else
 */
export function readObject(value: unknown, label: string): object {
	const object = typeof value === 'string' ? jsonParse<unknown>(value, { fallbackValue: null }) : value;
	if (isObject(object)) return object;
	throw new UserError(`${label} is not an object`, {
		description: 'Use an object or its JSON, e.g. {"region": "north"}.',
	});
}
