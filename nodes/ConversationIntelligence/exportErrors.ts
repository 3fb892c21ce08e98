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
		'Run this operation again with Date Range Custom and the dates in details. Rows on its bounds can repeat.',
	],
	link_refused: [
		'{defect}',
		"Links are opened only with https on the public internet, or at the Base URL's own host and port. For a name with a private address, an administrator of n8n can set N8N_SSRF_ALLOWED_HOSTNAMES.",
	],
	download_failed: ['The {file} could not be downloaded', '{advice}'],
	media_missing: [
		'The conversation has no {file}',
		"Check in your conversation service's web app whether it has one.",
	],
	media_is_web_page: [
		'The media host sent a web page instead of the {file}',
		'Check whether a proxy or a sign-in page answers in its place.',
	],
	file_not_stored: ['n8n could not store the {file}', 'Check n8n\'s binary storage, which says "{reason}".'],
	transcript_too_large: [
		'The transcript is larger than {limit} MB',
		'Set Return As of Download Transcript to JSON File.',
	],
	transcript_unreadable: [
		'The transcript is not a JSON list of words, as the API documentation describes it',
		'Set Return As of Download Transcript to JSON File to look at it.',
	],
	transcript_words_unknown: [
		'The text of a transcript entry was not found: it has the fields {fields}',
		'Set Return As of Download Transcript to Items or JSON File.',
	],
} as const satisfies ErrorTable;
