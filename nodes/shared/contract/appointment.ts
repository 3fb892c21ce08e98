import { z } from 'zod';

/** How a recording came about (D2 § Appointment, recording types). */
export const recordingTypeSchema = z.enum(['CALL_AUDIO', 'APPOINTMENT_AUDIO', 'CALL_AUDIO_WITH_LOCATION']);
export type RecordingType = z.infer<typeof recordingTypeSchema>;

/** The exact bodies with which the service refuses an appointment (D2 § Errors). */
export const APPOINTMENT_REFUSALS = {
	userEmail: 'user_email must be a non-empty string',
	attendees: 'attendee_emails must be an array of non-empty strings',
	attendeesWithMedia: 'attendee_emails cannot be combined with media_url',
} as const;

const required = (field: string, how: string) => {
	const message = `${field} is required${how}`;
	return z.string({ required_error: message, invalid_type_error: `${field} must be text` }).min(1, message);
};

/** UTC, to the second (D2 § Limits). */
const timestamp = z
	.string()
	.regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'times must have the format yyyy-mm-dd hh:mm:ss');

const WHOLE = ' as soon as any field of the customer is set';

/** Customer object: may be left out of an update, but never goes without ID and name (D2 § Customer object, § Errors). */
export const customerSchema = z.object(
	{
		id: required('Customer ID (customer_id)', WHOLE),
		name: required('Customer Name (customer_name)', WHOLE),
		email: z.string().optional(),
		phone: z.string().optional(),
		address: z.string().optional(),
	},
	{ required_error: 'customer_id and customer_name are required on create' },
);
export type Customer = z.infer<typeof customerSchema>;

const attendeeEmail = z
	.string({ invalid_type_error: APPOINTMENT_REFUSALS.attendees })
	.refine((email) => email.trim() !== '', APPOINTMENT_REFUSALS.attendees);

/** What every request carries and may carry; on update only the first two are required (D2 § Rules, 3). */
const updateShape = z.object({
	event_id: required('event_id', ': your own ID of the appointment'),
	user_email: z
		.string({
			required_error: APPOINTMENT_REFUSALS.userEmail,
			invalid_type_error: APPOINTMENT_REFUSALS.userEmail,
		})
		.min(1, APPOINTMENT_REFUSALS.userEmail),
	attendee_emails: z.array(attendeeEmail, { invalid_type_error: APPOINTMENT_REFUSALS.attendees }).optional(),
	start_time: timestamp.optional(),
	end_time: timestamp.optional(),
	title: z.string().optional(),
	customer: customerSchema.optional(),
	result: z.string().optional(),
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
export const appointmentUpdateSchema = updateShape.superRefine(checkCombinations);

/** Body of POST /custom/appointment that may create the appointment (D2 § Appointment, required on create). */
export const appointmentCreateSchema = updateShape
	.extend({
		start_time: required('start_time', ' on create').pipe(timestamp),
		end_time: required('end_time', ' on create').pipe(timestamp),
		title: required('title', ' on create'),
		customer: customerSchema,
	})
	.superRefine(checkCombinations);

/** What a recording needs whether the appointment exists or not (D2 § Appointment; § Errors, 400). */
function checkCombinations(appointment: Appointment, context: z.RefinementCtx): void {
	const { attendee_emails: attendees = [], media_url: media, recording_type: type, location } = appointment;
	if (media === undefined) return;
	if (attendees.length > 0) refuse(context, 'attendee_emails', APPOINTMENT_REFUSALS.attendeesWithMedia);
	if (type === undefined) refuse(context, 'recording_type', 'recording_type is required with media_url');
	else if (!recordingTypeSchema.safeParse(type).success) {
		const known = recordingTypeSchema.options.join(', ');
		refuse(context, 'recording_type', `recording_type must be one of ${known}, not "${type}"`);
	}
	if (type === recordingTypeSchema.enum.CALL_AUDIO_WITH_LOCATION && !location) {
		refuse(context, 'location', 'location is required when recording_type is CALL_AUDIO_WITH_LOCATION');
	}
}

function refuse(context: z.RefinementCtx, field: string, message: string): void {
	context.addIssue({ code: z.ZodIssueCode.custom, path: [field], message });
}
