/** The client of the appointment API (D2 § Endpoints): one function for each endpoint, all of which throw as `send`. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { textOf } from '../shared/errors/codedError';
import { credentialTest, isWebPage, serviceRequest, type ServiceRequest } from '../shared/http';
import type { Item } from '../shared/node/item';
import { quoted } from '../shared/node/parameters';
import { RESPONSE_ERRORS } from './errors';
import type { Appointment } from './mapping/buildAppointment';

const APPOINTMENT = '/custom/appointment';
const MATCH = `${APPOINTMENT}/match`;

/** What one response of the service means, recognized by status and words, not by the service's name. */
interface Refusal {
	status: number;
	/** Of the service's words; without one, any. */
	body?: RegExp;
	code: keyof typeof RESPONSE_ERRORS;
}

/** By D2, only a key without an active organization is left for a 422 that no other row explains. */
const UNMAPPED_KEY: Refusal = { status: 422, code: 'api_key_unmapped' };

/** D2 § Errors: bodies are plain strings, so JSON, a web page, nothing at all and a router's own words are another 404. */
const IS_MISSING = /^(?!\s*[<{[]|.*(No matching route|404 page not found)).*\S/s;

/** The refusals of each endpoint, first match first (D2 § Errors). */
const REFUSALS = {
	upsert: [
		{
			status: 400,
			body: /^attendee_emails cannot be combined with media_url$/,
			code: 'attendees_with_media',
		},
		{ status: 400, code: 'appointment_refused' },
		// This body ends with the name of the service.
		{ status: 422, body: /^User email is not in /, code: 'attendees_unknown' },
		UNMAPPED_KEY,
	],
	delete: [
		{ status: 400, code: 'event_id_refused' },
		{ status: 404, body: IS_MISSING, code: 'appointment_not_found' },
		{ status: 409, code: 'appointment_has_recording' },
		UNMAPPED_KEY,
	],
	match: [
		{ status: 404, body: /^Event not found$/, code: 'appointment_not_found' },
		{ status: 404, body: /^Conversation not found$/, code: 'conversation_not_found' },
		{ status: 422, body: /^Conversation has no recording to link$/, code: 'conversation_without_recording' },
		{ status: 422, body: /^Conversation's recording could not be found to link$/, code: 'recording_gone' },
		UNMAPPED_KEY,
	],
} satisfies Record<string, Refusal[]>;

/** A success: its status and the service's words. */
interface Confirmation {
	status: number;
	response: string;
}

/**
 * Creates or updates an appointment by its event ID (D2 § POST /custom/appointment), or shows it.
 *
 * @returns one output item, with the times in ISO 8601
 */
export async function sendAppointment(
	item: Item,
	{ body, isPreview, said }: Sending,
): Promise<INodeExecutionData[]> {
	const request = { method: 'POST', path: APPOINTMENT, body } as const;
	const response = isPreview ? { preview: true } : await send(item, REFUSALS.upsert, request);
	const { event_id, user_email } = body;
	// The times of the output say that they are UTC, so that the next node reads them right.
	const sent = { ...body };
	for (const time of ['start_time', 'end_time'] as const) {
		if (body[time] !== undefined) sent[time] = `${body[time].replace(' ', 'T')}Z`;
	}
	return [{ json: { event_id, user_email, ...response, sent, warnings: said } }];
}

/** An appointment to send. */
export interface Sending {
	body: Appointment;
	/** Whether only to show it. */
	isPreview: boolean;
	/** What to know about it, one sentence each. */
	said: string[];
}

/**
 * Deletes an appointment (D2 § DELETE /custom/appointment/{id}).
 *
 * @param id the event ID as a segment of a path, URL-encoded
 * @param tolerated refusals that are no failure: 404 without the appointment, 409 because it has a recording
 * @returns also whether it counts as deleted because the response to an earlier attempt was lost: then 404 means that
 *   the attempt was applied
 */
export async function deleteAppointment(
	item: Item,
	id: string,
	tolerated: number[],
): Promise<Confirmation & { isInDoubt: boolean }> {
	let isInDoubt = false;
	const confirmation = await send(item, REFUSALS.delete, {
		method: 'DELETE',
		path: `${APPOINTMENT}/${id}`,
		accepts({ status, body }, inDoubt) {
			isInDoubt = inDoubt && status === 404;
			const isExpected = isInDoubt || tolerated.includes(status);
			return isExpected && (status !== 404 || IS_MISSING.test(plainText(body)));
		},
	});
	return { ...confirmation, isInDoubt };
}

/** Links a conversation to an appointment (D2 § POST /custom/appointment/match). */
export async function postMatch(item: Item, body: IDataObject): Promise<Confirmation> {
	return await send(item, REFUSALS.match, { method: 'POST', path: MATCH, body });
}

/**
 * Sends one request. It asks for plain text, the default of the API, to get the exact bodies of D2 § Errors.
 *
 * @throws RequestError that quotes the body and says whether another try can help, or that the response is a web page
 */
async function send(
	{ context }: Item,
	refusals: Refusal[],
	request: Pick<ServiceRequest, 'method' | 'path' | 'body' | 'accepts'>,
): Promise<Confirmation> {
	const codeOf = ({ status, body }: { status: number; body: string }) =>
		refusals.find((one) => one.status === status && (one.body?.test(plainText(body)) ?? true))?.code;
	const { user_email: owner, attendee_emails: attendees = [] } = request.body ?? {};
	const response = await serviceRequest(context, {
		...request,
		credentialType: 'crmAppointmentApi',
		accept: 'text/plain',
		refusesKey: (refused) => codeOf(refused) === UNMAPPED_KEY.code,
		explain(refused) {
			const code = codeOf(refused);
			// Without a code, the general advice is enough, e.g. for 403, 429 and 5xx.
			if (code === undefined) return undefined;
			const text = textOf(RESPONSE_ERRORS, code, { owner: quoted(owner), attendees: quoted(attendees) });
			// D2 § Errors, retry guidance.
			return { ...text, advice: `Repeating does not help. ${text.advice}` };
		},
	});
	if (isWebPage(response.body)) throw response.unreadable('is a web page, not a confirmation');
	return { status: response.status, response: plainText(response.body) };
}

/** The service's words: a body without outer spaces and the quotes of a JSON string. */
function plainText(body: string): string {
	const text = body.trim();
	return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}

/**
 * Tests the appointment credential with an empty match request, which cannot create or change anything:
 * the service checks the body before it looks anything up (D2 § Errors, exact bodies).
 */
export const crmAppointmentApiTest = credentialTest({
	credentialType: 'crmAppointmentApi',
	path: MATCH,
	keyHeader: 'x-api-key',
	body: {},
	accepts: ({ status, body }) =>
		status === 400 && body.includes('Missing some required parameters in the body'),
	explain: ({ status }) => (status === 422 ? textOf(RESPONSE_ERRORS, 'api_key_unmapped', {}) : undefined),
});
