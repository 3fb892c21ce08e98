import { randomUUID } from 'node:crypto';
import { sign } from './sign';

/** A `conversation_processed` event, sent now, with every field (D1 § Envelope, § data). */
export function processedEvent(conversationId: string = randomUUID(), data: Record<string, unknown> = {}) {
	return {
		webhook_event_id: randomUUID(),
		event_type: 'conversation_processed',
		sent_at: new Date().toISOString(),
		data: {
			conversation_id: conversationId,
			organization_id: '0c8f6a52-1a54-4c0e-9a3e-1d6c1c9f2b11',
			conversation_url: `https://app.example/conversations/${conversationId}`,
			transcript_url: `https://media.example/transcripts/${conversationId}?signature=abc`,
			user_id: '7b0f4b26-5d0b-4f0c-8f53-1f0e6cf40f6a',
			user_email: 'ana@example.com',
			recorded_at: '2026-03-02T09:00:00.000Z',
			recording_duration_seconds: 1834,
			summary: 'Roof inspection, quote wanted by Friday.',
			custom_insights: null,
			surveys: [
				{
					surveyId: '9f3e8a10-8c0f-4a8b-9a27-6f4a6f6b2b71',
					conversationId,
					surveyName: 'After the visit',
					createdAt: '2026-03-02T09:59:00.000Z',
					data: { 'Was the offer explained?': 'yes' },
				},
			],
			appointment_id: 'evt-1',
			customer: { name: 'Sam Doe', email: null, phone: '+15550100' },
			...data,
		},
	};
}

/** A `test` event, as sent by Send test: synthetic data with nulls (D1 § test). */
export function testEvent() {
	const event = processedEvent('00000000-0000-4000-8000-000000000000', {
		user_id: null,
		transcript_url: null,
	});
	return { ...event, event_type: 'test' };
}

/** The body and headers of a delivery, signed if a secret is given. */
export function delivery(event: unknown, secret?: string, headers: Record<string, string> = {}) {
	const body = Buffer.isBuffer(event) ? event : Buffer.from(JSON.stringify(event));
	return {
		body,
		headers: {
			'content-type': 'application/json',
			...(secret === undefined ? {} : { 'x-service-signature': sign(body, secret) }),
			...headers,
		} as Record<string, string>,
	};
}
