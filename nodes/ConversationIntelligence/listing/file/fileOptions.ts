import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { booleanOf, choiceOf, entryOf, textOf } from '../../../shared/node/parameters';
import { outputField, outputFieldOf } from '../../binary/outputField';

const csvOnly = { show: { '/fileFormat': ['csv'] } };

/** The parameters of a file, shown only for one. */
export const fileProperties: INodeProperties[] = [
	{
		displayName: 'File Format',
		name: 'fileFormat',
		type: 'options',
		displayOptions: { show: { outputAs: ['file'] } },
		options: [
			{
				name: 'CSV',
				value: 'csv',
				description: 'A table for spreadsheets, nested fields as columns with dots',
			},
			{
				name: 'NDJSON',
				value: 'ndjson',
				description: 'One JSON object per line, for warehouses and scripts',
			},
		],
		default: 'ndjson',
		description: 'How to write the rows',
	},
	{
		displayName: 'File Options',
		name: 'fileOptions',
		type: 'collection',
		placeholder: 'Add option',
		displayOptions: { show: { outputAs: ['file'] } },
		default: {},
		options: [
			{
				displayName: 'Byte-Order Mark',
				name: 'byteOrderMark',
				type: 'boolean',
				displayOptions: csvOnly,
				default: false,
				description: 'Whether to mark the file as UTF-8 for older Excel',
			},
			{
				displayName: 'Compress with Gzip',
				name: 'gzip',
				type: 'boolean',
				default: false,
				description: 'Whether to compress the file, to about a tenth',
			},
			{
				displayName: 'Escape Formulas',
				name: 'escapeFormulas',
				type: 'boolean',
				displayOptions: csvOnly,
				default: false,
				description: 'Whether to put an apostrophe before text that a spreadsheet would run as a formula',
			},
			{
				displayName: 'File Name',
				name: 'fileName',
				type: 'string',
				default: '',
				placeholder: 'e.g. conversations.ndjson',
				description: 'Name of the file. Empty = made from the range.',
			},
			outputField,
		],
	},
];

/**
 * How to write a list into a file: the values of File Format and File Options.
 *
 * @throws UserError that names the unusable option
 */
export function readFileOptions(format: unknown, options: IDataObject) {
	const isOn = (name: string, label: string) => booleanOf(entryOf(options, name, false), label);
	return {
		format: choiceOf(format, 'File Format', ['csv', 'ndjson']),
		byteOrderMark: isOn('byteOrderMark', 'Byte-Order Mark'),
		gzip: isOn('gzip', 'Compress with Gzip'),
		escapeFormulas: isOn('escapeFormulas', 'Escape Formulas'),
		/** Empty for one made from the range. */
		fileName: textOf(entryOf(options, 'fileName', ''), 'File Name'),
		/** The item's field for the file. */
		field: outputFieldOf(entryOf(options, outputField.name, outputField.default)),
	};
}

export type FileOptions = ReturnType<typeof readFileOptions>;
