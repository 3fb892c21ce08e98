import { receivedEnvelopeSchema, webhookEventTypeSchema, type ReceivedEnvelope } from '../contract';
import type { ReceiverSecrets } from './receiverSecrets';
import { isSignature, sameSecret, verifySignature } from './signature';

/** One delivery as it came in. */
export interface Delivery {
	/** The body's bytes, after gunzip or inflate and before anything else. */
	rawBody: Buffer;
	/** Names in lowercase. */
	headers: Record<string, unknown>;
}

/** What a delivery is held against. */
export interface Expectation {
	secrets: ReceiverSecrets;
	/** Name of the signature's header, in any capitalization. */
	signatureHeader: string;
	/** Accepts deliveries while no signing secret is saved. */
	allowUnsigned: boolean;
}

/** Why a delivery is refused: the status, a code to search for, and a sentence without secrets. */
export interface Refusal {
	status: number;
	code: keyof typeof REFUSALS;
	message: string;
}

/** What comes of a delivery: an event to act on, or a refusal to answer with. */
export type Judgement = { envelope: ReceivedEnvelope } | { refused: Refusal };

const REFUSALS = {
	signing_secret_missing: {
		status: 401,
		message:
			'No signing secret is saved in the n8n credential. Save one there and in the subscription, or allow unsigned deliveries in the Conversation Trigger.',
	},
	signature_missing: {
		status: 401,
		message:
			'The signature header {header} is missing. Save the signing secret in the webhook subscription too.',
	},
	signature_malformed: {
		status: 401,
		message: 'The signature header {header} is not "sha256=" and 64 lowercase hex digits.',
	},
	signature_mismatch: {
		status: 401,
		message:
			'The signature does not match the body. The signing secret in the n8n credential differs from the one in the subscription, or the body was changed on its way.',
	},
	receiver_header_incomplete: {
		status: 401,
		message: 'The n8n credential holds only one of Receiver Header Name and Receiver Header Value.',
	},
	receiver_header_mismatch: {
		status: 401,
		message: 'The receiver header is missing or has another value than in the n8n credential.',
	},
	not_an_envelope: {
		status: 422,
		message: 'The body is not an event: it must be a JSON object with "event_type" and "data".',
	},
	conversation_id_missing: {
		status: 422,
		message: 'The event has no "data.conversation_id".',
	},
	body_unreadable: {
		status: 400,
		message: 'The body could not be read in full: it is too large, cut off, or not compressed as it says.',
	},
	credential_unreadable: {
		status: 503,
		message: 'The n8n credential of the Conversation Trigger cannot be read. The log of n8n says why.',
	},
	unknown_event_type: {
		status: 400,
		message: 'The event type is unknown. This trigger takes "conversation_processed" and "test".',
	},
} as const;

/**
 * Judges where a delivery comes from: the signature over the raw bytes, and the receiver header when one is saved
 * (D1 § Webhook delivery). Fails closed: without a secret a delivery is refused unless unsigned ones are allowed.
 *
 * @returns the refusal, or undefined for a delivery that may be read
 */
export function judgeSender(delivery: Delivery, expectation: Expectation): Refusal | undefined {
	const { signing, receiverHeader } = expectation.secrets;
	const header = readHeader(delivery, expectation.signatureHeader);
	if (signing.length === 0) {
		if (!expectation.allowUnsigned) return refusal('signing_secret_missing');
	} else if (!verifySignature(delivery.rawBody, header, signing)) {
		const code =
			header === undefined
				? 'signature_missing'
				: isSignature(header)
					? 'signature_mismatch'
					: 'signature_malformed';
		return refusal(code, expectation.signatureHeader);
	}
	const { name, value } = receiverHeader;
	if (name === '' && value === '') return undefined;
	if (name === '' || value === '') return refusal('receiver_header_incomplete');
	return sameSecret(readHeader(delivery, name), value) ? undefined : refusal('receiver_header_mismatch');
}

/**
 * Reads the envelope of a delivery whose sender was judged (D1 § Envelope). Unknown extra fields pass.
 */
export function readEnvelope(rawBody: Buffer): Judgement {
	const parsed = receivedEnvelopeSchema.safeParse(parseJson(rawBody));
	if (!parsed.success) return { refused: refusal('not_an_envelope') };
	const envelope = parsed.data;
	if (!webhookEventTypeSchema.safeParse(envelope.event_type).success) {
		return { refused: refusal('unknown_event_type') };
	}
	const { conversation_id: id } = envelope.data;
	const hasId = typeof id === 'string' && id.trim() !== '';
	if (envelope.event_type === 'conversation_processed' && !hasId) {
		return { refused: refusal('conversation_id_missing') };
	}
	return { envelope };
}

function parseJson(rawBody: Buffer): unknown {
	try {
		// n8n takes a byte-order mark in front of JSON as well.
		return JSON.parse(rawBody.toString('utf8').replace(/^\uFEFF/, ''));
	} catch {
		return undefined;
	}
}

/** A header's value; a name such as `__proto__` finds nothing. */
function readHeader({ headers }: Delivery, name: string): unknown {
	const key = name.trim().toLowerCase();
	return Object.hasOwn(headers, key) ? headers[key] : undefined;
}

/** The refusal of that code. @param header name of the signature's header, for the messages that show it */
export function refusal(code: keyof typeof REFUSALS, header = ''): Refusal {
	const { status, message } = REFUSALS[code];
	return { status, code, message: message.replace('{header}', header) };
}
