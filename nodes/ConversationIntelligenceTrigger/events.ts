import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { linkExpiry } from '../shared/exportApi/rows';
import { envelopeSchema, eventDataSchema, type ReceivedEnvelope } from '../shared/exportApi/schemas';

/** What the trigger does with an event of one type. */
export interface EventRule {
	/** In Trigger On. */
	option: Omit<INodePropertyOptions, 'value'>;
	/** Field of the data that names the conversation: required, and what Get Full Conversation fetches. */
	conversation?: string;
	/** Field of the data that the users filter compares; without one, the filter does not apply. */
	user?: string;
	/** Whether a second event with the same content starts nothing. */
	isRemembered: boolean;
	/** What the item has as documented; a hint names what differs. */
	fields?: Parameters<typeof eventDataSchema.merge>[0];
}

/** The known event types (D1 § Envelope). An event of any other type starts nothing. */
export const EVENTS = new Map<string, EventRule>([
	[
		'conversation_processed',
		{
			option: {
				name: 'Conversation Processed',
				action: 'On conversation processed',
				description: 'Transcript, summary, scoring and surveys are ready',
			},
			conversation: 'conversation_id',
			user: 'user_email',
			isRemembered: true,
			fields: eventDataSchema.merge(envelopeSchema.omit({ data: true, event_type: true })),
		},
	],
	[
		'test',
		{
			option: {
				name: 'Test',
				action: 'On test sent from web app',
				description: 'Send test in the web app',
			},
			isRemembered: false,
		},
	],
]);

/**
 * The trigger's item for one event: the envelope's `data`, the event's own fields, and two computed ones. `dedupeKey` is
 * the conversation's ID, because `webhook_event_id` changes with each attempt (D1 § Envelope); `transcriptUrlExpiresAt` is null without a transcript.
 */
export function eventItem({ data, ...event }: ReceivedEnvelope): IDataObject {
	return {
		...data,
		...event,
		dedupeKey: data.conversation_id ?? null,
		transcriptUrlExpiresAt: typeof data.transcript_url === 'string' ? linkExpiry(event.sent_at) : null,
	} as IDataObject;
}
