import { createHmac } from 'node:crypto';

export const signatureHeader = 'X-Service-Signature';

/** `sha256=` and the lowercase hex HMAC-SHA256 of the raw body (D1 § Webhook delivery). */
export function signatureOf(secret: string, body: Buffer): string {
	return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
