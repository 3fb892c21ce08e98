import type { ErrorTable } from '../shared/base/codedErrors';

export const EXPORT_ERRORS = {
	range_reversed: [
		'To Date ({to}) must be after From Date ({from})',
		'Swap the two or widen the range. Nothing was requested.',
	],
	too_many_periods: [
		'The range has {count} {unit}, but Split By makes at most {max} periods',
		'Shorten the range, or split by longer periods. Nothing was requested.',
	],
	fields_missing: [
		'Choose at least one field in Fields',
		'An expression must return a list such as ["title", "user"].',
	],
	list_incomplete: [
		'Part of the range could not be read: {reason}',
		'Run this operation again with Date Range Custom and the dates in details. Rows at the edges may be duplicates.',
	],
	file_not_stored: ['n8n could not store the {file}', 'Check n8n\'s binary storage, which says "{reason}".'],
} as const satisfies ErrorTable;
