import type { IDataObject } from 'n8n-workflow';
import type { Column } from './columns';
import type { RowFormat } from './format';
import { isObject, OTHER_FIELDS, otherFieldsOf } from './otherFields';

export interface CsvOptions {
	/** Adds an apostrophe before text that a spreadsheet would run as a formula. */
	defuseFormulas?: boolean;
	/** Starts the file with a byte-order mark, by which older spreadsheets recognise UTF-8. */
	byteOrderMark?: boolean;
	/** Adds a last column, as JSON, with what no other column holds; nested columns always bring it. */
	otherFields?: boolean;
}

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$|^$/;
const FORMULA = /^[=+\-@\t\r\n]/;

/**
 * CSV as in RFC 4180: a header line, CRLF at each line's end, quotes doubled. An absent or null value is an empty
 * cell, an empty text a quoted one. Lists and free-form objects are JSON. Nothing of a nested object is lost: what its
 * columns do not hold is in the last one.
 *
 * @param columns in this order, on each line
 */
export function csvFormat(columns: Column[], options: CsvOptions = {}): RowFormat {
	const hasOthers = options.otherFields === true || columns.some(({ path }) => path.length > 1);
	const otherFields = hasOthers ? otherFieldsOf(columns) : undefined;
	const names = [...columns.map(({ name }) => name), ...(otherFields ? [OTHER_FIELDS] : [])];
	const cellOf = (value: unknown) => cell(value, options.defuseFormulas ?? false);
	const mark = options.byteOrderMark ? '\uFEFF' : '';
	return {
		head: `${mark}${names.map(cellOf).join(',')}\r\n`,
		line(row) {
			const cells = columns.map(({ path }) => cellOf(valueAt(row, path)));
			if (otherFields) cells.push(cellOf(otherFields(row)));
			return `${cells.join(',')}\r\n`;
		},
	};
}

function valueAt(row: IDataObject, path: string[]): unknown {
	let value: unknown = row;
	for (const key of path) {
		if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
		value = value[key];
	}
	return value;
}

function cell(value: unknown, defuse: boolean): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	const isText = typeof value === 'string';
	let text = isText ? value : JSON.stringify(value);
	if (defuse && isText && FORMULA.test(text)) text = `'${text}`;
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
