/** The client of the appointment API (D2 § Endpoints): one function for each endpoint, all of which throw as `send`. */
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { filledText } from '../shared/base/codedErrors';
import { isWebPage } from '../shared/http/requestErrors';
import { credentialTest } from '../shared/http/credentialTest';
import { serviceRequest, type ServiceRequest } from '../shared/http/request';
import { isObject, quoted } from '../shared/base/text';
import type { Item } from '../shared/node/item';
import { RESPONSE_ERRORS } from './appointmentErrors';
import type { Appointment } from './mapping/appointment';

const APPOINTMENT = '/custom/appointment';

/** What a response means, by its status and body, e.g. `404 Event not found`. */
type KnownResponse = [response: string | RegExp, code: keyof typeof RESPONSE_ERRORS];

/** D2 § Errors: the service's own 404 has a plain text. An empty body or a router's or host's text is another 404. */
const IS_MISSING =
	/^404 (?!.*no matching route|404\b|(the )?(page|route|path|url|endpoint|site|domain|host|tunnel|application|deployment|requested (url|resource)|resource you are looking)\b|no (route|such (app|endpoint))\b|default backend|cannot delete \/|(unknown|invalid) (path|url|endpoint)|not found - request id|error code: 1).*\S/is;

/** D2 does not show this body, so it may be empty. A gateway's JSON or web page does not match. */
const HAS_RECORDING = /^409 /;

/** The refusals of each endpoint, first match first (D2 § Errors). */
const REFUSALS = {
	upsert: [
		['400 attendee_emails cannot be combined with media_url', 'attendees_with_media'],
		[/^400/, 'appointment_refused'],
		// This body ends with the name of the service.
		[/^422 User email is not in /, 'attendees_unknown'],
	],
	delete: [
		[/^400/, 'event_id_refused'],
		[IS_MISSING, 'appointment_not_found'],
		[HAS_RECORDING, 'appointment_has_recording'],
	],
	match: [
		['404 Event not found', 'appointment_not_found'],
		['404 Conversation not found', 'conversation_not_found'],
		['422 Conversation has no recording to link', 'conversation_without_recording'],
		["422 Conversation's recording could not be found to link", 'recording_gone'],
	],
} satisfies Record<string, KnownResponse[]>;

/** Creates or updates an appointment by its event ID (D2 § POST /custom/appointment). A retry may duplicate media. */
export const postAppointment = async (item: Item, body: Appointment) =>
	await send(item, REFUSALS.upsert, { method: 'POST', path: APPOINTMENT, body });

/** Deletes an appointment (D2 § DELETE /custom/appointment/{id}); after an unclear attempt, a 404 is a success. */
export const deleteAppointment = async (item: Item, eventId: string, tolerated: number[]) =>
	await send(item, REFUSALS.delete, {
		method: 'DELETE',
		path: `${APPOINTMENT}/${encodeURIComponent(eventId)}`,
		accepts(response) {
			const { status, isInDoubt } = response;
			if (!tolerated.includes(status) && !(status === 404 && isInDoubt)) return false;
			return (status === 404 ? IS_MISSING : HAS_RECORDING).test(inWords(response));
		},
	});

/** Links a conversation to an appointment (D2 § POST /custom/appointment/match). */
export const postMatch = async (item: Item, body: IDataObject) =>
	await send(item, REFUSALS.match, { method: 'POST', path: `${APPOINTMENT}/match`, body });

type OwnRequest = Pick<ServiceRequest, 'method' | 'path' | 'body' | 'accepts'>;

/** Requests plain text, to get the exact bodies of D2 § Errors. `isInDoubt`: an earlier attempt may be applied. */
async function send({ context }: Item, refusals: KnownResponse[], request: OwnRequest) {
	const { user_email: rep, attendee_emails: attendees = [] } = request.body ?? {};
	const { isInDoubt = false, ...response } = await serviceRequest(context, {
		...request,
		credentialType: 'crmAppointmentApi',
		defectOf(response) {
			if (isWebPage(response.body)) return 'is a web page, not a confirmation';
			const json = jsonParse<unknown>(response.body, { fallbackValue: null });
			const isError = isObject(json) && (json.error || json.errorMessage);
			return isError ? 'names an error, although its status is that of a success' : undefined;
		},
		explain(refused) {
			const words = inWords(refused);
			const code = refusals.find(([one]) => (one instanceof RegExp ? one.test(words) : one === words))?.[1];
			// Without a code, the general advice is enough, e.g. for 403, 429 and 5xx.
			if (code === undefined) return undefined;
			const text = filledText(RESPONSE_ERRORS, code, { rep: quoted(rep), attendees: quoted(attendees) });
			// D2 § Errors, retry guidance.
			return { ...text, advice: `Repeating does not help. ${text.advice}` };
		},
	});
	return { status: response.status, response: unquoted(response.body), isInDoubt };
}

/** The status and body of a response; the status alone for a web page or a gateway's JSON. */
function inWords({ status, body }: { status: number; body: string }): string {
	const json = jsonParse<unknown>(body, { fallbackValue: null });
	const isPlain = !isWebPage(body) && (typeof json !== 'object' || json === null);
	return isPlain ? `${status} ${unquoted(body)}` : String(status);
}

/** A body without outer spaces and the quotes of a JSON string. */
function unquoted(body: string): string {
	return body.trim().replace(/^"(.*)"$/s, '$1');
}

/** An empty match request changes nothing, because the service first checks the body (D2 § Errors, exact bodies). */
export const crmAppointmentApiTest = credentialTest('crmAppointmentApi', {
	path: `${APPOINTMENT}/match`,
	keyHeader: 'x-api-key',
	body: {},
	expected: { status: 400, contains: 'Missing some required parameters in the body' },
});
