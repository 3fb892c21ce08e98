import { fieldTable, section } from './types';

export const d2WhatItDoes = section('D2', 'What the service does', {
	'D2-DOES-01': 'Creates or updates an appointment keyed by the caller’s `event_id`.',
	'D2-DOES-02': 'Optionally ingests a hosted audio file (`media_url`).',
	'D2-DOES-03': 'Deletes an appointment by its `event_id`.',
	'D2-DOES-04': 'Links an existing conversation to an existing calendar event.',
	'D2-DOES-05': 'Each key belongs to one organization; all lookups are inside it.',
	'D2-DOES-06': 'Plain text by default; errors carry a plain-string body.',
});

export const appointment = fieldTable('D2', 'Appointment', 'D2-APPT', [
	['event_id', 'string', 'Required; decides insert or update.'],
	['user_email', 'string', 'Required, non-empty.'],
	['attendee_emails', 'string[]', 'An array of non-empty strings.'],
	['start_time', 'string', 'Required on create; UTC, `yyyy-mm-dd hh:mm:ss`.'],
	['end_time', 'string', 'Required on create; UTC, same format.'],
	['title', 'string', 'Required on create.'],
	['customer', 'object', 'Required on create.'],
	['result', 'string', 'Outcome, free-form.'],
	['type', 'string', 'Appointment type.'],
	['price', 'float', 'Price quoted.'],
	['media_url', 'string', 'Hosted audio to ingest; not with a non-empty `attendee_emails`.'],
	['recording_type', 'string', 'Required with media_url; one of three values.'],
	['location', 'string', 'Required when recording_type is `CALL_AUDIO_WITH_LOCATION`.'],
	['lead_source', 'string', 'Lead source.'],
	['custom_fields', 'object', 'Extra fields stored with the appointment.'],
]);

export const appointmentCustomer = fieldTable('D2', 'Customer object', 'D2-CUSTOMER', [
	['id', 'string', 'Required.'],
	['name', 'string', 'Required.'],
	['email', 'string'],
	['phone', 'string'],
	['address', 'string'],
]);

export const recordingTypes = section('D2', 'Recording types', {
	'D2-TYPE-01': '`CALL_AUDIO`: a dialer call.',
	'D2-TYPE-02': '`APPOINTMENT_AUDIO`: an in-person appointment.',
	'D2-TYPE-03': '`CALL_AUDIO_WITH_LOCATION`: a dialer call with voice-identification assignment by location.',
});

export const appointmentRules = section('D2', 'Appointment rules', {
	'D2-RULE-01': 'Times are stored exactly as sent, in UTC.',
	'D2-RULE-02': '`result` matches existing outcomes case-insensitively; another value creates a new outcome.',
	'D2-RULE-03': 'Only `event_id` and `user_email` are required on update; omitted fields stay unchanged.',
});

export const matchRequest = fieldTable('D2', 'Match request', 'D2-MATCHBODY', [
	['event_id', 'string', 'Required; a calendar event already on file.'],
	['conversation_id', 'string (UUID)', 'Required; an existing conversation of the organization.'],
]);

export const appointmentStates = section('D2', 'States and transitions', {
	'D2-STATE-01': 'absent → present: attendees set; outcome created if new; audio ingested with `media_url`.',
	'D2-STATE-02': 'present → present (updated): omitted fields unchanged; attendee list replaced.',
	'D2-STATE-03': 'present without recording → absent by DELETE: 200.',
	'D2-STATE-04': 'present with recording, DELETE: unchanged, 409; repeating does not help.',
	'D2-STATE-05': 'present → linked by match; overwrites any earlier link; idempotent.',
	'D2-STATE-06': 'A failed request changes nothing.',
	'D2-STATE-07': 'For match, all lookups run before any write.',
});

export const attendeeRules = section('D2', 'POST {crm_base_url}/custom/appointment', {
	'D2-POST-01': '200: plain text confirming create or update.',
	'D2-POST-02': 'Audio processing is not awaited: success confirms receipt only.',
	'D2-ATT-01':
		'Each resolved person becomes an attendee; adding attendees does not rematch existing recordings.',
	'D2-ATT-02':
		'Addresses are trimmed and case-insensitive: primary, alternate, unambiguous first.last prefix; one attendee per person.',
	'D2-ATT-03':
		'With a list, removed, hidden and unresolved addresses are skipped; nobody left: 422, unchanged.',
	'D2-ATT-04': 'Omitted or `[]`: the owner must resolve and becomes the only attendee.',
	'D2-ATT-05': 'Every update replaces the complete attendee list.',
	'D2-ATT-06': 'Location-based call imports keep using a system-managed unassigned account.',
});

export const deleteAppointment = section('D2', 'DELETE {crm_base_url}/custom/appointment/{id}', {
	'D2-DEL-01': '`id`: the original `event_id`, URL-encoded; not the internal appointment ID.',
	'D2-DEL-02': '200, text/plain.',
	'D2-DEL-03': '400: invalid parameters.',
	'D2-DEL-04': '403: key missing or invalid.',
	'D2-DEL-05': '404: not found or outside the key’s scope.',
	'D2-DEL-06': '409: appointment has a linked recording.',
});

export const matchConversation = section('D2', 'POST {crm_base_url}/custom/appointment/match', {
	'D2-MATCH-01': '200 with body `Successfully matched conversation to event`.',
	'D2-MATCH-02': 'Sets the recording’s appointment link and creates or updates nothing else.',
	'D2-MATCH-03': 'Both records must exist.',
});
