import { randomUUID } from 'node:crypto';
import { buildConversation } from '../data/conversation';
import type { Organization } from '../data/organization';
import type { Row } from '../data/rows';

export type EventType = 'conversation_processed' | 'test';

/** The body of a delivery attempt, with a new ID each time (D1 § Envelope). */
export function envelope<Data>(event_type: EventType, data: Data) {
	return { webhook_event_id: randomUUID(), event_type, sent_at: new Date().toISOString(), data };
}

/** `data` of a `conversation_processed` event, in the documented order (D1 § EventData). */
export function conversationData(organization: Organization, row: Row) {
	const conversation = buildConversation(organization, row);
	const { conversationId, user, customer } = conversation;
	// Sandbox's own choice: without talk metrics, there is no transcript.
	const hasTranscript = conversation.repTalkRatio !== null;
	return {
		conversation_id: conversationId,
		organization_id: organization.id,
		conversation_url: conversation.serviceUrl,
		transcript_url: hasTranscript ? conversation.transcriptUrl : null,
		user_id: user.id,
		user_email: user.email,
		recorded_at: conversation.date,
		recording_duration_seconds: conversation.duration,
		summary: conversation.jobSummary,
		custom_insights: conversation.customSummary,
		surveys: conversation.surveyResults.map(({ surveyId, surveyName, data }) => ({
			surveyId,
			conversationId,
			surveyName,
			createdAt: conversation.processedDate,
			data,
		})),
		appointment_id: conversation.crmEventID,
		customer: contactOf(customer),
	};
}

/** Null without contact fields. Never includes an address. */
function contactOf(customer: { name: unknown; email: unknown; phone: unknown } | null) {
	if (!customer) return null;
	const { name, email, phone } = customer;
	return name === null && email === null && phone === null ? null : { name, email, phone };
}

/** `data` of Send test. Sandbox's own choice: which values besides `user_id` are null. */
export function testData({ id, addresses }: Organization) {
	const conversation_id = randomUUID();
	return {
		conversation_id,
		organization_id: id,
		conversation_url: `${addresses.appUrl}/conversations/${conversation_id}`,
		transcript_url: null,
		user_id: null,
		user_email: 'test@example.com',
		recorded_at: new Date().toISOString(),
		recording_duration_seconds: 0,
		summary: 'This is a test event.',
		custom_insights: null,
		surveys: [],
		appointment_id: null,
		customer: null,
	};
}
