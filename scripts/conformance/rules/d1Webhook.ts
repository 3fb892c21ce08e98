import { fieldTable, section } from './types';

export const subscriptions = section('D1', 'Webhook subscription management', {
	'D1-SUB-01': 'Managed only in the web app (admin role).',
	'D1-SUB-02': 'HTTPS URL required; signing secret optional; up to five custom headers optional.',
	'D1-SUB-03': 'Can be enabled or disabled without deletion.',
	'D1-SUB-04': 'Headers can be edited.',
	'D1-SUB-05': 'Can be deleted.',
	'D1-SUB-06': 'A test can be sent.',
});

export const signature = section('D1', 'Authentication – Webhook delivery', {
	'D1-SIG-01': 'With a secret: `X-Service-Signature: sha256=<lowercase hex HMAC-SHA256 of the raw body>`.',
	'D1-SIG-02': 'Receivers hash the raw bytes (never re-serialized JSON) and compare in constant time.',
	'D1-SIG-03': 'A mismatch means reject.',
	'D1-SIG-04': 'Without a secret no signature header is sent.',
	'D1-SIG-05': 'Custom headers may carry receiver credentials, stored encrypted and visible to admins only.',
});

export const processedEvent = section('D1', 'conversation_processed', {
	'D1-EVENT-01': 'Emitted once per matching subscription when a conversation is fully processed.',
	'D1-EVENT-02': 'One POST with `Content-Type: application/json`.',
	'D1-EVENT-03': 'Carries the custom headers, and the signature header when a secret exists.',
	'D1-EVENT-04': 'Subscriptions apply to the whole organization.',
});

export const envelope = fieldTable('D1', 'Envelope', 'D1-ENVELOPE', [
	['webhook_event_id', 'string (uuid)', 'Per delivery attempt; can change on retry.'],
	['event_type', 'string', '`conversation_processed`, or `test` for the test send.'],
	['sent_at', 'string (ISO 8601)', 'Time the attempt was built.'],
	['data', 'EventData'],
]);

export const eventData = fieldTable('D1', 'data for conversation_processed', 'D1-DATA', [
	['conversation_id', 'string (uuid)', 'Stable across redeliveries.'],
	['organization_id', 'string (uuid)'],
	['conversation_url', 'string', 'Link to the conversation in the web app.'],
	['transcript_url', 'string | null', 'Presigned link to the transcript JSON; null if no transcript.'],
	['user_id', 'string (uuid)', 'The rep.'],
	['user_email', 'string'],
	['recorded_at', 'string (ISO 8601)'],
	['recording_duration_seconds', 'number'],
	['summary', 'string | null'],
	['custom_insights', 'string | null'],
	['surveys', 'EventSurvey[]', 'Survey objects.'],
	['appointment_id', 'string | null', 'External CRM appointment ID.'],
	['customer', 'EventCustomer | null', 'Null when no contact fields exist; no address.'],
]);

export const eventCustomer = fieldTable('D1', 'data.customer', 'D1-EVENTCUSTOMER', [
	['name', 'string | null'],
	['email', 'string | null'],
	['phone', 'string | null'],
]);

export const eventSurvey = fieldTable('D1', 'Survey object', 'D1-EVENTSURVEY', [
	['surveyId', 'string (uuid)'],
	['conversationId', 'string (uuid)', 'Same as the envelope.'],
	['surveyName', 'string'],
	['createdAt', 'string (ISO 8601)'],
	['data', 'object', 'Free-form, keyed by question.'],
]);

export const testEvent = section('D1', 'test', {
	'D1-TEST-01': 'A sample envelope with `event_type` = `test` and synthetic data; values can be null.',
	'D1-TEST-02': 'Carries the saved custom headers.',
	'D1-TEST-03': 'Carries a real signature if a secret is set.',
	'D1-TEST-04': 'The result shows the HTTP status the endpoint returned; 2xx means success.',
});

export const deliveryRules = section('D1', 'Delivery rules', {
	'D1-WH-01': 'A non-2xx answer, a network error or no answer within 10 seconds is a failure.',
	'D1-WH-02': 'Eligible for retry only when every matching subscription fails.',
	'D1-WH-03': 'Best effort; repeated failures can reach a dead-letter queue.',
	'D1-WH-04': 'Ordering is not guaranteed; writes are made idempotent using `data.conversation_id`.',
	'D1-WH-05': 'Only HTTPS endpoints are delivered to.',
	'D1-WH-06': 'With a custom header redirects are not followed, live or test; a 3xx is a failed delivery.',
	'D1-WH-07': 'Missed events are reconciled through the export endpoints.',
});

export const customHeaders = section('D1', 'Custom headers', {
	'D1-HDR-01': 'At most five per subscription; names unique ignoring case.',
	'D1-HDR-02': 'Valid HTTP header text; no spaces in names; no carriage returns or line breaks in values.',
	'D1-HDR-03': 'The whole header map as JSON must fit in 4096 UTF-8 bytes.',
	'D1-HDR-04': 'The twelve reserved names cannot be set, in any capitalization.',
	'D1-HDR-05': 'They never replace content type or signature; both tests and live deliveries carry them.',
});
