import type { INodeProperties } from 'n8n-workflow';

/** The item's field for a file. */
export const outputField = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
} as const satisfies INodeProperties;
