import type { ErrorTable } from '../base/codedError';

/** What can be wrong with the items or the operation of any node. */
export const OPERATION_ERRORS = {
	items_refused: {
		message: '{count} of {items} items were refused: {first}',
		advice: '{rows}',
	},
	operation_unknown: {
		message: 'There is no operation "{operation}" for the resource "{resource}"',
		advice: 'Choose the resource and the operation again in the node.',
	},
} as const satisfies ErrorTable;
