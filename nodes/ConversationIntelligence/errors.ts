import type { ErrorTable } from '../shared/base/errors';

export const EXPORT_ERRORS = {
	range_reversed: {
		message: 'To Date ({to}) must be after From Date ({from})',
		advice: 'Swap the two or widen the range. Nothing was requested.',
	},
	too_many_periods: {
		message: 'The range has {count} {unit}, but Split By makes at most {max} periods',
		advice: 'Shorten the range, or split by longer periods. Nothing was requested.',
	},
	fields_missing: {
		message: 'Choose at least one field in Fields',
		advice: 'An expression must return a list such as ["title", "user"].',
	},
	awaiting_upload_unprocessed: {
		message: 'Recordings that await their upload have no processed date',
		advice: 'Remove Awaiting Upload, or set Filter Dates By to Recording Time.',
	},
	list_incomplete: {
		message: 'Part of the range could not be read: {reason}',
		advice:
			'Run this operation again with Date Range Custom and the dates in details. Rows on its bounds can repeat.',
	},
	link_refused: {
		message: '{defect}',
		advice:
			"Links are opened only with https on the public internet, or at the Base URL's own host and port. For a name with a private address, an administrator of n8n can set N8N_SSRF_ALLOWED_HOSTNAMES.",
	},
	download_failed: { message: 'The {file} could not be downloaded', advice: '{advice}' },
	media_missing: { message: 'The conversation has no {file}' },
	media_is_web_page: {
		message: 'The media host sent a web page instead of the {file}',
		advice: 'Check whether a proxy or a sign-in page answers in its place.',
	},
	file_not_stored: {
		message: 'n8n could not store the {file}',
		advice: 'Check n8n\'s binary storage, which says "{reason}".',
	},
	transcript_too_large: {
		message: 'The transcript is larger than {limit} MB',
		advice: 'Use Download Transcript with Return As set to JSON File.',
	},
	transcript_unreadable: {
		message: 'The transcript is not a JSON list of words, as the API documentation describes it',
		advice: 'To look at it, set Return As of Download Transcript to JSON File.',
	},
	transcript_words_unknown: {
		message: 'The words of the transcript were not found: its entries have the fields {fields}',
		advice: 'Use Download Transcript with Return As set to Items or JSON File.',
	},
} as const satisfies ErrorTable;
