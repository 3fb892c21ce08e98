import { isObject } from '../node/isObject';
import { ARRAYS, type ArrayName } from './conversationPages';

/** A field of a row; undefined if the row is not an object. */
function fieldOf(row: unknown, name: string): unknown {
	return isObject(row) ? row[name] : undefined;
}

/** Makes a function that reads the ID of rows of these arrays; undefined for a row without one. */
export function idReader(arrays: ArrayName[]): (row: unknown) => string | undefined {
	const fields = [...new Set(arrays.map((name) => ARRAYS[name].id))];
	return (row) => {
		for (const field of fields) {
			const id = fieldOf(row, field);
			if (typeof id === 'string' && id !== '') return id;
		}
		return undefined;
	};
}

const OFFSET = /(z|[+-]\d{2}:?\d{2})$/i;

/**
 * The instant of a date field; without an offset, it is taken as UTC, as `date` is (D1 § ConversationsExport).
 *
 * @returns milliseconds since 1970; NaN for anything but a date
 */
export function dateOf(row: unknown, field: 'date' | 'processedDate'): number {
	const value = fieldOf(row, field);
	if (typeof value !== 'string') return NaN;
	return Date.parse(OFFSET.test(value) ? value : `${value}Z`);
}

/**
 * When a conversation or errored recording was processed, and so appeared in its list. A recording that awaits its
 * upload has no such time: its device can come online whenever it likes.
 *
 * @returns milliseconds since 1970; NaN if unknown, as without an offset
 */
export function processedAt(row: unknown): number {
	const value = fieldOf(row, 'processedDate');
	return typeof value === 'string' && OFFSET.test(value) ? Date.parse(value) : NaN;
}
