import { DateTime } from 'luxon';
import { jsonParse } from 'n8n-workflow';
import {
	receivedEnvelopeSchema,
	webhookEventTypeSchema,
	type ReceivedEnvelope,
} from '../shared/exportApi/schemas';
import type { TriggerError } from './errors';
import { MAX_AHEAD_MINUTES, MAX_LEVELS, type ReceiverSecrets, type Settings } from './settings';
import { isSignature, sameSecret, verifySignature } from './signature';

/** The minimum of an event of any type. */
const eventSchema = receivedEnvelopeSchema.pick({ event_type: true });

/** One delivery as it arrived. */
export interface Delivery {
	/** The body's bytes, after gunzip or inflate and before anything else. */
	rawBody: Buffer;
	/** Names in lowercase. */
	headers: Record<string, unknown>;
}

export interface VerifyOptions extends Pick<Settings, 'signatureHeader' | 'allowUnsigned' | 'maximumAgeMs'> {
	secrets: ReceiverSecrets;
}

/** Why a delivery is rejected. */
export interface Rejection {
	code: TriggerError;
	/** Whether the sender may read the reason, because its signature fits. */
	isSigned?: boolean;
}

/** A verified event, the type of an event that this trigger does not know, or why the delivery is rejected. */
export type Verification =
	| { envelope: ReceivedEnvelope; isSigned: boolean }
	| { unknownType: string; isSigned: boolean }
	| { rejection: Rejection };

/**
 * Verifies one delivery: its sender, then its envelope, then its age if it is signed (D1 § Webhook delivery).
 *
 * @param now milliseconds since 1970
 */
export function verifyDelivery(delivery: Delivery, options: VerifyOptions, now: number): Verification {
	const sender = verifySender(delivery, options);
	if (sender) return { rejection: sender };
	const read = readEnvelope(delivery.rawBody);
	if ('rejection' in read) return read;
	const isSigned = options.secrets.signing.length > 0;
	// An unknown event starts nothing, so its age does not matter.
	if ('unknownType' in read || !isSigned) return { ...read, isSigned };
	const age = verifyAge(read.envelope.sent_at, options.maximumAgeMs, now);
	return age ? { rejection: age } : { ...read, isSigned };
}

/**
 * Verifies where a delivery comes from: the signature over the raw bytes, and the receiver header when one is saved
 * (D1 § Webhook delivery). Fails closed: without a secret a delivery is rejected unless unsigned ones are allowed.
 *
 * @returns undefined for a delivery that may be read
 */
function verifySender(delivery: Delivery, options: VerifyOptions): Rejection | undefined {
	const { signing, hasShort, receiverHeader } = options.secrets;
	const header = readHeader(delivery, options.signatureHeader);
	if (signing.length === 0) {
		if (hasShort) return { code: 'signing_secret_short' };
		if (!options.allowUnsigned) return { code: 'signing_secret_missing' };
	} else if (!verifySignature(delivery.rawBody, header, signing)) {
		return { code: codeOf(header, hasShort) };
	}
	const isSigned = signing.length > 0;
	const { name, value } = receiverHeader;
	if (name === '' && value === '') return undefined;
	if (name === '' || value === '') return { code: 'receiver_header_incomplete', isSigned };
	const isSame = sameSecret(readHeader(delivery, name), value);
	return isSame ? undefined : { code: 'receiver_header_mismatch', isSigned };
}

function codeOf(header: unknown, hasShort: boolean): TriggerError {
	if (header === undefined) return 'signature_missing';
	if (!isSignature(header)) return 'signature_malformed';
	// A short secret is not compared, so it may be the one that signed.
	return hasShort ? 'signing_secret_short' : 'signature_mismatch';
}

/** Reads the envelope of a delivery whose sender is verified (D1 § Envelope). Unknown extra fields pass. */
function readEnvelope(
	rawBody: Buffer,
): { envelope: ReceivedEnvelope } | { unknownType: string } | { rejection: Rejection } {
	// n8n accepts a byte-order mark before JSON too.
	const text = rawBody.toString('utf8').replace(/^\uFEFF/, '');
	const body = jsonParse<unknown>(text, { fallbackValue: null });
	if (hasMoreLevels(body, MAX_LEVELS)) return { rejection: { code: 'nested_too_deeply' } };
	const event = eventSchema.safeParse(body);
	if (!event.success) return { rejection: { code: 'not_an_envelope' } };
	const { event_type: type } = event.data;
	if (!webhookEventTypeSchema.safeParse(type).success) return { unknownType: type };
	const parsed = receivedEnvelopeSchema.safeParse(body);
	if (!parsed.success) return { rejection: { code: 'not_an_envelope' } };
	const { conversation_id: id } = parsed.data.data;
	const hasId = typeof id === 'string' && id.trim() !== '';
	if (type === 'conversation_processed' && !hasId) return { rejection: { code: 'conversation_id_missing' } };
	return { envelope: parsed.data };
}

/** Level by level, because a function that calls itself for each would fail on the deepest. */
function hasMoreLevels(body: unknown, max: number): boolean {
	let level = [body].filter(isContainer);
	for (let depth = 1; level.length > 0; depth++) {
		if (depth > max) return true;
		level = level.flatMap((container) => Object.values(container) as unknown[]).filter(isContainer);
	}
	return false;
}

function isContainer(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}

/**
 * Rejects a signed delivery that was sent too long ago: someone may have recorded it and replay it (D1 § Envelope, sent_at).
 *
 * @param sentAt the envelope's `sent_at`; read as UTC without an offset
 * @param maximumAgeMs 0 for any age
 * @param now milliseconds since 1970
 * @returns undefined for a delivery that is new enough
 */
function verifyAge(sentAt: unknown, maximumAgeMs: number, now: number): Rejection | undefined {
	if (maximumAgeMs === 0) return undefined;
	const sent = typeof sentAt === 'string' ? DateTime.fromISO(sentAt, { zone: 'utc' }) : undefined;
	if (!sent?.isValid) return { code: 'sent_at_unreadable', isSigned: true };
	const age = now - sent.toMillis();
	if (age > maximumAgeMs) return { code: 'delivery_too_old', isSigned: true };
	return age < -MAX_AHEAD_MINUTES * 60_000 ? { code: 'delivery_ahead', isSigned: true } : undefined;
}

/** A header's value; a name such as `__proto__` finds nothing. */
function readHeader({ headers }: Delivery, name: string): unknown {
	const key = name.trim().toLowerCase();
	return Object.hasOwn(headers, key) ? headers[key] : undefined;
}
