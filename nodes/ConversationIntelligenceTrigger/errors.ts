import type { ErrorText } from '../shared/base/errors';

/** How far a sender's clock may be ahead; with more, a copy could be replayed for too long. */
export const MAX_AHEAD_MINUTES = 5;

/** Deeper JSON is no event, and could exhaust the stack of whatever reads it. */
export const MAX_LEVELS = 100;

/** Why a delivery is rejected, or a trigger is not published. `status` is that of the response to a delivery, 401 by default. */
export const TRIGGER_ERRORS = {
	signing_secret_missing: {
		message: 'The Conversation Export API credential has no Signing Secret: enter one in the credential',
		advice:
			'Enter the same secret in the webhook subscription, or turn on Allow Unsigned Deliveries in the trigger.',
	},
	signature_missing: {
		message: 'The signature header is missing',
		advice:
			'Save the signing secret of the credential in the webhook subscription too, and check Signature Header.',
	},
	signature_malformed: {
		message: 'The signature header is not "sha256=" and 64 lowercase hex digits',
		advice: 'Check Signature Header in the trigger, and any proxy in between.',
	},
	signature_mismatch: {
		message: 'The signature does not match the body',
		advice:
			'The credential and the webhook subscription have different signing secrets, or the body was changed on its way.',
	},
	receiver_header_incomplete: {
		message:
			'The Conversation Export API credential has only one of Custom Header Name and Custom Header Value: fill in both or neither',
		advice: 'Each delivery must carry this header, if there is one.',
	},
	receiver_header_mismatch: { message: 'The custom header is missing or differs from the credential' },
	sent_at_unreadable: {
		message: 'The signed "sent_at" is missing or is not a date, so the age of the delivery is unknown',
		advice: 'Set Maximum Age to 0 to accept deliveries of any age.',
	},
	delivery_too_old: {
		message: 'The signed "sent_at" is older than Maximum Age',
		advice: 'Check both clocks. If they are right, someone may be replaying a delivery.',
	},
	delivery_ahead: {
		message: `The signed "sent_at" lies more than ${MAX_AHEAD_MINUTES} minutes in the future`,
		advice: 'Check both clocks: of this machine and of the sender.',
	},
	nested_too_deeply: { status: 422, message: `The event has more than ${MAX_LEVELS} nested levels` },
	not_an_envelope: {
		status: 422,
		message: 'The body is not an event: it must be a JSON object with "event_type" and "data"',
	},
	conversation_id_missing: { status: 422, message: 'The event has no "data.conversation_id"' },
	body_unreadable: {
		status: 400,
		message: 'The body cannot be read in full: it is too large, cut off, or not compressed as it says',
	},
	trigger_unreadable: { status: 503, message: "The trigger's credential or settings cannot be read" },
} as const satisfies Record<string, ErrorText & { status?: number }>;

export type TriggerError = keyof typeof TRIGGER_ERRORS;
