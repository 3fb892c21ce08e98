import type { ErrorTable } from '../base/codedErrors';

/** What can be wrong with a conversation's transcript or audio. */
export const MEDIA_ERRORS = {
	link_refused: [
		'{defect}',
		"Links are opened only with https on the public internet, or at the Base URL's own host and port. For a name with a private address, an administrator of n8n can set N8N_SSRF_ALLOWED_HOSTNAMES.",
	],
	download_failed: ['The {file} could not be downloaded', '{advice}'],
	media_missing: [
		'The conversation has no {file}',
		"Check in your conversation service's web app whether the conversation has this file.",
	],
	media_is_web_page: [
		'The media host sent a web page instead of the {file}',
		'Check whether a proxy or a sign-in page responds instead of the media host.',
	],
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
	speaker_unclear: [
		'Said By cannot be applied: it is not clear which speaker is the rep',
		"It is clear only if a speaker of the transcript has the rep's name. Remove Said By to get the passage.",
	],
} as const satisfies ErrorTable;
