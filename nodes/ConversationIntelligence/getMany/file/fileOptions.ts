import type { INodeProperties } from 'n8n-workflow';
import type { Item } from '../../../shared/node/item';
import { outputField } from '../../downloads/storeMedia';

const fileFormat = {
	displayName: 'File Format',
	name: 'fileFormat',
	type: 'options',
	displayOptions: { show: { outputAs: ['file'] } },
	options: [
		{
			name: 'CSV',
			value: 'csv',
			description: 'A table with commas and decimal points, nested fields as columns with dots',
		},
		{
			name: 'CSV for Excel',
			value: 'csvForExcel',
			description: 'With semicolons, decimal commas and escaped formulas, for countries that write 10,5',
		},
		{ name: 'NDJSON', value: 'ndjson', description: 'One JSON object per line, for warehouses and scripts' },
	],
	default: 'ndjson',
	description: 'How to write the rows',
} as const satisfies INodeProperties;

const gzip = {
	displayName: 'Compress with Gzip',
	name: 'gzip',
	type: 'boolean',
	default: false,
	description: 'Whether to compress the file, to about a tenth',
} as const satisfies INodeProperties;

const escapeFormulas = {
	displayName: 'Escape Formulas',
	name: 'escapeFormulas',
	type: 'boolean',
	displayOptions: { show: { '/fileFormat': ['csv'] } },
	default: false,
	description: 'Whether to put an apostrophe before text that a spreadsheet would run as a formula',
} as const satisfies INodeProperties;

const fileName = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. conversations.ndjson',
	description: 'Name of the file. Empty = made from the range.',
} as const satisfies INodeProperties;

export const fileProperties: INodeProperties[] = [
	fileFormat,
	{
		displayName: 'File Options',
		name: 'fileOptions',
		type: 'collection',
		placeholder: 'Add option',
		displayOptions: { show: { outputAs: ['file'] } },
		default: {},
		options: [gzip, escapeFormulas, fileName, outputField],
	},
];

/** How to write a list into a file; throws a CodedError that names an unusable option. */
export function readFileOptions(item: Item) {
	const option = <const Property extends INodeProperties>(property: Property) =>
		item.option(property, 'fileOptions');
	const chosen = item.value(fileFormat);
	const forExcel = chosen === 'csvForExcel';
	return {
		format: forExcel ? 'csv' : chosen,
		forExcel,
		gzip: option(gzip),
		escapeFormulas: forExcel || option(escapeFormulas),
		/** Empty for one made from the range. */
		fileName: option(fileName),
		field: option(outputField) || outputField.default,
	};
}

export type FileOptions = ReturnType<typeof readFileOptions>;
