import { createHash, createHmac, timingSafeEqual } from 'crypto';

/** The prefix and 64 lowercase hex digits (D1 § Webhook delivery). */
const SIGNATURE = /^sha256=[0-9a-f]{64}$/;

/**
 * Whether a delivery was signed with one of the secrets: HMAC-SHA256 over the raw bytes (D1 § Webhook delivery).
 * Takes the same time whatever digit differs or secret matches.
 *
 * @param rawBody the body's bytes as they arrived, never re-serialized JSON
 * @param secrets current and previous; empty ones never match
 */
export function verifySignature(rawBody: Buffer, header: unknown, secrets: readonly string[]): boolean {
	const wellFormed = isSignature(header);
	const given = wellFormed ? Buffer.from(header.slice('sha256='.length), 'hex') : Buffer.alloc(32);
	let matches = false;
	for (const secret of secrets) {
		const expected = createHmac('sha256', secret).update(rawBody).digest();
		const same = timingSafeEqual(expected, given);
		matches = (same && secret !== '') || matches;
	}
	return wellFormed && matches;
}

/** Whether a header's value has the form of a signature, right or wrong. */
export function isSignature(header: unknown): header is string {
	return typeof header === 'string' && SIGNATURE.test(header);
}

/** Compares a received text with a secret in constant time, whatever its length; anything but text differs. */
export function sameSecret(given: unknown, secret: string): boolean {
	const same = timingSafeEqual(digest(String(given)), digest(secret));
	return typeof given === 'string' && same;
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
