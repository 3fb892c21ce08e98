import type { INodeProperties } from 'n8n-workflow';
import { DEFAULT_FIELD } from '../downloads/binaryProperty';

export const limitProperties: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: { show: { returnAll: [false] } },
		default: 50,
		description: 'Max number of results to return',
	},
];

export const outputProperties: INodeProperties[] = [
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{ name: 'File', value: 'file', description: 'One file with the rows, written while the pages arrive' },
			{ name: 'Items', value: 'items', description: 'One item for each row' },
		],
		default: 'items',
		description: 'Choose a file for large exports: memory stays flat',
	},
	{
		displayName: 'File Format',
		name: 'fileFormat',
		type: 'options',
		displayOptions: { show: { output: ['file'] } },
		options: [
			{
				name: 'CSV',
				value: 'csv',
				description: 'A table for spreadsheets: nested fields as columns with dots',
			},
			{ name: 'NDJSON', value: 'ndjson', description: 'One JSON object a line, for warehouses and scripts' },
		],
		default: 'ndjson',
		description: 'How the rows are written',
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: false,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
];

const file = { show: { '/output': ['file'] } };
const csv = { show: { '/output': ['file'], '/fileFormat': ['csv'] } };

/** Options of a file; each shows only where it works. */
export const fileOptions: INodeProperties[] = [
	{
		displayName: 'Byte-Order Mark',
		name: 'byteOrderMark',
		type: 'boolean',
		displayOptions: csv,
		default: false,
		description: 'Whether to start the file with a mark by which older spreadsheets recognize UTF-8',
	},
	{
		displayName: 'Compress with Gzip',
		name: 'gzip',
		type: 'boolean',
		displayOptions: file,
		default: false,
		description: 'Whether to compress the file, to about a tenth',
	},
	{
		displayName: 'Defuse Formulas',
		name: 'defuseFormulas',
		type: 'boolean',
		displayOptions: csv,
		default: false,
		description:
			'Whether to put an apostrophe before text that a spreadsheet would run as a formula (starting with =, +, -, @, a tab or a line break)',
	},
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		displayOptions: file,
		default: '',
		placeholder: 'e.g. conversations.ndjson',
		description: 'Name of the file. Empty means one made from the kind of rows and the range.',
	},
	{
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		displayOptions: file,
		default: DEFAULT_FIELD,
		hint: 'The name of the output binary field to put the file in',
	},
];

/** @param fields documented names, in the document's order */
export function fieldsOption(fields: string[]): INodeProperties {
	return {
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		displayOptions: { show: { '/simplify': [false] } },
		options: fields.map((field) => ({ name: field, value: field })),
		default: [],
		description: 'Only these fields of each row; none means all',
	};
}

/** Pages under way at once at most, unless the user chooses fewer. */
export const MOST_REQUESTS = 20;

/** Options of the lists that are read page by page. */
export const pagedOptions: INodeProperties[] = [
	{
		displayName: 'If the List Keeps Changing',
		name: 'onUnsettled',
		type: 'options',
		options: [
			{ name: 'Fail', value: 'fail', description: 'Output nothing and show an error' },
			{ name: 'Warn', value: 'warn', description: 'Output the rows and show a hint' },
		],
		default: 'warn',
		description: 'What to do when more than 50 rows with the same date change while they are read',
	},
	{
		displayName: 'Max Parallel Requests',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MOST_REQUESTS },
		default: MOST_REQUESTS,
		description:
			'How many pages to request at once at most. The node sends fewer when the service slows down.',
	},
	{
		displayName: 'On Failure',
		name: 'onFailure',
		type: 'options',
		options: [
			{
				name: 'Output What Was Read',
				value: 'outputRead',
				description: 'Output the complete part; the last item says what is missing and how to get it',
			},
			{ name: 'Stop', value: 'stop', description: 'Output nothing and show an error' },
		],
		default: 'stop',
		description: 'What to do when a page cannot be read after all retries',
	},
];
