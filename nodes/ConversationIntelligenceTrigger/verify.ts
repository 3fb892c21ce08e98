import { createHash, createHmac, timingSafeEqual } from 'crypto';
import { jsonParse } from 'n8n-workflow';
import { instantOf } from '../shared/exportApi/rows';
import { receivedEnvelopeSchema, type ReceivedEnvelope } from '../shared/exportApi/schemas';
import { MAX_AHEAD_MINUTES, MAX_LEVELS, type TriggerError } from './triggerErrors';
import { EVENTS, type EventRule } from './events';
import type { WebhookSettings } from './triggerParameters';

/** What a delivery must prove. */
export interface ReceiverSecrets {
	signing: string[];
	/** The custom header that each delivery must carry, and the values that it may have; both empty for none. */
	receiverHeader: { name: string; values: string[] };
}

export interface ReceivedRequest {
	/** The body's bytes, after gunzip or inflate and before anything else. */
	rawBody: Buffer;
	/** Names in lowercase. */
	headers: Record<string, unknown>;
}

export interface Verified {
	event: ReceivedEnvelope;
	/** Undefined for an event of an unknown type, of which nothing but the type was read. */
	rule?: EventRule;
	isSigned: boolean;
}

/** Why a delivery is rejected. */
export class Rejection extends Error {
	/** @param isSigned whether the sender may read the code, because its signature is valid */
	constructor(
		readonly code: TriggerError,
		readonly isSigned = false,
	) {
		super(code);
	}
}

/** The prefix and 64 lowercase hex digits (D1 § Webhook delivery). */
const SIGNED = /^sha256=([0-9a-f]{64})$/;

/**
 * Verifies one delivery: its signature and receiver header, then its envelope, then its age if it is signed (D1 § Webhook
 * delivery). Fails closed: without a secret a delivery is rejected unless unsigned ones are allowed.
 * @param now milliseconds since 1970
 * @throws Rejection
 */
export function verify(
	received: ReceivedRequest,
	{ signing, receiverHeader }: ReceiverSecrets,
	{ signatureHeader, allowUnsigned, maximumAgeMs }: Omit<WebhookSettings, 'events' | 'ignoreDuplicates'>,
	now: number,
): Verified {
	const isSigned = signing.length > 0;
	if (isSigned) verifySignature(received.rawBody, headerOf(received, signatureHeader), signing);
	else if (!allowUnsigned) throw new Rejection('signing_secret_missing');
	verifyReceiver(received, receiverHeader, isSigned);
	const { event, rule } = readEvent(received.rawBody);
	// An unknown event starts nothing, so its age does not matter.
	if (rule && isSigned && maximumAgeMs > 0) verifyAge(event.sent_at, maximumAgeMs, now);
	return { event, rule, isSigned };
}

/** HMAC-SHA256 over the raw bytes, in constant time. */
function verifySignature(rawBody: Buffer, header: unknown, signing: string[]): void {
	if (header === undefined) throw new Rejection('signature_missing');
	const digits = typeof header === 'string' ? SIGNED.exec(header)?.[1] : undefined;
	if (digits === undefined) throw new Rejection('signature_malformed');
	const given = Buffer.from(digits, 'hex');
	const digests = signing.map((secret) => createHmac('sha256', secret).update(rawBody).digest());
	const matches = digests.map((digest) => timingSafeEqual(digest, given));
	if (!matches.includes(true)) throw new Rejection('signature_mismatch');
}

/** The header that each delivery must carry, if one is saved; in constant time, whatever its length. */
function verifyReceiver(
	received: ReceivedRequest,
	{ name, values }: ReceiverSecrets['receiverHeader'],
	isSigned: boolean,
): void {
	if (name === '' && values.length === 0) return;
	if (name === '' || values.length === 0) throw new Rejection('receiver_header_incomplete', isSigned);
	const given = headerOf(received, name);
	// Node reads the bytes of a header as Latin-1, whatever they are.
	const forms = typeof given === 'string' ? [given, Buffer.from(given, 'latin1').toString('utf8')] : [];
	const digest = (text: string) => createHash('sha256').update(text).digest();
	const matches = forms.flatMap((form) =>
		values.map((value) => timingSafeEqual(digest(form), digest(value))),
	);
	if (!matches.includes(true)) throw new Rejection('receiver_header_mismatch', isSigned);
}

/** Reads the envelope (D1 § Envelope). Unknown extra fields pass. */
function readEvent(rawBody: Buffer): Omit<Verified, 'isSigned'> {
	// n8n accepts a byte-order mark before JSON too.
	const text = rawBody.toString('utf8').replace(/^\uFEFF/, '');
	const body = jsonParse<unknown>(text, { fallbackValue: null });
	if (hasMoreLevels(body, MAX_LEVELS)) throw new Rejection('nested_too_deeply');
	const { data: typed } = receivedEnvelopeSchema.pick({ event_type: true }).safeParse(body);
	if (!typed) throw new Rejection('not_an_envelope');
	const rule = EVENTS.get(typed.event_type);
	if (!rule) return { event: { event_type: typed.event_type, data: {} } };
	const { data: event } = receivedEnvelopeSchema.safeParse(body);
	if (!event) throw new Rejection('not_an_envelope');
	const id = event.data[rule.id];
	const hasId = typeof id === 'string' && id.trim() !== '';
	if (!hasId && rule.about !== 'test') throw new Rejection('id_missing');
	return { event, rule };
}

/** Level by level, because recursion would fail on the deepest. */
function hasMoreLevels(body: unknown, max: number): boolean {
	const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
	let level = [body].filter(isContainer);
	for (let depth = 1; level.length > 0; depth++) {
		if (depth > max) return true;
		level = level.flatMap((container) => Object.values(container) as unknown[]).filter(isContainer);
	}
	return false;
}

/** Someone may replay an old delivery (D1 § Envelope, sent_at). */
function verifyAge(sentAt: unknown, maximumAgeMs: number, now: number): void {
	const age = now - instantOf(sentAt);
	if (Number.isNaN(age)) throw new Rejection('sent_at_unreadable', true);
	if (age > maximumAgeMs) throw new Rejection('delivery_too_old', true);
	if (age < -MAX_AHEAD_MINUTES * 60_000) throw new Rejection('delivery_ahead', true);
}

/** A name such as `__proto__` finds nothing. */
function headerOf({ headers }: ReceivedRequest, name: string): unknown {
	const key = name.trim().toLowerCase();
	return Object.hasOwn(headers, key) ? headers[key] : undefined;
}
