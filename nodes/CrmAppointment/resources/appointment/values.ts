import { UserError } from 'n8n-workflow';
import { APPOINTMENT_REFUSALS } from '../../../shared/contract';

/** Whether the user set nothing: the editor and the mapper leave empty text where no value was entered. */
export function isUnset(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || value === '';
}

/**
 * Text exactly as given; a number or a boolean, e.g. a numeric ID, becomes its text.
 *
 * @throws UserError for an object or a list
 */
export function readText(value: unknown, field: string): string {
	if (typeof value === 'object') {
		throw new UserError(`${field} must be text, not ${Array.isArray(value) ? 'a list' : 'an object'}`);
	}
	return String(value);
}

/**
 * A price as a number (D2 § Limits, 4: a float with no currency code).
 *
 * @throws UserError for a formatted string such as "$1,200.50"
 */
export function readPrice(value: unknown, field: string): number {
	const isPlain = typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value);
	const price = isPlain || typeof value === 'number' ? Number(value) : NaN;
	if (Number.isFinite(price)) return price;
	throw new UserError(
		`${field} must be a number such as 1200.5, without currency or thousands separators, not ${JSON.stringify(value)}`,
	);
}

/**
 * The attendee list from an array, a JSON array, or text separated by commas, semicolons or line breaks; addresses
 * are trimmed, as the service does (D2 § Attendee rules, 2). Text without an address counts as unset.
 *
 * @returns the whole list; an explicit empty array stays one; undefined leaves the field out
 * @throws UserError in the document's words for anything else
 */
export function readAttendees(value: unknown): unknown[] | undefined {
	const list = typeof value === 'string' ? splitList(value) : value;
	if (!Array.isArray(list)) {
		if (list === undefined) return undefined;
		throw new UserError(APPOINTMENT_REFUSALS.attendees);
	}
	return list.map((entry) => (typeof entry === 'string' ? entry.trim() : entry));
}

function splitList(text: string): unknown {
	if (/^\s*[[{]/.test(text)) return parseJson(text);
	const entries = text.split(/[,;\r\n]/).filter((entry) => entry.trim() !== '');
	return entries.length === 0 ? undefined : entries;
}

/** Broken JSON comes back as null, which no field takes. */
function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/**
 * An object, or its JSON text.
 *
 * @throws UserError for anything else
 */
export function readObject(value: unknown, field: string): object {
	const object = typeof value === 'string' ? parseJson(value) : value;
	if (typeof object === 'object' && object !== null && !Array.isArray(object)) return object;
	throw new UserError(`${field} must be an object or its JSON, e.g. {"region": "north"}`);
}
