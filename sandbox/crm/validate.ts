import { z } from 'zod';
import { exact, own, Refusal } from './answers';
import { type AppointmentInput, recordingTypes } from './appointment';

/** What the body parser hands over for a body that is not JSON. */
export class InvalidJson {}

const filled = z.string().refine((text) => text.trim() !== '');
const timestampShape = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** `yyyy-mm-dd hh:mm:ss`, and a moment that exists. */
export function isTimestamp(value: string): boolean {
	if (!timestampShape.test(value)) return false;
	const at = new Date(`${value.replace(' ', 'T')}Z`);
	return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value.replace(' ', 'T'));
}

const timestamp = z.string().refine(isTimestamp);
const customer = z.object({
	id: filled,
	name: filled,
	email: z.string().optional(),
	phone: z.string().optional(),
	address: z.string().optional(),
});

const notShown = (field: string, rule: string) => `${field} must be ${rule}`;
const optionalText = (field: string) => ({
	[field]: { schema: z.string().optional(), text: notShown(field, 'a string') },
});

/**
 * Checked one after the other; the first that fails is the answer. The texts of `user_email` and
 * `attendee_emails` are the document's. Sandbox's own choice: the order, and every other text.
 */
const fields: Record<string, { schema: z.ZodTypeAny; text: string }> = {
	event_id: { schema: filled, text: notShown('event_id', 'a non-empty string') },
	user_email: { schema: filled, text: exact.userEmail },
	attendee_emails: { schema: z.array(filled).optional(), text: exact.attendees },
	start_time: {
		schema: timestamp.optional(),
		text: notShown('start_time', 'UTC in the format yyyy-mm-dd hh:mm:ss'),
	},
	end_time: {
		schema: timestamp.optional(),
		text: notShown('end_time', 'UTC in the format yyyy-mm-dd hh:mm:ss'),
	},
	title: { schema: filled.optional(), text: notShown('title', 'a non-empty string') },
	customer: { schema: customer.optional(), text: notShown('customer', 'an object with id and name') },
	price: { schema: z.number().optional(), text: notShown('price', 'a number') },
	custom_fields: { schema: z.record(z.unknown()).optional(), text: notShown('custom_fields', 'an object') },
	media_url: { schema: z.string().url().optional(), text: notShown('media_url', 'a URL') },
	recording_type: {
		schema: z.enum(recordingTypes).optional(),
		text: notShown('recording_type', `one of ${recordingTypes.join(', ')}`),
	},
	...optionalText('result'),
	...optionalText('type'),
	...optionalText('location'),
	...optionalText('lead_source'),
};

const requiredOnCreate = ['start_time', 'end_time', 'title', 'customer'] as const;

function objectIn(body: unknown): Record<string, unknown> {
	if (body === undefined || body instanceof InvalidJson) throw new Refusal(400, exact.invalidJson);
	if (typeof body !== 'object' || body === null || Array.isArray(body))
		throw new Refusal(400, own.notAnObject);
	return Object.fromEntries(Object.entries(body));
}

/**
 * The body of POST /custom/appointment, less what the document does not know.
 * @throws Refusal 400 with the document's text where it shows one (D2 § Errors).
 */
export function appointmentIn(body: unknown): AppointmentInput {
	const given = objectIn(body);
	for (const [name, { schema, text }] of Object.entries(fields)) {
		if (!schema.safeParse(given[name]).success) throw new Refusal(400, text);
	}
	const known = Object.entries(given).filter(([name]) => name in fields);
	// Each field has just been checked against its schema above.
	const input = Object.fromEntries(known) as unknown as AppointmentInput;
	if (input.media_url !== undefined) checkMedia(input);
	return input;
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
	const missing = requiredOnCreate.filter((field) => input[field] === undefined);
	if (missing.length) throw new Refusal(400, `Missing required field: ${missing.join(', ')}`);
}

/** The body of POST /custom/appointment/match. @throws Refusal 400 with the document's texts. */
export function matchIn(body: unknown): { event_id: string; conversation_id: string } {
	if (body === undefined || body instanceof InvalidJson) throw new Refusal(400, exact.invalidJson);
	const parsed = z.object({ event_id: filled, conversation_id: filled }).safeParse(body);
	if (!parsed.success) throw new Refusal(400, exact.missingParameters);
	return parsed.data;
}
