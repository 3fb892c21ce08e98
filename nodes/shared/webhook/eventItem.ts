import type { IDataObject } from 'n8n-workflow';
import type { ReceivedEnvelope } from '../contract';

/** How long presigned links live: six hours from sending or answering (D1 § Limits). */
export const LINK_LIFETIME_MS = 6 * 60 * 60 * 1000;

/**
 * What the trigger puts out for one event: the envelope's `data`, then the event's own fields, and two that spare
 * the workflow a calculation. `dedupeKey` is the conversation's ID, which stays the same over redeliveries;
 * `webhook_event_id` does not (D1 § Envelope).
 */
export function eventItem(envelope: ReceivedEnvelope): IDataObject {
	const { data, ...event } = envelope;
	return {
		...data,
		...event,
		dedupeKey: data.conversation_id ?? null,
		transcriptUrlExpiresAt: typeof data.transcript_url === 'string' ? linkExpiry(event.sent_at) : null,
	} as IDataObject;
}

/**
 * When a presigned link ends at the latest.
 *
 * @param issued ISO 8601 text or milliseconds since 1970
 * @returns ISO 8601 in UTC; null when the time of issue has no meaning
 */
export function linkExpiry(issued: unknown): string | null {
	const at = typeof issued === 'number' ? issued : Date.parse(String(issued));
	const end = new Date(at + LINK_LIFETIME_MS);
	return Number.isNaN(end.getTime()) ? null : end.toISOString();
}
