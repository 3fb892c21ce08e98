import { z } from 'zod';
import { Problem } from '../problem';

/** Bodies that D2's table of exact texts shows. */
export const exact = {
	userEmail: 'user_email must be a non-empty string',
	attendees: 'attendee_emails must be an array of non-empty strings',
	attendeesWithMedia: 'attendee_emails cannot be combined with media_url',
	// In place of the brand word, which the documents do not carry: clients must go by status and prefix.
	nobodyResolved: 'User email is not in Sandbox',
	invalidJson: 'Invalid JSON data',
	missingParameters: 'Missing some required parameters in the body',
	eventNotFound: 'Event not found',
	conversationNotFound: 'Conversation not found',
	forbidden: 'Forbidden',
	noRecording: 'Conversation has no recording to link',
	recordingGone: "Conversation's recording could not be found to link",
	matched: 'Successfully matched conversation to event',
} as const;

/** Sandbox's own choice: bodies that D2 leaves open. */
export const own = {
	saved: 'Appointment saved',
	deleted: 'Appointment deleted',
	appointmentNotFound: 'Appointment not found',
	hasRecording: 'Appointment has a linked recording',
	unmappedKey: 'Key is not mapped to an active organization',
	invalidParameters: 'Invalid parameters',
	unexpected: 'Internal Server Error',
} as const;

const filled = z.string().refine((given) => given.trim() !== '', 'must be a non-empty string');
const text = z.string().optional();

/** `yyyy-mm-dd hh:mm:ss`, and a moment that exists. */
function isTimestamp(value: string): boolean {
	const iso = `${value.replace(' ', 'T')}.000Z`;
	const at = new Date(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(value) ? iso : Number.NaN);
	return !Number.isNaN(at.getTime()) && at.toISOString() === iso;
}

const timestamp = z.string().refine(isTimestamp, 'must be UTC in the format yyyy-mm-dd hh:mm:ss').optional();
const customer = z.object({ id: filled, name: filled, email: text, phone: text, address: text });
const recordingTypes = ['CALL_AUDIO', 'APPOINTMENT_AUDIO', 'CALL_AUDIO_WITH_LOCATION'] as const;

/** What a caller may send (D2 § Appointment), in the order in which the fields are checked. */
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

/** An appointment as it is kept. Times are exactly as they were sent. */
export interface Appointment extends Omit<AppointmentInput, 'attendee_emails'> {
	/** Internal ID; DELETE must not accept it. */
	id: string;
	organizationId: string;
	/** Primary emails of the attendees, the whole list. */
	attendees: string[];
	createdAt: string;
	updatedAt: string;
}

/** The document's texts. Sandbox's own choice: every other text. */
const refusals = new Map<unknown, string>([
	['user_email', exact.userEmail],
	['attendee_emails', exact.attendees],
]);

/**
 * The body of POST /custom/appointment, without the fields that the document does not list.
 * @throws Problem 400 with the document's text where it shows one (D2 § Errors).
 */
export function appointmentIn(body: unknown): AppointmentInput {
	if (body === undefined) throw new Problem(exact.invalidJson, 400);
	const { success, data, error } = shape.safeParse(body);
	if (!success) {
		// Sandbox's own choice: the first field that is wrong is the answer.
		const [{ path, message }] = error.issues;
		throw new Problem(refusals.get(path[0]) ?? [...path, message].join(': '), 400);
	}
	if (data.media_url !== undefined) checkMedia(data);
	return data;
}

function checkMedia({ attendee_emails, recording_type, location }: AppointmentInput): void {
	if (attendee_emails?.length) throw new Problem(exact.attendeesWithMedia, 400);
	if (recording_type === undefined) throw new Problem('recording_type is required with media_url', 400);
	if (recording_type === 'CALL_AUDIO_WITH_LOCATION' && !location?.trim()) {
		throw new Problem('location is required with recording_type CALL_AUDIO_WITH_LOCATION', 400);
	}
}

/** @throws Problem 400 when a field that only a new appointment needs is missing. */
export function checkCreate(input: AppointmentInput): void {
	const required = ['start_time', 'end_time', 'title', 'customer'] as const;
	const missing = required.filter((field) => input[field] === undefined);
	if (missing.length) throw new Problem(`Missing required field: ${missing.join(', ')}`, 400);
}

/** The body of POST /custom/appointment/match. @throws Problem 400 with the document's texts. */
export function matchIn(body: unknown): { event_id: string; conversation_id: string } {
	if (body === undefined) throw new Problem(exact.invalidJson, 400);
	const parsed = z.object({ event_id: filled, conversation_id: filled }).safeParse(body);
	if (!parsed.success) throw new Problem(exact.missingParameters, 400);
	return parsed.data;
}
