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
 * The instant of a date field; without an offset it is read as UTC, as D1 § ConversationsExport says of `date`.
 *
 * @returns milliseconds since 1970; NaN for anything but a date
 */
export function dateOf(row: unknown, field: 'date' | 'processedDate'): number {
	const value = fieldOf(row, field);
	if (typeof value !== 'string') return NaN;
	return Date.parse(OFFSET.test(value) ? value : `${value}Z`);
}

/**
 * When a conversation or errored recording was processed.
 *
 * @returns milliseconds since 1970; NaN without a date that has an offset
 */
export function processedAt(row: unknown): number {
	const value = fieldOf(row, 'processedDate');
	return typeof value === 'string' && OFFSET.test(value) ? Date.parse(value) : NaN;
}

/**
 * When a row appeared in its list: when it was processed, or for a recording that was not, when it ended.
 *
 * @returns milliseconds since 1970; NaN if unknown
 */
export function appearedAt(row: unknown): number {
	const isProcessed = (fieldOf(row, 'processedDate') ?? undefined) !== undefined;
	if (isProcessed) return processedAt(row);
	return dateOf(row, 'date') + Number(fieldOf(row, 'duration')) * 1000;
}
