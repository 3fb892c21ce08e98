import type { INodeProperties } from 'n8n-workflow';
import { textOf } from '../../shared/parameters';

const DEFAULT_FIELD = 'data';

/** The item's field for a file. */
export const outputField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: DEFAULT_FIELD,
	hint: 'The name of the output binary field to put the file in',
};

/**
 * @param given value of {@link outputField}
 * @returns the field's name, `data` when it was left empty
 * @throws UserError for anything but text
 */
export function outputFieldOf(given: unknown): string {
	return textOf(given, outputField.displayName) || DEFAULT_FIELD;
}
