import type { INodeProperties } from 'n8n-workflow';
import { textOf } from '../../shared/node/parameters';

/** The item's field for a file. */
export const outputField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
};

/**
 * The name of the item's field for a file; `data` when it is empty.
 *
 * @throws UserError for anything but text
 */
export function outputFieldOf(given: unknown): string {
	return textOf(given, outputField.displayName) || 'data';
}
