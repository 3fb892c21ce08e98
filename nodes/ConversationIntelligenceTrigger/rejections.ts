import { MAX_AHEAD_MINUTES, MAX_LEVELS, MIN_SECRET_LENGTH } from './settings';

export type RejectionCode = keyof typeof MESSAGES;

export const MESSAGES = {
	signing_secret_missing:
		'The credential has no signing secret. Save one there and in the webhook subscription, or turn on Allow Unsigned Deliveries in the trigger.',
	signing_secret_short: `The signing secret of the credential has fewer than ${MIN_SECRET_LENGTH} characters. Save a longer one there and in the webhook subscription.`,
	signature_missing:
		'The header {header} is missing. Save the signing secret of the credential in the webhook subscription too.',
	signature_malformed: 'The header {header} is not "sha256=" and 64 lowercase hex digits.',
	signature_mismatch:
		'The signature does not match the body. The credential and the webhook subscription have different signing secrets, or the body was changed on its way.',
	receiver_header_incomplete:
		'The credential has only one of Receiver Header Name and Receiver Header Value.',
	receiver_header_mismatch: 'The receiver header is missing or differs from the one in the credential.',
	sent_at_unreadable:
		'The signed "sent_at" is missing or is not a date, so the age of the delivery is unknown. Set Maximum Age to 0 to accept deliveries of any age.',
	delivery_too_old:
		'The signed "sent_at" is older than Maximum Age. Someone may be replaying a delivery, or a clock is wrong.',
	delivery_ahead: `The signed "sent_at" is more than ${MAX_AHEAD_MINUTES} minutes ahead. Correct the clock of this machine or of the sender.`,
	nested_too_deeply: `The event has more than ${MAX_LEVELS} levels of objects and lists in each other.`,
	not_an_envelope: 'The body is not an event: it must be a JSON object with "event_type" and "data".',
	conversation_id_missing: 'The event has no "data.conversation_id".',
	body_unreadable: 'The body cannot be read in full: it is too large, cut off, or not compressed as it says.',
	trigger_unreadable: "The trigger's credential or settings cannot be read.",
};

/** Any other rejection is a 401. */
const STATUS: Partial<Record<RejectionCode, number>> = {
	nested_too_deeply: 422,
	not_an_envelope: 422,
	conversation_id_missing: 422,
	body_unreadable: 400,
	trigger_unreadable: 503,
};

/**
 * Why a delivery is rejected: the status, a code to search for, and a sentence for n8n's log, without secrets.
 *
 * @param header name of the signature's header, for the messages that show it
 * @param isSigned whether the signature fits
 * @returns `isShown`: whether the sender may read the reason, because it passed what proves who it is
 */
export function rejection(code: RejectionCode, { header = '', isSigned = false } = {}) {
	const status = STATUS[code] ?? 401;
	const message = MESSAGES[code].replace('{header}', header);
	return { status, code, message, isShown: isSigned || status === 422 };
}

export type Rejection = ReturnType<typeof rejection>;
