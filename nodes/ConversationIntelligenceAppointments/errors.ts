import type { ErrorTable } from '../shared/errors/codedError';

/**
 * What can be wrong with the values of an item. `{field}` is a label of the panel. Each request replaces the attendees
 * (D2 § Attendee rules, 5), so that no advice may be to leave them out.
 */
export const INPUT_ERRORS = {
	field_missing: {
		message: '{field} is missing',
		advice: 'Every request needs it: check the expression that returns it.',
	},
	new_field_missing: {
		message: '{field} is missing',
		advice:
			'To change an existing appointment, choose the Update operation and send everyone who should attend: it removes the others.',
	},
	customer_field_missing: {
		message: '{field} is missing',
		advice: 'A customer needs its ID and name. Send the whole customer: parts left out may be erased.',
	},
	recording_type_missing: {
		message: 'Recording Type is missing',
		advice: 'A Media URL needs one of {types}.',
	},
	location_missing: {
		message: 'Location is missing',
		advice: 'Recording Type CALL_AUDIO_WITH_LOCATION needs it.',
	},
	fields_refused: { message: '{fields} {defect}' },
	attendee_invalid: {
		message: 'Attendee {value} is not an email address',
		advice: 'Correct it, e.g. to bob@example.com, and keep the others: each request replaces all attendees.',
	},
	owner_invalid: {
		message: '{field} {value} is not an email address',
		advice: 'Map it to the email address of the rep who owns the appointment.',
	},
	placeholder_refused: {
		message: '{field} must not be {value}, which is written in place of a missing value',
		advice: 'Correct the expression: the service could keep this text as a choice of the whole organization.',
	},
	number_impossible: {
		message: '{field} must not contain {value}',
		advice: 'Correct the expression that returns it: JSON has no such number, so null would be sent.',
	},
	number_loses_digits: {
		message: '{field} must not contain {value}, a number that loses digits',
		advice: 'Write numbers above 9007199254740991 as text, in quotes.',
	},
	field_not_clearable: {
		message: '{field} cannot be cleared',
		advice: 'Remove it from Fields to Clear.',
	},
	event_id_is_folder: {
		message: 'Event ID must not be "{value}", which means a folder in an address',
		advice: 'Nothing can be deleted by this ID: check the expression that returns it.',
	},
	event_id_cut: {
		message: 'Event ID must not contain half of a character (a lone surrogate)',
		advice: 'Check where the ID was cut: it cannot be URL-encoded.',
	},
} as const satisfies ErrorTable;

/** What the service's responses mean (D2 § Errors). Repeating the request helps with none of them. */
export const RESPONSE_ERRORS = {
	api_key_unmapped: {
		message: 'The service cannot process the request',
		advice: 'Check that the API key belongs to an active organization.',
	},
	owner_refused: {
		message: 'User Email is empty or not text',
		advice: 'Map User Email to the email address of the rep who owns the appointment.',
	},
	attendees_refused: {
		message: 'Attendee Emails is not a list of email addresses',
		advice: 'Supply everyone as a list, JSON, or text separated by commas, without blank entries.',
	},
	attendees_with_media: {
		message: 'Attendee Emails and Media URL cannot be sent together',
		advice:
			'Send Media URL without attendees first, then everyone who should attend without Media URL: the first request removes the other attendees, the second sets them again.',
	},
	appointment_refused: {
		message: 'The service does not accept the appointment',
		advice:
			'A new appointment needs Start Time, End Time, Title, Customer ID and Customer Name; a Media URL needs its Recording Type. Nothing was changed.',
	},
	attendees_unknown: {
		message: 'No attendee is a user of the service',
		advice:
			'Check the addresses: one of Attendee Emails ({attendees}) must belong to an active user, or User Email ({owner}) if there are none. The appointment is unchanged.',
	},
	event_id_refused: {
		message: 'The service does not accept this Event ID',
		advice: 'Use the original ID that your system sent.',
	},
	appointment_not_found: {
		message: 'No appointment has this Event ID',
		advice:
			"Check the Event ID: your own, not the service's internal ID, and of this key's organization. A match needs the appointment first; a delete accepts its absence with Treat Missing as Deleted.",
	},
	appointment_has_recording: {
		message: 'The appointment has a linked recording and cannot be deleted',
		advice: 'Keep the appointment.',
	},
	match_refused: {
		message: 'The service does not accept the match request',
		advice: 'Check Event ID and Conversation ID.',
	},
	conversation_not_found: {
		message: 'No conversation has this Conversation ID',
		advice: 'Check the Conversation ID. A conversation of another organization gives the same response.',
	},
	conversation_without_recording: {
		message: 'The conversation has no recording to link',
		advice:
			'Check the Conversation ID: a match needs a recorded conversation, and overwrites its earlier link.',
	},
	recording_gone: {
		message: "The conversation's recording could not be found to link",
		advice: 'Check the Conversation ID. Without its recording, the conversation cannot be linked.',
	},
} as const satisfies ErrorTable;

/** The headline for several refused fields. */
export const DEFECTS = { missing: 'are missing', refused: 'cannot be sent' };
