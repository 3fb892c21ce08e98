import { refusal, type RefusalCode } from '../../../nodes/ConversationIntelligenceTrigger/refusals';

/** Code → status, whether the sender may read the reason, and the sentence for n8n's log. */
const REFUSALS: Record<RefusalCode, [status: number, isShown: boolean, message: string]> = {
	signing_secret_missing: [
		401,
		false,
		'The credential has no signing secret. Save one there and in the webhook subscription, or turn on Allow Unsigned Deliveries in the trigger.',
	],
	signature_missing: [
		401,
		false,
		'The header X-Mine is missing. Save the signing secret of the credential in the webhook subscription too.',
	],
	signature_malformed: [401, false, 'The header X-Mine is not "sha256=" and 64 lowercase hex digits.'],
	signature_mismatch: [
		401,
		false,
		'The signature does not match the body. The credential and the webhook subscription have different signing secrets, or the body was changed on its way.',
	],
	receiver_header_incomplete: [
		401,
		false,
		'The credential has only one of Receiver Header Name and Receiver Header Value.',
	],
	receiver_header_mismatch: [
		401,
		false,
		'The receiver header is missing or differs from the one in the credential.',
	],
	sent_at_unreadable: [
		401,
		false,
		'The signed "sent_at" is missing or is not a date, so the age of the delivery is unknown. Set Maximum Age to 0 to accept deliveries of any age.',
	],
	delivery_too_old: [
		401,
		false,
		'The signed "sent_at" is older than Maximum Age, or more than a day ahead. Someone may be replaying a delivery, or a clock is wrong.',
	],
	not_an_envelope: [
		422,
		true,
		'The body is not an event: it must be a JSON object with "event_type" and "data".',
	],
	conversation_id_missing: [422, true, 'The event has no "data.conversation_id".'],
	unknown_event_type: [400, true, 'The event type is neither "conversation_processed" nor "test".'],
	body_unreadable: [
		400,
		false,
		'The body cannot be read in full: it is too large, cut off, or not compressed as it says.',
	],
	trigger_unreadable: [503, false, "The trigger's credential or settings cannot be read."],
};

test.each(Object.entries(REFUSALS))(
	'answers %s with its status, and shows the reason only to a sender whose signature fits',
	(code, [status, isShown, message]) => {
		expect(refusal(code as RefusalCode, 'X-Mine')).toEqual({ status, code, message, isShown });
	},
);

test('needs the name of the header only where the message shows it', () => {
	expect(refusal('signature_malformed').message).toBe(
		'The header  is not "sha256=" and 64 lowercase hex digits.',
	);
});
