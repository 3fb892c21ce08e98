import { z } from 'zod';
import { Problem } from '../problem';

// Texts are D2's where it has one (§ Errors), and otherwise the sandbox's own choice.

const filled = z.string().refine((given) => given.trim() !== '', 'must be a non-empty string');
const text = z.string().optional();

/** Whether the value is `yyyy-mm-dd hh:mm:ss` and exists in the calendar. */
function isTimestamp(value: string): boolean {
	const iso = `${value.replace(' ', 'T')}.000Z`;
	const at = new Date(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(value) ? iso : Number.NaN);
	return !Number.isNaN(at.getTime()) && at.toISOString() === iso;
}

const timestamp = z.string().refine(isTimestamp, 'must be UTC in the format yyyy-mm-dd hh:mm:ss').optional();
const customer = z.object({ id: filled, name: filled, email: text, phone: text, address: text });
const recordingTypes = ['CALL_AUDIO', 'APPOINTMENT_AUDIO', 'CALL_AUDIO_WITH_LOCATION'] as const;

/** The request body (D2 § Appointment). Fields are checked in this order. */
const shape = z.object({
	event_id: filled,
	user_email: filled,
	attendee_emails: z.array(filled).optional(),
	start_time: timestamp,
	end_time: timestamp,
	title: filled.optional(),
	customer: customer.passthrough().optional(),
	price: z.number().optional(),
	custom_fields: z.record(z.unknown()).optional(),
	media_url: z.string().url().optional(),
	recording_type: z.enum(recordingTypes).optional(),
	result: text,
	type: text,
	location: text,
	lead_source: text,
});
export type AppointmentInput = z.output<typeof shape>;

/** A stored appointment. Times are kept as sent. */
export interface Appointment extends Omit<AppointmentInput, 'attendee_emails'> {
	/** Internal ID; DELETE must not accept it. */
	id: string;
	organizationId: string;
	/** Primary emails of all attendees. */
	attendees: string[];
	createdAt: string;
	updatedAt: string;
}

/** D2's texts by field. */
const refusals = new Map<unknown, string>([
	['user_email', 'user_email must be a non-empty string'],
	['attendee_emails', 'attendee_emails must be an array of non-empty strings'],
]);

/** Validates the body of POST /custom/appointment and drops undocumented fields. */
export function appointmentIn(body: unknown): AppointmentInput {
	if (body === undefined) throw new Problem('Invalid JSON data', 400);
	const { success, data, error } = shape.safeParse(body);
	if (!success) {
		// Sandbox's own choice: only the first invalid field is reported.
		const [{ path, message }] = error.issues;
		throw new Problem(refusals.get(path[0]) ?? [...path, message].join(': '), 400);
	}
	if (data.media_url !== undefined) checkMedia(data);
	return data;
}

function checkMedia({ attendee_emails, recording_type, location }: AppointmentInput): void {
	if (attendee_emails?.length) throw new Problem('attendee_emails cannot be combined with media_url', 400);
	if (recording_type === undefined) throw new Problem('recording_type is required with media_url', 400);
	if (recording_type === 'CALL_AUDIO_WITH_LOCATION' && !location?.trim()) {
		throw new Problem('location is required with recording_type CALL_AUDIO_WITH_LOCATION', 400);
	}
}

/** @throws Problem 400 when a field required for a new appointment is missing. */
export function checkCreate(input: AppointmentInput): void {
	const required = ['start_time', 'end_time', 'title', 'customer'] as const;
	const missing = required.filter((field) => input[field] === undefined);
	if (missing.length) throw new Problem(`Missing required field: ${missing.join(', ')}`, 400);
}

/** Validates the body of POST /custom/appointment/match. @throws Problem 400 with D2's texts. */
export function matchIn(body: unknown): { event_id: string; conversation_id: string } {
	if (body === undefined) throw new Problem('Invalid JSON data', 400);
	const parsed = z.object({ event_id: filled, conversation_id: filled }).safeParse(body);
	if (!parsed.success) throw new Problem('Missing some required parameters in the body', 400);
	return parsed.data;
}
