import { createHmac } from 'node:crypto';

/**
 * Computes the signature header for a body like the service does (D1 § Webhook delivery).
 *
 * @returns `sha256=` and 64 lowercase hex digits
 */
export function sign(rawBody: Buffer, secret: string): string {
	return `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
}
