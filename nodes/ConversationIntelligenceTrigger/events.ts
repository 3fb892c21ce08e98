import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import type { z } from 'zod';
import { linkExpiry } from '../shared/exportApi/rows';
import { envelopeSchema, eventDataSchema, type ReceivedEnvelope } from '../shared/exportApi/schemas';
import { withOrigin } from '../shared/triggers/conversations';

/** What the trigger does with an event of one type. */
export interface EventRule {
	/** In Trigger On. */
	option: Omit<INodePropertyOptions, 'value'>;
	/**
	 * Field of the export → field of the data that surely says the same: not the duration, which is that of the recording
	 * here. Without it, the event is about no conversation.
	 */
	row?: { conversationId: string } & Record<string, string>;
	/** Whether a second event with the same content starts nothing. */
	isRemembered: boolean;
	/** What the item of Event has; a hint names what differs. */
	fields: Parameters<typeof eventDataSchema.merge>[0];
}

const fields = eventDataSchema.merge(envelopeSchema.omit({ data: true, event_type: true }));

/** The known event types (D1 § Envelope). An event of any other type starts nothing. */
export const EVENTS = new Map(
	Object.entries<EventRule>({
		conversation_processed: {
			option: {
				name: 'Conversation Processed',
				action: 'On conversation processed',
				description: 'Transcript, summary, scoring and surveys are ready',
			},
			row: {
				conversationId: 'conversation_id',
				userEmail: 'user_email',
				transcriptUrl: 'transcript_url',
				customer: 'customer',
			},
			isRemembered: true,
			fields,
		},
		test: {
			option: { name: 'Test', action: 'On test sent from web app', description: 'Send test in the web app' },
			isRemembered: false,
			fields,
		},
	}),
);

/**
 * What an event says of its conversation, by the names of the export; nothing for an event about none. A value that the
 * documentation does not describe says nothing.
 */
export function rowOf({ event_type, data }: ReceivedEnvelope): IDataObject {
	const { row = {}, fields } = EVENTS.get(event_type)!;
	const said = Object.entries<string>(row).filter(
		([, name]) => data[name] !== '' && (fields.shape[name] as z.ZodTypeAny).safeParse(data[name]).success,
	);
	return Object.fromEntries(said.map(([field, name]) => [field, data[name]])) as IDataObject;
}

/**
 * The item of Event: the envelope's `data`, the event's own fields, and what each item has. `dedupeKey` is the
 * conversation's ID, because `webhook_event_id` changes with each attempt (D1 § Envelope); `transcriptUrlExpiresAt` is null
 * without a transcript. A test has the documented fields too.
 */
export function eventItem(envelope: ReceivedEnvelope): IDataObject {
	const { data, ...event } = envelope;
	const { row, fields } = EVENTS.get(envelope.event_type)!;
	const documented = row ? [] : Object.keys(fields.shape as object).map((name) => [name, null]);
	const hasTranscript = typeof data.transcript_url === 'string';
	const added = { transcriptUrlExpiresAt: hasTranscript ? linkExpiry(event.sent_at) : null };
	const item = { ...Object.fromEntries(documented), ...data, ...event, ...added } as IDataObject;
	return withOrigin(item, data.conversation_id ?? null, { source: 'webhook', isTest: row === undefined });
}
