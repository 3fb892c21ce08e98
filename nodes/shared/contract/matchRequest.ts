import { z } from 'zod';

/** Body of POST /custom/appointment/match (D2 § Match request). */
export const matchRequestSchema = z.object({
	/** External ID of a calendar event already on file for the organization. */
	event_id: z.string().min(1),
	/** ID of an existing conversation in the organization. */
	conversation_id: z.string().uuid(),
});
export type MatchRequest = z.infer<typeof matchRequestSchema>;

/** The body of a successful match (D2 § POST /custom/appointment/match). */
export const MATCHED_BODY = 'Successfully matched conversation to event';
