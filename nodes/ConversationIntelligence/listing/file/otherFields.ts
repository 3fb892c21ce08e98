import type { IDataObject } from 'n8n-workflow';
import type { Column } from './columns';

/** Name of the last column: what no other column holds, as JSON. */
export const OTHER_FIELDS = 'otherFields';

/** The keys that have columns: undefined for a cell, else those of the nested object. */
type Held = Map<string, Held | undefined>;

/**
 * Finds what the columns do not hold: undocumented fields at any depth, and what is there in place of a nested object.
 *
 * @returns a function from a row to those fields, nested as in the row; undefined when there are none
 */
export function otherFieldsOf(columns: Column[]): (row: IDataObject) => IDataObject | undefined {
	const held: Held = new Map();
	for (const { path } of columns) add(held, path);
	return (row) => withoutHeld(row, held);
}

function add(held: Held, [key, ...rest]: string[]): void {
	if (rest.length === 0) {
		held.set(key, undefined);
		return;
	}
	const below: Held = held.get(key) ?? new Map();
	held.set(key, below);
	add(below, rest);
}

function withoutHeld(row: IDataObject, held: Held): IDataObject | undefined {
	const entries: Array<[string, unknown]> = [];
	for (const key of Object.keys(row)) {
		const rest = held.has(key) ? restOf(row[key], held.get(key)) : row[key];
		if (rest !== undefined) entries.push([key, rest]);
	}
	// Unlike an assignment, this keeps a key named __proto__.
	return entries.length === 0 ? undefined : (Object.fromEntries(entries) as IDataObject);
}

function restOf(value: unknown, below: Held | undefined): unknown {
	if (below === undefined || value === null || value === undefined) return undefined;
	return isObject(value) ? withoutHeld(value, below) : value;
}

/** Whether a value has the form of a nested object, not of a list or a text. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
