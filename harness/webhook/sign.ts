import { createHmac } from 'node:crypto';

/** Computes the signature header for a body like the service does (D1 § Webhook delivery). */
export function sign(rawBody: Buffer, secret: string): string {
	return `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
}
