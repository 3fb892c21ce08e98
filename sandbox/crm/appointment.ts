import { z } from 'zod';
import { exact, own, Refusal } from './answers';

/** What the body parser returns for a body that is not JSON. */
export class InvalidJson {}

const filled = z.string().refine((text) => text.trim() !== '');
const text = z.string().optional();

/** `yyyy-mm-dd hh:mm:ss`, and a moment that exists. */
function isTimestamp(value: string): boolean {
	const iso = `${value.replace(' ', 'T')}.000Z`;
	const at = new Date(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(value) ? iso : Number.NaN);
	return !Number.isNaN(at.getTime()) && at.toISOString() === iso;
}

const timestamp = z.string().refine(isTimestamp).optional();
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

const timestampRule = 'must be UTC in the format yyyy-mm-dd hh:mm:ss';
/** The texts of `user_email` and `attendee_emails` are the document's. Sandbox's own choice: every other text. */
const refusals: Record<keyof AppointmentInput, string> = {
	event_id: 'event_id must be a non-empty string',
	user_email: exact.userEmail,
	attendee_emails: exact.attendees,
	start_time: `start_time ${timestampRule}`,
	end_time: `end_time ${timestampRule}`,
	title: 'title must be a non-empty string',
	customer: 'customer must be an object with id and name',
	price: 'price must be a number',
	custom_fields: 'custom_fields must be an object',
	media_url: 'media_url must be a URL',
	recording_type: `recording_type must be one of ${recordingTypes.join(', ')}`,
	result: 'result must be a string',
	type: 'type must be a string',
	location: 'location must be a string',
	lead_source: 'lead_source must be a string',
};

/**
 * The body of POST /custom/appointment, without the fields that the document does not list.
 * @throws Refusal 400 with the document's text where it shows one (D2 § Errors).
 */
export function appointmentIn(body: unknown): AppointmentInput {
	if (body === undefined || body instanceof InvalidJson) throw new Refusal(400, exact.invalidJson);
	const { success, data, error } = shape.safeParse(body);
	if (!success) {
		// Sandbox's own choice: the first field that is wrong is the answer.
		const field = shape.keyof().safeParse(error.issues[0].path[0]);
		throw new Refusal(400, field.success ? refusals[field.data] : own.notAnObject);
	}
	if (data.media_url !== undefined) checkMedia(data);
	return data;
}

function checkMedia({ attendee_emails, recording_type, location }: AppointmentInput): void {
	if (attendee_emails?.length) throw new Refusal(400, exact.attendeesWithMedia);
	if (recording_type === undefined) throw new Refusal(400, 'recording_type is required with media_url');
	if (recording_type === 'CALL_AUDIO_WITH_LOCATION' && !location?.trim()) {
		throw new Refusal(400, 'location is required with recording_type CALL_AUDIO_WITH_LOCATION');
	}
}

/** @throws Refusal 400 when a field that only a new appointment needs is missing. */
export function checkCreate(input: AppointmentInput): void {
	const required = ['start_time', 'end_time', 'title', 'customer'] as const;
	const missing = required.filter((field) => input[field] === undefined);
	if (missing.length) throw new Refusal(400, `Missing required field: ${missing.join(', ')}`);
}

/** The body of POST /custom/appointment/match. @throws Refusal 400 with the document's texts. */
export function matchIn(body: unknown): { event_id: string; conversation_id: string } {
	if (body === undefined || body instanceof InvalidJson) throw new Refusal(400, exact.invalidJson);
	const parsed = z.object({ event_id: filled, conversation_id: filled }).safeParse(body);
	if (!parsed.success) throw new Refusal(400, exact.missingParameters);
	return parsed.data;
}
