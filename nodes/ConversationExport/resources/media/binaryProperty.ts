import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

export const binaryProperty: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
};

/** @returns the field's name, `data` when it was left empty */
export function binaryPropertyName(context: IExecuteFunctions, itemIndex: number): string {
	return String(context.getNodeParameter('binaryPropertyName', itemIndex, 'data')).trim() || 'data';
}
