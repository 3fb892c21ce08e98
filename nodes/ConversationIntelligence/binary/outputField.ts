import type { INodeProperties } from 'n8n-workflow';
import { textOf } from '../../shared/parameters';

/** The item's field for a file. */
export const outputField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
};

/** @throws UserError for anything but text; empty text means `data` */
export function outputFieldOf(given: unknown): string {
	return textOf(given, outputField.displayName) || 'data';
}
