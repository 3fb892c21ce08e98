/** Why a delivery is refused: the status, a code to search for, and a sentence for n8n's log, without secrets. */
export interface Refusal {
	status: number;
	code: RefusalCode;
	message: string;
	/** Whether the sender may read the reason: only one that has proven itself. */
	tellsSender: boolean;
}

export type RefusalCode = keyof typeof REFUSALS;

const REFUSALS = {
	signing_secret_missing: {
		status: 401,
		message:
			'The credential holds no signing secret. Save one there and in the webhook subscription, or turn on Allow Unsigned Deliveries in the trigger.',
	},
	signature_missing: {
		status: 401,
		message:
			'The header {header} is missing. Save the signing secret of the credential in the webhook subscription too.',
	},
	signature_malformed: {
		status: 401,
		message: 'The header {header} is not "sha256=" and 64 lowercase hex digits.',
	},
	signature_mismatch: {
		status: 401,
		message:
			'The signature does not match the body. The signing secret of the credential differs from the one of the webhook subscription, or the body was changed on its way.',
	},
	receiver_header_incomplete: {
		status: 401,
		message: 'The credential holds only one of Receiver Header Name and Receiver Header Value.',
	},
	receiver_header_mismatch: {
		status: 401,
		message: 'The receiver header is missing or differs from the one in the credential.',
	},
	sent_at_unreadable: {
		status: 401,
		message:
			'The signed "sent_at" is missing or is not a date, so the age of the delivery is unknown. Set Maximum Age to 0 to accept deliveries of any age.',
	},
	delivery_too_old: {
		status: 401,
		message:
			'The signed "sent_at" is older than Maximum Age, or more than a day ahead. Someone may be replaying a delivery, or a clock is wrong.',
	},
	not_an_envelope: {
		status: 422,
		message: 'The body is not an event: it must be a JSON object with "event_type" and "data".',
		tellsSender: true,
	},
	conversation_id_missing: {
		status: 422,
		message: 'The event has no "data.conversation_id".',
		tellsSender: true,
	},
	unknown_event_type: {
		status: 400,
		message: 'The event type is neither "conversation_processed" nor "test".',
		tellsSender: true,
	},
	body_unreadable: {
		status: 400,
		message: 'The body cannot be read in full: it is too large, cut off, or not compressed as it says.',
	},
	trigger_unreadable: {
		status: 503,
		message: "The trigger's credential or settings cannot be read.",
	},
};

/**
 * The refusal of that code.
 *
 * @param header name of the signature's header, for the messages that show it
 */
export function refusal(code: RefusalCode, header = ''): Refusal {
	const { message, ...rest } = REFUSALS[code];
	return { tellsSender: false, ...rest, code, message: message.replace('{header}', header) };
}
