import { createHmac } from 'node:crypto';

/**
 * The signature header's value for a body, as the service computes it (D1 § Webhook delivery).
 *
 * @returns `sha256=` and 64 lowercase hex digits
 */
export function sign(rawBody: Buffer, secret: string): string {
	return `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
}
