import { DateTime } from 'luxon';
import type { IBinaryData, IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { isObject, normalized } from '../../shared/base/text';
import type { DateRange } from '../../shared/exportApi/client';
import { valueAt } from '../../shared/exportApi/rows';
import type { Item, Option } from '../../shared/node/item';
import { collection } from '../../shared/node/resources';
import { outputField, storeFile } from '../downloads/binaryStorage';

const asFile = { displayOptions: { show: { outputAs: ['file'] } } };

const fileFormat = {
	displayName: 'File Format',
	name: 'fileFormat',
	type: 'options',
	...asFile,
	options: [
		{
			name: 'CSV',
			value: 'csv',
			description: 'With decimal points; nested fields become columns such as user.name',
		},
		{ name: 'CSV for Excel', value: 'csvForExcel', description: 'For countries that write 10,5' },
		{ name: 'NDJSON', value: 'ndjson', description: 'One JSON object per line, for warehouses and scripts' },
	],
	default: 'ndjson',
	description: 'How to write the rows',
} as const satisfies INodeProperties;

const compress = {
	displayName: 'Compress with Gzip',
	name: 'gzip',
	type: 'boolean',
	default: true,
	without: false,
	description: 'Whether to compress the file to about a tenth of its size',
} as const satisfies Option;

const escapeFormulas = {
	displayName: 'Escape Formulas',
	name: 'escapeFormulas',
	type: 'boolean',
	displayOptions: { show: { '/fileFormat': ['csv'] } },
	default: true,
	without: false,
	description: 'Whether to put an apostrophe before text that a spreadsheet would run as a formula',
} as const satisfies Option;

const fileName = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	without: '',
	placeholder: 'e.g. conversations.ndjson',
	description: 'Name of the file. Empty = made from the range.',
} as const satisfies Option;

const fileField = {
	...outputField,
	default: '',
	without: '',
	placeholder: 'e.g. report',
} as const satisfies Option;

export const fileProperties: INodeProperties[] = [
	fileFormat,
	collection('File Options', [compress, escapeFormulas, fileName, fileField], asFile),
];

/** How to write a list into a file; throws a CodedError that names an unusable option. */
export function readFileOptions(item: Item) {
	const chosen = item.value(fileFormat);
	const forExcel = chosen === 'csvForExcel';
	const format = forExcel ? 'csv' : chosen;
	const isCompressed = item.option(compress, 'fileOptions');
	return {
		format,
		forExcel,
		isCompressed,
		ending: isCompressed ? `${format}.gz` : format,
		escapeFormulas: forExcel || item.option(escapeFormulas, 'fileOptions'),
		fileName: item.option(fileName, 'fileOptions'),
		field: item.option(fileField, 'fileOptions') || outputField.default,
	};
}

export type FileOptions = ReturnType<typeof readFileOptions>;

const MIME_TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/** A row as one line: readers such as Node's also end a line at characters that JSON leaves as they are. */
export function ndjsonLine(row: IDataObject): string {
	const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return `${JSON.stringify(row).replace(/[\u0085\u2028\u2029]/g, escaped)}\n`;
}

