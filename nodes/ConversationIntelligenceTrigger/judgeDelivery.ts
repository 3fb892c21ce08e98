import { DateTime } from 'luxon';
import { jsonParse } from 'n8n-workflow';
import {
	receivedEnvelopeSchema,
	webhookEventTypeSchema,
	type ReceivedEnvelope,
} from '../shared/exportApi/schemas';
import { refusal, type Refusal } from './refusals';
import type { ReceiverSecrets, Settings } from './settings';
import { isSignature, sameSecret, verifySignature } from './signature';

/** One delivery as it arrived. */
export interface Delivery {
	/** The body's bytes, after gunzip or inflate and before anything else. */
	rawBody: Buffer;
	/** Names in lowercase. */
	headers: Record<string, unknown>;
}

/** What a delivery is compared with. */
export interface Expectation extends Pick<Settings, 'signatureHeader' | 'allowUnsigned' | 'maximumAgeMs'> {
	secrets: ReceiverSecrets;
}

/** An event to act on, or a refusal to answer with. */
export type Judgement = { envelope: ReceivedEnvelope; isSigned: boolean } | { refused: Refusal };

/** How far a sender's clock may be ahead, in milliseconds; with more, a copy could be replayed for too long. */
const MAX_AHEAD_MS = 24 * 60 * 60 * 1000;

/**
 * Judges one delivery: its sender, then its envelope, then its age if it is signed (D1 § Webhook delivery).
 *
 * @param now milliseconds since 1970
 */
export function judgeDelivery(delivery: Delivery, expectation: Expectation, now: number): Judgement {
	const refused = judgeSender(delivery, expectation);
	if (refused) return { refused };
	const read = readEnvelope(delivery.rawBody);
	if ('refused' in read) return read;
	const isSigned = expectation.secrets.signing.length > 0;
	const tooOld = isSigned && judgeAge(read.envelope.sent_at, expectation.maximumAgeMs, now);
	return tooOld ? { refused: tooOld } : { ...read, isSigned };
}

/**
 * Judges where a delivery comes from: the signature over the raw bytes, and the receiver header when one is saved
 * (D1 § Webhook delivery). Fails closed: without a secret a delivery is refused unless unsigned ones are allowed.
 *
 * @returns undefined for a delivery that may be read
 */
export function judgeSender(delivery: Delivery, expectation: Expectation): Refusal | undefined {
	const { signing, receiverHeader } = expectation.secrets;
	const header = readHeader(delivery, expectation.signatureHeader);
	if (signing.length === 0) {
		if (!expectation.allowUnsigned) return refusal('signing_secret_missing');
	} else if (!verifySignature(delivery.rawBody, header, signing)) {
		return refusal(codeOf(header), expectation.signatureHeader);
	}
	const { name, value } = receiverHeader;
	if (name === '' && value === '') return undefined;
	if (name === '' || value === '') return refusal('receiver_header_incomplete');
	return sameSecret(readHeader(delivery, name), value) ? undefined : refusal('receiver_header_mismatch');
}

function codeOf(header: unknown) {
	if (header === undefined) return 'signature_missing';
	return isSignature(header) ? 'signature_mismatch' : 'signature_malformed';
}

/** Reads the envelope of a delivery whose sender was judged (D1 § Envelope). Unknown extra fields pass. */
export function readEnvelope(rawBody: Buffer): { envelope: ReceivedEnvelope } | { refused: Refusal } {
	// n8n accepts a byte-order mark before JSON too.
	const text = rawBody.toString('utf8').replace(/^\uFEFF/, '');
	const parsed = receivedEnvelopeSchema.safeParse(jsonParse<unknown>(text, { fallbackValue: null }));
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

/**
 * Refuses a signed delivery that was sent too long ago: someone may have recorded it and replay it (D1 § Envelope, sent_at).
 *
 * @param sentAt the envelope's `sent_at`; read as UTC without an offset
 * @param maximumAgeMs 0 for any age
 * @param now milliseconds since 1970
 * @returns undefined for a delivery that is new enough
 */
export function judgeAge(sentAt: unknown, maximumAgeMs: number, now: number): Refusal | undefined {
	if (maximumAgeMs === 0) return undefined;
	const sent = typeof sentAt === 'string' ? DateTime.fromISO(sentAt, { zone: 'utc' }) : undefined;
	if (!sent?.isValid) return refusal('sent_at_unreadable');
	const age = now - sent.toMillis();
	return age > maximumAgeMs || age < -MAX_AHEAD_MS ? refusal('delivery_too_old') : undefined;
}

/** A header's value; a name such as `__proto__` finds nothing. */
function readHeader({ headers }: Delivery, name: string): unknown {
	const key = name.trim().toLowerCase();
	return Object.hasOwn(headers, key) ? headers[key] : undefined;
}
