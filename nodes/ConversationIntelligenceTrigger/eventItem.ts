import type { IDataObject } from 'n8n-workflow';
import type { ReceivedEnvelope } from '../shared/contract';
import { linkExpiry } from '../shared/conversation';

/**
 * The trigger's item for one event: the envelope's `data`, then the event's own fields, and two computed ones.
 * `dedupeKey` is the conversation's ID, which stays the same over redeliveries; `webhook_event_id` does not
 * (D1 § Envelope).
 *
 * @param envelope one that was judged and read
 * @returns the item's JSON; `transcriptUrlExpiresAt` is null without a transcript
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
