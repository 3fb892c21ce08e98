import type { ReceivedEnvelope } from '../shared/exportApi/schemas';
import { isObject } from '../shared/node/isObject';

/**
 * What makes two deliveries the same event: everything but what the service makes for each attempt, which is
 * `webhook_event_id`, `sent_at` (D1 § Envelope) and presigned links. A conversation that is processed again differs.
 */
export function deliveryContent(envelope: ReceivedEnvelope): string {
	const event = { ...envelope, webhook_event_id: undefined, sent_at: undefined };
	return JSON.stringify(event, (name, value: unknown) => {
		// Only its signature changes with each attempt: another file has another path.
		if (isLink(value)) return name === 'transcript_url' ? undefined : value.replace(/[?#].*/s, '');
		return isObject(value) ? inOrder(value) : value;
	});
}

function isLink(value: unknown): value is string {
	return typeof value === 'string' && /^https?:\/\/\S+$/i.test(value);
}

/** The order of keys means nothing in JSON. */
function inOrder(value: object): object {
	return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
