import type { ErrorTable } from '../shared/base/errors';

/** What is wrong with one value, by its label: each request replaces the attendees, so no advice may be to leave them out. */
export const INPUT_ERRORS = {
	field_missing: {
		message: '{field} is missing',
		advice: 'Every request needs it: check the expression that returns it.',
	},
	attendees_missing: {
		message: '{field} is missing',
		advice:
			'An update replaces all attendees: send everyone who should attend, or turn on Rep Only if no one else should. Rooms, people who declined and entries without an address do not count.',
	},
	customer_field_missing: {
		message: '{field} is missing',
		advice: 'A customer needs its ID and name. Send the whole customer: parts left out may be erased.',
	},
	recording_field_missing: {
		message: '{field} is missing',
		advice: 'A Media URL needs a Recording Type, and CALL_AUDIO_WITH_LOCATION also a Location.',
	},
	recording_type_invalid: {
		message: '{field} must be one of CALL_AUDIO, APPOINTMENT_AUDIO, CALL_AUDIO_WITH_LOCATION (it is {value})',
		advice: 'Choose one of them.',
	},
	status_missing: {
		message: '{field} says nothing (it is {value})',
		advice: 'Choose the column that has the status: without one, a row is neither booked nor deleted.',
	},
	status_empty: {
		message: '{field} is empty in every row',
		advice: 'Choose the column that has the status: without one, a row is neither booked nor deleted.',
	},
	status_unclear: {
		message: '{field} {value} may mean cancelled, but is not one of the Cancelled Words',
		advice:
			'If it cancels the appointment, add it to Cancelled Words. If not, let Status return another word, such as booked.',
	},
	status_without_word: {
		message: '{field} {value} does not say whether the appointment is cancelled',
		advice:
			'Add the value that cancels, such as true of isCancelled, to Cancelled Words: others of its kind then book. Or let Status return a word.',
	},
	text_invalid: {
		message: '{field} must be text or a number (it is {value})',
		advice: 'Map it to a single value.',
	},
	id_invalid: {
		message: '{field} must be an ID (it is {value})',
		advice: 'Use text or a whole number. One above 9007199254740991 has too many digits: send it as text.',
	},
	id_incomplete: {
		message: '{field} must be a whole ID (the expression gave {value})',
		advice: 'Correct the expression: a part of the ID is missing, so that different records would share it.',
	},
	event_id_unsendable: {
		message: '{field} cannot be part of an address (it is {value})',
		advice:
			'Check the expression that returns it: it is "." or "..", or was cut in the middle of a character.',
	},
	owner_invalid: {
		message: '{field} must be one email address (it is {value})',
		advice: "Map it to the rep's email address.",
	},
	attendees_invalid: {
		message: '{field} must be a list of email addresses (it is {value})',
		advice:
			'Use text such as "ana@example.com, bob@example.com", or a list without blank entries, e.g. the attendees of a calendar. People who are not in it are removed.',
	},
	attendee_unclear: {
		message: 'Attendee {value} must have exactly one email address',
		advice:
			'Map the addresses alone, e.g. $json.attendees.map(attendee => attendee.email), and keep everyone: each request replaces all attendees.',
	},
	attendee_invalid: {
		message: 'Attendee {value} is not an email address',
		advice: 'Correct it, e.g. to bob@example.com, and keep the others: each request replaces all attendees.',
	},
	placeholder_refused: {
		message: '{field} must have a value (the expression gave {value})',
		advice: 'Correct the expression: it found no value, and the service would keep this text.',
	},
	link_invalid: {
		message: '{field} must be a link (it is {value})',
		advice: 'Use a whole link such as https://media.example.com/call.mp3, or leave it empty.',
	},
	price_invalid: {
		message: '{field} must be a price (it is {value})',
		advice: 'Use a number such as 1200.5, with or without a currency, or leave it empty.',
	},
	price_unclear: {
		message: '{field} {value} is {readings}',
		advice: 'Send a number, or write the currency beside it.',
	},
	date_order_unclear: {
		message: '{field} {value} is {readings}',
		advice:
			'Choose the order of the column in Options → Slash Dates, and correct the rows that have another.',
	},
	year_short: {
		message: '{field} must have a year of four digits (it is {value})',
		advice: 'Write the whole year: it is {readings}.',
	},
	object_invalid: {
		message: '{field} must be an object or its JSON (it is {value})',
		advice: 'Use an object such as {"region": "north"}.',
	},
	number_inexact: {
		message: '{field} must not contain the number {value}',
		advice:
			'It has too many digits: send it as text, in quotes. If it is NaN or Infinity, correct the expression.',
	},
	time_zone_invalid: {
		message: '{field} must have a known time zone (it is {value})',
		advice: 'Use a name such as Europe/Berlin or W. Europe Standard Time, or UTC.',
	},
	whole_day: {
		message: '{field} must have a time of day (it is {value})',
		advice: 'Send a time, or choose Options → All-Day Events to send the start and end of the day.',
	},
} as const satisfies ErrorTable;

/** What an item lacks, and the headline of one with several unusable fields; `details.causes` has each with its code. */
export const ITEM_ERRORS = {
	new_field_missing: {
		message: '{field} is missing',
		advice: 'A new appointment needs {fields}. To change an existing one, use Update.',
	},
	required_fields_missing: { message: '{fields} are missing' },
	fields_refused: { message: '{fields} cannot be sent' },
} as const satisfies ErrorTable;

/** What the service's responses mean (D2 § Errors). Repeating the request helps with none of them. */
export const RESPONSE_ERRORS = {
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
			'Check the addresses: one of Attendee Emails ({attendees}) must belong to an active user, or Rep Email ({rep}) if there are none. The appointment is unchanged.',
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
