import type { ErrorTable } from '../errors/codedError';

/** What can be wrong with a parameter of any node. `{field}` is its label. */
export const PARAMETER_ERRORS = {
	value_invalid: { message: '{field} must be {rule} (it is {value})' },
	expression_empty: { message: 'The expression for {field} returned nothing', advice: '{advice}' },
	value_too_long: {
		message: '{field} is too long: {length} characters, at most {limit}',
		advice: 'Correct the expression, or enter a shorter value.',
	},
	items_refused: {
		message: '{count} of {items} items were refused: {first}',
		advice: 'All refused items: {named}.',
	},
	operation_unknown: {
		message: 'There is no operation "{operation}" for the resource "{resource}"',
		advice: 'Choose the resource and the operation again in the node.',
	},
} as const satisfies ErrorTable;
