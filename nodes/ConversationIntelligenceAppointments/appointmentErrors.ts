/** What is wrong with an item, and what a response means. */
import type { ErrorTable } from '../shared/base/codedErrors';

/** What is wrong with one value, by its label: each request replaces the attendees, so no advice may be to leave them out. */
export const INPUT_ERRORS = {
	field_missing: ['{field} is missing', 'Enter a value, or correct the expression that returns it.'],
	new_field_missing: [
		'{field} is missing',
		'Map every required field, or use Update to change an existing appointment.',
	],
	attendees_missing: [
		'{field} is missing',
		'An update replaces all attendees: map everyone who attends, or turn on Rep as Only Attendee under Options. Rooms and people who declined are left out.',
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
		'{field} {value} is not a recording type',
		'Use CALL_AUDIO, APPOINTMENT_AUDIO or CALL_AUDIO_WITH_LOCATION.',
	],
	status_missing: [
		'{field} has no value (it is {value})',
		'Choose the column that has the status, or correct the row. Without a status, nothing is booked or deleted.',
	],
	status_unknown: [
		'{field} {value} is in neither Cancelled Statuses nor Booked Statuses',
		'Add it to Cancelled Statuses to delete the appointment, or to Booked Statuses to book it. * in Booked Statuses books every status that does not cancel.',
	],
	status_in_both: ['{field} {value} is in both lists of statuses', 'Remove it from one of the two lists.'],
	text_invalid: ['{field} {value} is not text', 'Map a single value, for example the name of an object.'],
	id_invalid: ['{field} {value} is not an ID', 'Map text or a whole number.'],
	id_invisible: [
		'{field} {value} has the invisible character {found}',
		'Correct it where it comes from. The service would treat an ID with this character as a different ID.',
	],
	digits_lost: [
		'{field} {value} is a rounded number, not the original one',
		'Format the column as text in the spreadsheet, and enter or export the values again.',
	],
	value_incomplete: [
		'{field} {value} is incomplete',
		'Correct the expression: it found no value for a part.',
	],
	owner_invalid: ['{field} {value} is not one email address', "Map the rep's email address."],
	attendees_invalid: [
		'{field} {value} is not a list of email addresses',
		'Map text such as "ana@example.com, bob@example.com", or the attendees of a calendar, without empty entries. People who are not in the list are removed.',
	],
	attendee_unclear: [
		'Attendee {value} has no known address field: it has {found}',
		'Rename the field with the address to email, and keep everyone in the list: each request replaces all attendees.',
	],
	attendee_unknown: [
		'Attendee {value} has {found}, which is not known',
		'Before this node, replace it with a known value such as accepted or declined, because the node never guesses who attends.',
	],
	attendee_invalid: [
		'Attendee {value} is not an email address',
		'Correct it, for example to bob@example.com, and keep the others: each request replaces all attendees.',
	],
	placeholder_refused: ['{field} {value} stands for a missing value', 'Correct the expression or the row.'],
	link_invalid: ['{field} {value} is not a link', 'Send a link such as https://media.example.com/call.mp3.'],
	price_invalid: ['{field} {value} is not a number', 'Send a number, for example {{ 1234.5 }}.'],
	price_unclear: ['{field} {value} is ambiguous: {found}', 'Send a number, for example {{ 1234.5 }}.'],
	date_order_unclear: [
		'{field} {value} is ambiguous: {found}',
		'Choose what comes first in Options → Date Order, the day or the month.',
	],
	date_order_wrong: [
		'{field} {value} does not match Date Order, because there is no month {found}',
		'Correct the row, or change Options → Date Order.',
	],
	year_short: ['{field} {value} has no year of four digits', 'Write the whole year, for example 2026.'],
	time_key_unknown: [
		'{field} has the key {found}, which is not read',
		'Map an object with only dateTime and timeZone, or a time with an offset.',
	],
	object_invalid: [
		'{field} {value} is not an object',
		'Send an object, or JSON such as {"region": "north"}.',
	],
	number_inexact: [
		'{field} has a number with too many digits{found}',
		'Send it as text, because n8n keeps only the first 15 digits of a number.',
	],
	time_zone_invalid: [
		'{field}: {value} is not a known time zone',
		'Use a name such as Europe/Berlin, or UTC.',
	],
	whole_day: [
		'{field} {value} has no time of day',
		'Send a time, or turn on Options → All-Day Events to send the start and end of the day.',
	],
} as const satisfies ErrorTable;

/** The headline of an item with several fields that are missing or cannot be sent; `details.causes` has each with its code. */
export const ITEM_ERRORS = {
	required_fields_missing: ['{fields} are missing', 'Nothing of this item was sent.'],
	fields_refused: ['{fields} cannot be sent', 'Nothing of this item was sent.'],
} as const satisfies ErrorTable;

/** What the service's responses mean (D2 § Errors). Repeating the request helps with none of them. */
export const RESPONSE_ERRORS = {
	attendees_with_media: [
		'Attendee Emails and Media URL cannot be sent together',
		'First send Media URL with Rep as Only Attendee under Options, then everyone who attends without Media URL. The first request removes the other attendees, the second adds them again.',
	],
	appointment_refused: [
		'The service does not accept the appointment',
		'A new appointment needs Start Time, End Time, Title, Customer ID and Customer Name; a Media URL needs its Recording Type. Nothing was changed.',
	],
	attendees_unknown: [
		'No attendee is a user of the service',
		'Check the addresses: at least one of Attendee Emails ({attendees}) must belong to an active user. If Attendee Emails is empty, Rep Email ({rep}) must. The appointment is unchanged.',
	],
	event_id_refused: ['The service does not accept this Event ID', 'Use the original ID of your system.'],
	appointment_not_found: [
		'No appointment has this Event ID',
		"Check that it is your own ID, not the service's, and belongs to this key's organization. Create an appointment before you match it. If the appointment may already be deleted, turn on Treat Missing as Deleted under Options.",
	],
	appointment_has_recording: [
		'The appointment has a linked recording and cannot be deleted',
		'Keep it: the service deletes only appointments without a recording.',
	],
	conversation_not_found: [
		'No conversation has this Conversation ID',
		'Check the Conversation ID. A conversation of another organization gives the same response.',
	],
	conversation_without_recording: [
		'The conversation has no recording to link',
		'Check the Conversation ID, because only a conversation with a recording can be matched. A match overwrites the earlier link of the conversation.',
	],
	recording_gone: [
		"The conversation's recording could not be found to link",
		'Check the Conversation ID. Without its recording, the conversation cannot be linked.',
	],
} as const satisfies ErrorTable;
