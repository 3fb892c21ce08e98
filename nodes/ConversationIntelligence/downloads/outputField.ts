import type { INodeProperties } from 'n8n-workflow';
import { typedValue } from '../../shared/node/parameters';

/** The item's field for a file. */
export const outputField = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
} as const satisfies INodeProperties;

/**
 * The name of the item's field for a file; `data` when it is empty.
 *
 * @throws CodedError for anything but text
 */
export function outputFieldOf(given: unknown): string {
	return typedValue(given, outputField) || 'data';
}
