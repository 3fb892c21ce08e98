import type { ErrorTable } from '../shared/errors/codedError';

/** What can go wrong in this node besides its requests. */
export const EXPORT_ERRORS = {
	list_incomplete: {
		message: 'Part of the range could not be read: {reason}',
		advice:
			'Run this operation again with Date Range Custom and the dates in details. Rows on its bounds can repeat.',
	},
} as const satisfies ErrorTable;
