import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

/** Field of the item for a file, when the user names none. */
export const DEFAULT_FIELD = 'data';

/** In which field of the item a file is put. */
export const binaryProperty: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: DEFAULT_FIELD,
	hint: 'The name of the output binary field to put the file in',
};

/** @returns the field's name as the item's parameter says */
export function binaryPropertyName(context: IExecuteFunctions, itemIndex: number): string {
	return fieldName(context.getNodeParameter('binaryPropertyName', itemIndex, DEFAULT_FIELD));
}

/**
 * @param given what was entered, if anything
 * @returns the field's name, `data` when it was left empty
 */
export function fieldName(given: unknown): string {
	return String(given ?? '').trim() || DEFAULT_FIELD;
}
