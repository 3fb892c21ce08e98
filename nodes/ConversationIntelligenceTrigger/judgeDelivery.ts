import { receivedEnvelopeSchema, webhookEventTypeSchema, type ReceivedEnvelope } from '../shared/contract';
import { judgeAge } from './deliveryAge';
import type { ReceiverSecrets } from './receiverSecrets';
import { refusal, type Refusal } from './refusals';
import { isSignature, sameSecret, verifySignature } from './signature';

/** One delivery as it came in. */
export interface Delivery {
	/** The body's bytes, after gunzip or inflate and before anything else. */
	rawBody: Buffer;
	/** Names in lowercase. */
	headers: Record<string, unknown>;
}

/** What a delivery is compared with. */
export interface Expectation {
	secrets: ReceiverSecrets;
	/** Name of the signature's header, in any capitalization. */
	signatureHeader: string;
	/** Accepts deliveries while no signing secret is saved. */
	allowUnsigned: boolean;
	/** Oldest signed delivery that is accepted, in milliseconds; 0 for any age. */
	maximumAgeMs: number;
}

/** An event to act on, or a refusal to answer with. */
export type Judgement = { envelope: ReceivedEnvelope } | { refused: Refusal };

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
 * Judges one delivery: its sender, then its envelope, then its age where it is signed (D1 § Webhook delivery).
 *
 * @param now milliseconds since 1970
 */
export function judgeDelivery(delivery: Delivery, expectation: Expectation, now: number): Judgement {
	const refused = judgeSender(delivery, expectation);
	if (refused) return { refused };
	const judged = readEnvelope(delivery.rawBody);
	if ('refused' in judged || expectation.secrets.signing.length === 0) return judged;
	const tooOld = judgeAge(judged.envelope.sent_at, expectation.maximumAgeMs, now);
	return tooOld ? { refused: tooOld } : judged;
}

/** Reads the envelope of a delivery whose sender was judged (D1 § Envelope). Unknown extra fields pass. */
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
		// n8n accepts a byte-order mark in front of JSON too.
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
