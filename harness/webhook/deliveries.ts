import { createHmac, randomUUID } from 'node:crypto';
import processed from './processed.json';

/** A `conversation_processed` event, sent now, with every field (D1 § Envelope, § data). */
export function processedEvent(conversationId: string = randomUUID(), more: Record<string, unknown> = {}) {
	const ids = {
		conversation_id: conversationId,
		conversation_url: `https://app.example/conversations/${conversationId}`,
		transcript_url: `https://media.example/transcripts/${conversationId}?signature=abc`,
		surveys: processed.data.surveys.map((survey) => ({ ...survey, conversationId })),
	};
	const data = { ...processed.data, ...ids, ...more };
	return { ...processed, webhook_event_id: randomUUID(), sent_at: new Date().toISOString(), data };
}

/** A `test` event, as sent by Send test: synthetic data with nulls (D1 § test). */
export function testEvent() {
	const nulls = { user_id: null, transcript_url: null };
	return { ...processedEvent('00000000-0000-4000-8000-000000000000', nulls), event_type: 'test' };
}

/** The signature header for a body, as the service computes it (D1 § Webhook delivery). */
export const sign = (rawBody: Buffer, secret: string): string =>
	`sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;

/** The body and headers of a delivery, signed if a secret is given. */
export function delivery(event: unknown, secret?: string, more: Record<string, string> = {}) {
	const body = Buffer.isBuffer(event) ? event : Buffer.from(JSON.stringify(event));
	const headers: Record<string, string> = {
		'content-type': 'application/json',
		...(secret !== undefined && { 'x-service-signature': sign(body, secret) }),
		...more,
	};
	return { body, headers };
}
