export type RefusalCode = keyof typeof MESSAGES;

const MESSAGES = {
	signing_secret_missing:
		'The credential has no signing secret. Save one there and in the webhook subscription, or turn on Allow Unsigned Deliveries in the trigger.',
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
		'The signed "sent_at" is older than Maximum Age, or more than a day ahead. Someone may be replaying a delivery, or a clock is wrong.',
	not_an_envelope: 'The body is not an event: it must be a JSON object with "event_type" and "data".',
	conversation_id_missing: 'The event has no "data.conversation_id".',
	unknown_event_type: 'The event type is neither "conversation_processed" nor "test".',
	body_unreadable: 'The body cannot be read in full: it is too large, cut off, or not compressed as it says.',
	trigger_unreadable: "The trigger's credential or settings cannot be read.",
};

/** Any other refusal is a 401. */
const STATUS: Partial<Record<RefusalCode, number>> = {
	not_an_envelope: 422,
	conversation_id_missing: 422,
	unknown_event_type: 400,
	body_unreadable: 400,
	trigger_unreadable: 503,
};

/** Refusals of a delivery whose signature fits, which the sender may read. */
const SHOWN: RefusalCode[] = ['not_an_envelope', 'conversation_id_missing', 'unknown_event_type'];

/**
 * Why a delivery is refused: the status, a code to search for, and a sentence for n8n's log, without secrets.
 *
 * @param header name of the signature's header, for the messages that show it
 * @returns `isShown`: whether the sender may read the reason
 */
export function refusal(code: RefusalCode, header = '') {
	const message = MESSAGES[code].replace('{header}', header);
	return { status: STATUS[code] ?? 401, code, message, isShown: SHOWN.includes(code) };
}

export type Refusal = ReturnType<typeof refusal>;
