import { UserError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

/** The item's field for a file, when the user names none. */
export const DEFAULT_FIELD = 'data';

/** The item's field for a file. */
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
 * @throws UserError for anything but a text
 */
export function fieldName(given: unknown): string {
	if (given === undefined) return DEFAULT_FIELD;
	if (typeof given === 'string') return given.trim() || DEFAULT_FIELD;
	throw new UserError(`Put Output File in Field is ${JSON.stringify(given)}`, {
		description: `Use the name of a field, such as ${DEFAULT_FIELD}.`,
	});
}
