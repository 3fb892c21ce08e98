import { isObject } from '../node/isObject';
import { ARRAYS, type ArrayName } from './exportPages';

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
 * The instant of a date field. `date` is UTC (D1 § ConversationsExport); `processedDate` is unknown without an offset.
 *
 * @returns milliseconds since 1970; NaN for anything but a known instant
 */
export function dateOf(row: unknown, field: 'date' | 'processedDate'): number {
	const value = fieldOf(row, field);
	if (typeof value !== 'string') return NaN;
	if (OFFSET.test(value)) return Date.parse(value);
	return field === 'date' ? Date.parse(`${value}Z`) : NaN;
}

/**
 * When a conversation or errored recording was processed, and so appeared in its list. A recording that awaits its
 * upload has no such time: its device can come online whenever it likes.
 *
 * @returns milliseconds since 1970; NaN if unknown
 */
export function processedAt(row: unknown): number {
	return dateOf(row, 'processedDate');
}
