import type { ErrorTable } from '../shared/base/codedErrors';

/** How far a sender's clock may be ahead; with more, a copy could be replayed for too long. */
export const MAX_AHEAD_MINUTES = 5;

/** Deeper JSON is no event, and could exhaust the stack of whatever reads it. */
export const MAX_LEVELS = 100;

/** Why a delivery is rejected, or a trigger is not published. */
export const TRIGGER_ERRORS = {
	signing_secret_missing: [
		'The Conversation Export API credential has no Signing Secret: enter one in the credential',
		'Enter the same secret in the webhook subscription, or turn on Allow Unsigned Deliveries in the trigger.',
	],
	signature_missing: [
		'The signature header is missing',
		'Save the signing secret of the credential in the webhook subscription too, and check Signature Header.',
	],
	signature_malformed: [
		'The signature header is not "sha256=" and 64 lowercase hex digits',
		'Check Signature Header in the trigger, and any proxy in between.',
	],
	signature_mismatch: [
		'The signature does not match the body',
		'The credential and the webhook subscription have different signing secrets, or the body was changed on its way.',
	],
	receiver_header_incomplete: [
		'The Conversation Export API credential has only one of Custom Header Name and Custom Header Value: fill in both or neither',
		'Each delivery must carry this header, if there is one.',
	],
	receiver_header_mismatch: [
		'The custom header is missing or differs from the credential',
		'Enter the same header name and value in the credential and in the webhook subscription.',
	],
	sent_at_unreadable: [
		'The signed "sent_at" is missing or is not a date, so the age of the delivery is unknown',
		'Set Maximum Age to 0 to accept deliveries of any age.',
	],
	delivery_too_old: [
		'The signed "sent_at" is older than Maximum Age',
		'Check both clocks. If they are right, someone may be replaying a delivery.',
	],
	delivery_ahead: [
		`The signed "sent_at" lies more than ${MAX_AHEAD_MINUTES} minutes in the future`,
		'Check the clocks of this machine and of the sender.',
	],
	nested_too_deeply: [
		`The event has more than ${MAX_LEVELS} nested levels`,
		'Check who sent it: no event of the service is nested like this.',
	],
	not_an_envelope: [
		'The body is not an event: it must be a JSON object with "event_type" and "data"',
		'Check who sent it: only the service may send to this URL.',
	],
	id_missing: [
		'The event has no ID in "data", such as "conversation_id"',
		'Get the conversation with a Poll Trigger or Get Many, and report the event to the service.',
	],
	body_unreadable: [
		'The body cannot be read in full: it is too large, incomplete or wrongly compressed',
		"Check proxies in between, and n8n's limit N8N_PAYLOAD_SIZE_MAX.",
	],
	trigger_unreadable: [
		"The trigger's credential or settings cannot be read",
		'Open the trigger and its credential, and save them again.',
	],
} as const satisfies ErrorTable;

export type TriggerError = keyof typeof TRIGGER_ERRORS;

/** The status of the response to a rejected delivery; 401 for all other codes. */
export const STATUSES: Partial<Record<TriggerError, number>> = {
	nested_too_deeply: 422,
	not_an_envelope: 422,
	id_missing: 422,
	body_unreadable: 400,
	trigger_unreadable: 503,
};
