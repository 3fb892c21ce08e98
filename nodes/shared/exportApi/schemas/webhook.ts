import { z } from 'zod';
import { object } from './object';

/** A survey in a delivery (D1 § EventSurvey). */
export const eventSurveySchema = object({
	surveyId: z.string(),
	conversationId: z.string(),
	surveyName: z.string(),
	createdAt: z.string(),
	data: z.record(z.unknown()),
});

/** Contact fields of the customer; no address (D1 § EventCustomer). */
export const eventCustomerSchema = object({
	name: z.string().nullable(),
	email: z.string().nullable(),
	phone: z.string().nullable(),
});

/** The data of a processed conversation (D1 § EventData). */
export const eventDataSchema = object({
	conversation_id: z.string(),
	organization_id: z.string(),
	conversation_url: z.string(),
	transcript_url: z.string().nullable(),
	user_id: z.string(),
	user_email: z.string(),
	recorded_at: z.string(),
	recording_duration_seconds: z.number(),
	summary: z.string().nullable(),
	custom_insights: z.string().nullable(),
	surveys: z.array(eventSurveySchema),
	appointment_id: z.string().nullable(),
	customer: eventCustomerSchema.nullable(),
});

/** The envelope of a processed conversation, as documented (D1 § Envelope). */
export const envelopeSchema = object({
	webhook_event_id: z.string(),
	event_type: z.literal('conversation_processed'),
	sent_at: z.string(),
	data: eventDataSchema,
});

/**
 * The minimum that a body needs to be an event of a known type: what happened, and to what. Everything else may be missing or null,
 * as in a `test` with its synthetic values, and is reported in the execution instead of refused.
 */
export const receivedEnvelopeSchema = object({ event_type: z.string().min(1), data: z.record(z.unknown()) });
export type ReceivedEnvelope = z.infer<typeof receivedEnvelopeSchema>;
