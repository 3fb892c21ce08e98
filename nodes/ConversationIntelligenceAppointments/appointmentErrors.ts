/** What is wrong with an item, and what a response means. */
import type { ErrorTable } from '../shared/base/codedErrors';

/** What is wrong with one value, by its label: each request replaces the attendees, so no advice may be to leave them out. */
export const INPUT_ERRORS = {
	field_missing: ['{field} is missing', 'Every request needs it: check the expression that returns it.'],
	attendees_missing: [
		'{field} is missing',
		'An update replaces all attendees: send everyone who should attend, or turn on Rep Only if no one else should. Rooms, people who declined and entries without an address do not count.',
	],
	customer_field_missing: [
		'{field} is missing',
		'A customer needs its ID and name. Send the whole customer: parts left out may be erased.',
	],
	recording_field_missing: [
		'{field} is missing',
		'A Media URL needs a Recording Type, and CALL_AUDIO_WITH_LOCATION also a Location.',
	],
	recording_type_invalid: [
		'{field} must be one of CALL_AUDIO, APPOINTMENT_AUDIO, CALL_AUDIO_WITH_LOCATION (it is {value})',
		'Choose one of them.',
	],
	status_missing: [
		'{field} has no value (it is {value})',
		'Choose the column that has the status, or correct the row. Without a status, nothing is booked or deleted.',
	],
	status_unknown: [
		'{field} {value} is in neither Cancelled Statuses nor Booked Statuses',
		'Add it to Cancelled Statuses to delete the appointment, or to Booked Statuses to book it. * in Booked Statuses books every status that does not cancel.',
	],
	status_in_both: [
		'{field} {value} is in Cancelled Statuses and in Booked Statuses',
		'Remove it from one of the two lists.',
	],
	text_invalid: ['{field} must be text or a number (it is {value})', 'Map it to a single value.'],
	id_invalid: [
		'{field} must be an ID (it is {value})',
		'Use text or a whole number. One above 9007199254740991 has too many digits: send it as text.',
	],
	id_incomplete: [
		'{field} must be a whole ID (the expression gave {value})',
		'Correct the expression: a part of the ID is missing, so that different records would share it.',
	],
	event_id_unsendable: [
		'{field} cannot be part of an address (it is {value})',
		'Check the expression that returns it: it is "." or "..", or was cut in the middle of a character.',
	],
	owner_invalid: ['{field} must be one email address (it is {value})', "Map it to the rep's email address."],
	attendees_invalid: [
		'{field} must be a list of email addresses (it is {value})',
		'Use text such as "ana@example.com, bob@example.com", or a list without blank entries, e.g. the attendees of a calendar. People who are not in it are removed.',
	],
	attendee_unclear: [
		'Attendee {value} must have exactly one email address',
		'Map the addresses alone, e.g. $json.attendees.map(attendee => attendee.email), and keep everyone: each request replaces all attendees.',
	],
	attendee_invalid: [
		'Attendee {value} is not an email address',
		'Correct it, e.g. to bob@example.com, and keep the others: each request replaces all attendees.',
	],
	placeholder_refused: [
		'{field} must have a value (the expression gave {value})',
		'Correct the expression: it found no value, and the service would keep this text.',
	],
	link_invalid: [
		'{field} must be a link (it is {value})',
		'Use a whole link such as https://media.example.com/call.mp3, or leave it empty.',
	],
	price_invalid: [
		'{field} must be a price (it is {value})',
		'Use a number such as 1200.5, with or without a currency, or leave it empty.',
	],
	price_unclear: ['{field} {value} is {readings}', 'Send a number, or write the currency beside it.'],
	date_order_unclear: [
		'{field} {value} is {readings}',
		'Choose the order of the column in Options → Slash Dates, and correct the rows that have another.',
	],
	year_short: [
		'{field} must have a year of four digits (it is {value})',
		'Write the whole year: it is {readings}.',
	],
	object_invalid: [
		'{field} must be an object or its JSON (it is {value})',
		'Use an object such as {"region": "north"}.',
	],
	number_inexact: [
		'{field} must not contain the number {value}',
		'It has too many digits: send it as text, in quotes. If it is NaN or Infinity, correct the expression.',
	],
	time_zone_invalid: [
		'{field} must have a known time zone (it is {value})',
		'Use a name such as Europe/Berlin or W. Europe Standard Time, or UTC.',
	],
	whole_day: [
		'{field} must have a time of day (it is {value})',
		'Send a time, or choose Options → All-Day Events to send the start and end of the day.',
	],
} as const satisfies ErrorTable;

/** What an item lacks, and the headline of one with several unusable fields; `details.causes` has each with its code. */
export const ITEM_ERRORS = {
	new_field_missing: [
		'{field} is missing',
		'A new appointment needs {fields}. To change an existing one, use Update.',
	],
	required_fields_missing: ['{fields} are missing'],
	fields_refused: ['{fields} cannot be sent'],
} as const satisfies ErrorTable;

/** What the service's responses mean (D2 § Errors). Repeating the request helps with none of them. */
export const RESPONSE_ERRORS = {
	attendees_with_media: [
		'Attendee Emails and Media URL cannot be sent together',
		'Send Media URL without attendees first, then everyone who should attend without Media URL: the first request removes the other attendees, the second sets them again.',
	],
	appointment_refused: [
		'The service does not accept the appointment',
		'A new appointment needs Start Time, End Time, Title, Customer ID and Customer Name; a Media URL needs its Recording Type. Nothing was changed.',
	],
	attendees_unknown: [
		'No attendee is a user of the service',
		'Check the addresses: one of Attendee Emails ({attendees}) must belong to an active user, or Rep Email ({rep}) if there are none. The appointment is unchanged.',
	],
	event_id_refused: [
		'The service does not accept this Event ID',
		'Use the original ID that your system sent.',
	],
	appointment_not_found: [
		'No appointment has this Event ID',
		"Check the Event ID: your own, not the service's internal ID, and of this key's organization. A match needs the appointment first; a delete accepts its absence with Treat Missing as Deleted.",
	],
	appointment_has_recording: [
		'The appointment has a linked recording and cannot be deleted',
		'Keep the appointment.',
	],
	conversation_not_found: [
		'No conversation has this Conversation ID',
		'Check the Conversation ID. A conversation of another organization gives the same response.',
	],
	conversation_without_recording: [
		'The conversation has no recording to link',
		'Check the Conversation ID: a match needs a recorded conversation, and overwrites its earlier link.',
	],
	recording_gone: [
		"The conversation's recording could not be found to link",
		'Check the Conversation ID. Without its recording, the conversation cannot be linked.',
	],
} as const satisfies ErrorTable;
