import { z } from 'zod';
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../shared/base/text';
import { valueAt } from '../../shared/exportApi/rows';

export interface RowFormat {
	head: string;
	line(row: IDataObject): string;
}

/** The keys that lead to a column's value in a row; joined by dots they are its name, e.g. `user.email`. */
export type Column = string[];

interface CsvOptions {
	forExcel?: boolean;
	escapeFormulas?: boolean;
	/** Adds a last column, as JSON, with what no other column holds; nested columns always add it. */
	otherFields?: boolean;
}

/** Quotes around every delimiter that a spreadsheet may guess, whichever the file has. */
const NEEDS_QUOTES = /[",;\t\r\n\v\f\u0085\u2028\u2029]|^\s|\s$|^$/;
/** Blanks and invisible characters, which spreadsheets drop, then a sign, ASCII or full-width; or a tab or line break. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}\u2800\u3164]*[=+\-@＝＋－＠])/u;

/** Text that Excel would read as a number or a date, and change: `00501`, `1E5`, `3-14`, `2:30 PM`, `+1 (555) 010-42`, 18 digits. */
const LIKE_NUMBER = /^\s*[+(-]?[\d.,][\d\s.,:/()+%EAPM-]{0,200}$/i;

/** The columns of a schema, or of these fields: nested objects flattened with dots; lists and free-form objects stay one. */
export function columnsOf(schema: z.AnyZodObject, fields?: string[]): Column[] {
	const shape = schema.shape as z.ZodRawShape;
	const chosen = fields ?? Object.keys(shape);
	return chosen.flatMap((key) => (Object.hasOwn(shape, key) ? columnsBelow(shape[key], [key]) : [[key]]));
}

function columnsBelow(field: z.ZodTypeAny, path: Column): Column[] {
	if (field instanceof z.ZodNullable) return columnsBelow(field.unwrap() as z.ZodTypeAny, path);
	if (!(field instanceof z.ZodObject)) return [path];
	const shape = Object.entries(field.shape as z.ZodRawShape);
	return shape.flatMap(([key, inner]) => columnsBelow(inner, [...path, key]));
}

/** CSV as in RFC 4180, with semicolons for Excel: null is an empty cell, an empty text `""`, a list or a free-form object JSON. */
export function csvFormat(columns: Column[], options: CsvOptions = {}): RowFormat {
	const hasOthers = options.otherFields === true || columns.some((path) => path.length > 1);
	const held = hasOthers ? heldBy(columns) : undefined;
	const names = [...columns.map((path) => path.join('.')), ...(held ? ['otherFields'] : [])];
	const cellOf = (value: unknown) => cell(value, options);
	// The byte-order mark tells Excel that the file is UTF-8.
	const [mark, delimiter] = options.forExcel ? ['\uFEFF', ';'] : ['', ','];
	return {
		head: `${mark}${names.map(cellOf).join(delimiter)}\r\n`,
		line(row) {
			const cells = columns.map((path) => cellOf(valueAt(row, path)));
			if (held) cells.push(cellOf(restOf(row, held)));
			return `${cells.join(delimiter)}\r\n`;
		},
	};
}

function cell(value: unknown, { escapeFormulas, forExcel }: CsvOptions): string {
	if (value === null || value === undefined) return '';
	let text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	if (forExcel && typeof value === 'number') text = text.replace('.', ',');
	if (typeof value === 'string') {
		if (forExcel && LIKE_NUMBER.test(text)) text = `="${text}"`;
		else if (escapeFormulas && FORMULA.test(text)) text = `'${text}`;
	}
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The keys that have columns: undefined for a cell, else those of the nested object. */
type Held = Map<string, Held | undefined>;

function heldBy(paths: Column[]): Held {
	const held: Held = new Map();
	for (const [key, ...rest] of paths) {
		const below = paths.filter((path) => path[0] === key).map((path) => path.slice(1));
		held.set(key, rest.length === 0 ? undefined : heldBy(below));
	}
	return held;
}

/** What has no column, at any depth, also a value in place of a nested object; undefined when there is nothing. */
function restOf(value: unknown, held: Held | undefined): unknown {
	if (held === undefined || value === null) return undefined;
	if (!isObject(value)) return value;
	const rest = Object.entries(value)
		.map(([key, inner]) => [key, held.has(key) ? restOf(inner, held.get(key)) : inner])
		.filter(([, inner]) => inner !== undefined);
	// Unlike an assignment, this keeps a key named __proto__.
	return rest.length === 0 ? undefined : Object.fromEntries(rest);
}
