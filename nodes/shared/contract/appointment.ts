import { z } from 'zod';

/** How a recording came about (D2 § Appointment, recording types). */
export const recordingTypeSchema = z.enum(['CALL_AUDIO', 'APPOINTMENT_AUDIO', 'CALL_AUDIO_WITH_LOCATION']);

/** The exact bodies with which the service refuses an appointment (D2 § Errors). */
export const APPOINTMENT_REFUSALS = {
	userEmail: 'user_email must be a non-empty string',
	attendees: 'attendee_emails must be an array of non-empty strings',
	attendeesWithMedia: 'attendee_emails cannot be combined with media_url',
} as const;

const filled = z.string().min(1);

/** UTC, to the second (D2 § Limits). */
const timestamp = z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);

/** Customer object: may be left out of an update, but never goes without ID and name (D2 § Customer object, § Errors). */
export const customerSchema = z.object({
	id: filled,
	name: filled,
	email: z.string().optional(),
	phone: z.string().optional(),
	address: z.string().optional(),
});

/** What every request carries and may carry; on update only the first two are required (D2 § Rules, 3). */
const updateShape = z.object({
	event_id: filled,
	user_email: filled,
	attendee_emails: z.array(filled).optional(),
	start_time: timestamp.optional(),
	end_time: timestamp.optional(),
	title: filled.optional(),
	customer: customerSchema.optional(),
	/** An unknown outcome is created, an empty one too (D2 § Rules, 2). */
	result: filled.optional(),
	type: z.string().optional(),
	price: z.number().finite().optional(),
	media_url: z.string().optional(),
	recording_type: z.string().optional(),
	location: z.string().optional(),
	lead_source: z.string().optional(),
	custom_fields: z.record(z.unknown()).optional(),
});
export type Appointment = z.infer<typeof updateShape>;

/** Body of POST /custom/appointment that updates an appointment already on file. */
export const appointmentUpdateSchema = updateShape.superRefine(checkRecording);

/** Body of POST /custom/appointment that may create the appointment (D2 § Appointment, required on create). */
export const appointmentCreateSchema = updateShape
	.required({ start_time: true, end_time: true, title: true, customer: true })
	.superRefine(checkRecording);

/** What a recording needs whether the appointment exists or not (D2 § Appointment; § Errors, 400). */
function checkRecording(appointment: Appointment, context: z.RefinementCtx): void {
	const { attendee_emails: attendees = [], media_url: media, recording_type: type, location } = appointment;
	const refuse = (field: keyof Appointment) =>
		context.addIssue({ code: z.ZodIssueCode.custom, path: [field] });
	if (media === undefined) return;
	if (attendees.length > 0) refuse('attendee_emails');
	if (!recordingTypeSchema.safeParse(type).success) refuse('recording_type');
	if (type === recordingTypeSchema.enum.CALL_AUDIO_WITH_LOCATION && !location) refuse('location');
}

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
