import type { IDataObject } from 'n8n-workflow';
import { OTHER_FIELDS, type Column } from './columns';
import type { RowFormat } from './format';

export interface CsvOptions {
	/** Puts an apostrophe before text that a spreadsheet would run as a formula. */
	defuseFormulas?: boolean;
	/** Starts the file with a byte-order mark, by which older spreadsheets recognise UTF-8. */
	byteOrderMark?: boolean;
	/** A last column with the undocumented fields of a row, as JSON. */
	otherFields?: boolean;
}

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$|^$/;
const FORMULA = /^[=+\-@\t\r\n]/;

/**
 * CSV as RFC 4180 has it: a header line, CRLF at each line's end, quotes doubled. An absent or null value is an empty
 * cell, an empty text a quoted one. Lists and free-form objects are JSON.
 *
 * @param columns in this order, on each line
 */
export function csvFormat(columns: Column[], options: CsvOptions = {}): RowFormat {
	const documented = new Set(columns.map(({ path }) => path[0]));
	const names = [...columns.map(({ name }) => name), ...(options.otherFields ? [OTHER_FIELDS] : [])];
	const cellOf = (value: unknown) => cell(value, options.defuseFormulas ?? false);
	const mark = options.byteOrderMark ? '\uFEFF' : '';
	return {
		head: `${mark}${names.map(cellOf).join(',')}\r\n`,
		line(row) {
			const cells = columns.map(({ path }) => cellOf(valueAt(row, path)));
			if (options.otherFields) cells.push(cellOf(otherFields(row, documented)));
			return `${cells.join(',')}\r\n`;
		},
	};
}

function valueAt(row: IDataObject, path: string[]): unknown {
	let value: unknown = row;
	for (const key of path) {
		if (typeof value !== 'object' || value === null) return undefined;
		value = (value as IDataObject)[key];
	}
	return value;
}

function otherFields(row: IDataObject, documented: Set<string>): IDataObject | undefined {
	let others: IDataObject | undefined;
	for (const key of Object.keys(row)) {
		if (!documented.has(key)) (others ??= {})[key] = row[key];
	}
	return others;
}

function cell(value: unknown, defuse: boolean): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	const isText = typeof value === 'string';
	let text = isText ? value : JSON.stringify(value);
	if (defuse && isText && FORMULA.test(text)) text = `'${text}`;
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
