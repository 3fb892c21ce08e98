import type { INodeParameters } from 'n8n-workflow';

/** The value of Columns as the editor stores it when fields are filled one by one. */
export const mappedByHand = (value: object) =>
	({ mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] }) as unknown as INodeParameters;

/** The value of Columns with automatic mapping. */
export const MAPPED_AUTOMATICALLY: INodeParameters = {
	mappingMode: 'autoMapInputData',
	value: null,
	matchingColumns: [],
	schema: [],
};