/** Cells with these are quoted, because a spreadsheet may guess another delimiter than the file has. */
const NEEDS_QUOTES = /[",;\t\r\n\v\f\u0085\u2028\u2029]|^\s|\s$|^$/;
/** Blanks and invisible characters, which spreadsheets drop, then a sign, ASCII or full-width; or a tab or line break. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}\u2800\u3164]*[=+\-@＝＋－＠])/u;

/** Text that Excel would read as a number or a date, and change: `00501`, `1E5`, `3-14`, `2:30 PM`, `+1 (555) 010-42`, 18 digits. */
const LIKE_NUMBER = /^\s*[+(-]?[\d.,][\d\s.,:/()+%EAPM-]{0,200}$/i;

/** The columns of a schema, or of these fields: nested objects flattened with dots; lists and free-form objects stay one. */
export function columnsOf(schema: z.AnyZodObject, fields?: string[]): string[][] {
	const shape = schema.shape as z.ZodRawShape;
	const chosen = fields ?? Object.keys(shape);
	return chosen.flatMap((key) => (Object.hasOwn(shape, key) ? columnsBelow(shape[key], [key]) : [[key]]));
}

function columnsBelow(field: z.ZodTypeAny, path: string[]): string[][] {
	if (field instanceof z.ZodNullable) return columnsBelow(field.unwrap() as z.ZodTypeAny, path);
	if (!(field instanceof z.ZodObject)) return [path];
	const shape = Object.entries(field.shape as z.ZodRawShape);
	return shape.flatMap(([key, inner]) => columnsBelow(inner, [...path, key]));
}

/** How a file begins, and how each row is written. */
interface RowFormat {
	head: string;
	line(row: IDataObject): string;
}

type CsvOptions = Partial<FileOptions> & {
	/** Adds the column `otherFields`; nested columns always add it. */
	hasOthers?: boolean;
};

/**
 * CSV as in RFC 4180, with semicolons for Excel: null is an empty cell, an empty text `""`, a list or a free-form object JSON.
 * The last column, `otherFields`, has as JSON what no other column holds.
 * @param columns the keys that lead to each value in a row; joined by dots they are its name, e.g. `user.email`
 */
export function csvFormat(columns: string[][], options: CsvOptions = {}): RowFormat {
	const hasOthers = options.hasOthers === true || columns.some((path) => path.length > 1);
	const held = hasOthers ? heldBy(columns) : undefined;
	// The byte-order mark tells Excel that the file is UTF-8.
	const [mark, delimiter] = options.forExcel ? ['\uFEFF', ';'] : ['', ','];
	const lineOf = (values: unknown[]) => `${values.map((value) => cell(value, options)).join(delimiter)}\r\n`;
	return {
		head: mark + lineOf([...columns.map((path) => path.join('.')), ...(held ? ['otherFields'] : [])]),
		line: (row) =>
			lineOf([...columns.map((path) => valueAt(row, path)), ...(held ? [restOf(row, held)] : [])]),
	};
}

/** The keys that have columns: undefined for a cell, else those of the nested object. */
type Held = Map<string, Held | undefined>;

function heldBy(columns: string[][]): Held {
	const held: Held = new Map();
	for (const [key, ...rest] of columns) {
		const below = columns.filter((path) => path[0] === key).map((path) => path.slice(1));
		held.set(key, rest.length === 0 ? undefined : heldBy(below));
	}
	return held;
}

/** What has no column, at any depth, also a value in place of a nested object; undefined if there is nothing. */
function restOf(value: unknown, held: Held | undefined): unknown {
	if (held === undefined || value === null) return undefined;
	if (!isObject(value)) return value;
	const rest = Object.entries(value)
		.map(([key, inner]) => [key, held.has(key) ? restOf(inner, held.get(key)) : inner])
		.filter(([, inner]) => inner !== undefined);
	// Unlike an assignment, this keeps a key named __proto__.
	return rest.length === 0 ? undefined : Object.fromEntries(rest);
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

const encoder = new TextEncoder();

const ENDINGS = /(\.(csv|ndjson))?(\.gz)?$/i;
/** Bytes that file systems accept in a name. */
const MAX_NAME_BYTES = 255;

/**
 * The given name, or one of the kind of rows and the range: without invisible characters and line breaks, and never too
 * long for a file system. A name that the run has `used` gets a number.
 */
export function listFileName(
	given: string,
	ending: string,
	{ rowKind, range, zone }: { rowKind: string; range: DateRange; zone: string },
	used: Set<string>,
): string {
	const dates = [range.fromDate, range.toDate].map((date) => DateTime.fromISO(date, { zone }));
	const isWholeDays = dates.map((date) => date.toFormat('HHmm')).join() === '0000,2359';
	const format = isWholeDays ? 'yyyy-MM-dd' : "yyyy-MM-dd'T'HHmm";
	const made = [rowKind.replaceAll(' ', '-'), ...dates.map((date) => date.toFormat(format))].join('_');
	const base = (normalized(given) || made).replace(ENDINGS, '');
	let name = fileNameOf(base, `.${ending}`);
	for (let number = 2; used.has(name); number++) name = fileNameOf(base, `_${number}.${ending}`);
	used.add(name);
	return name;
}

function fileNameOf(base: string, end: string): string {
	const room = new Uint8Array(MAX_NAME_BYTES - end.length);
	return base.slice(0, encoder.encodeInto(base, room).read) + end;
}

/** Writes rows into a file of n8n's binary storage while they arrive; no more than a few are in memory. */
export async function storeRows(
	item: Item,
	batches: AsyncIterable<IDataObject[]>,
	rowFormat: RowFormat,
	name: string,
	{ isCompressed, format }: FileOptions,
): Promise<IBinaryData> {
	const bytes = fileBytes(batches, rowFormat);
	if (isCompressed) return await storeFile(item, 'list', gzip(bytes), name, 'application/gzip');
	return await storeFile(item, 'list', bytes, name, MIME_TYPES[format]);
}

/** Characters to collect before each write: enough to be fast, few enough to keep in memory. */
const CHUNK_LENGTH = 64 * 1024;

export async function* fileBytes(batches: AsyncIterable<IDataObject[]>, format: RowFormat) {
	let text = format.head;
	for await (const rows of batches) {
		for (const row of rows) {
			text += format.line(row);
			if (text.length < CHUNK_LENGTH) continue;
			yield encoder.encode(text);
			text = '';
		}
	}
	if (text !== '') yield encoder.encode(text);
}

export async function* gzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	const { readable, writable } = new CompressionStream('gzip');
	const writer = writable.getWriter();
	const writing = (async () => {
		try {
			for await (const chunk of source) {
				await writer.ready;
				await writer.write(chunk);
			}
			await writer.close();
		} catch (error) {
			// The reader gets the error through the readable side.
			await writer.abort(error).catch(() => {});
		}
	})();
	try {
		for await (const chunk of readable) yield chunk as Uint8Array;
	} finally {
		// A reader that stops early must not leave the writer waiting for room.
		await writer.abort().catch(() => {});
		await writing;
	}
}
