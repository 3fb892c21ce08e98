import type { IDataObject } from 'n8n-workflow';
import type { Item } from '../../shared/node/item';
import { isWebPage, serviceRequest, type ServiceResponse, type ServiceRequest } from '../../shared/http';

/** What one response of the service means, recognized by status and words, not by the service's name. */
export interface ResponseRow {
	status: number;
	/** The exact body or a pattern of it; without one, the row applies to any body of the status. */
	body?: string | RegExp;
	code: string;
	message: string;
	/** Advice, in addition to not repeating the request; made from the body that was sent, where it quotes that. */
	advice: string | ((sent: IDataObject) => string);
}

export type AppointmentRequest = Pick<ServiceRequest, 'method' | 'path' | 'body' | 'accepts'>;

/** Responses that mean the same for every operation. */
const SHARED_RESPONSES: ResponseRow[] = [
	{
		status: 403,
		code: 'api_key_refused',
		message: 'The service refuses the API key',
		advice: 'Check the API Key in the CRM Appointment API credential: it is missing, unknown or was deleted.',
	},
	{
		status: 404,
		body: /No matching route/,
		code: 'address_not_found',
		message: 'The service has no such endpoint',
		advice:
			'Check the Base URL in the CRM Appointment API credential for extra path parts, slashes or spaces. The key is not the cause.',
	},
	{
		status: 422,
		code: 'api_key_unmapped',
		message: 'The service cannot process the request',
		advice: 'Check that the API key belongs to an active organization.',
	},
];

/**
 * Sends one request of the appointment API. It asks for plain text, the default of the API, to get the exact bodies
 * of D2 § Errors.
 *
 * @param responses what single responses mean for the operation; they take precedence over {@link SHARED_RESPONSES}
 * @returns status and the service's words, without outer spaces and the quotes of a JSON string
 * @throws NodeApiError that quotes the body and says whether another try can help, or that the response is a web page
 */
export async function appointmentRequest(
	{ context }: Item,
	responses: ResponseRow[],
	request: AppointmentRequest,
): Promise<{ status: number; response: string }> {
	const response = await serviceRequest(context, {
		...request,
		credentialType: 'crmAppointmentApi',
		accept: 'text/plain',
		refusesKey: isUnmappedKey(responses),
		explain: (refused) => explain(refused, [...responses, ...SHARED_RESPONSES], request.body ?? {}),
	});
	if (isWebPage(response.body)) throw response.unreadable('is a web page, not a confirmation');
	return { status: response.status, response: plainText(response.body) };
}

/** A 422 that no row of the operation explains: by D2, only a key without an active organization is left. */
const isUnmappedKey =
	(responses: ResponseRow[]) =>
	({ status, body }: ServiceResponse): boolean =>
		status === 422 && rowOf(responses, { status, body: plainText(body) }) === undefined;

/** @returns undefined if the general advice is enough, e.g. for 429 and 5xx */
function explain({ status, body }: ServiceResponse, rows: ResponseRow[], sent: IDataObject) {
	const row = rowOf(rows, { status, body: plainText(body) });
	if (row === undefined) return undefined;
	const advice = typeof row.advice === 'string' ? row.advice : row.advice(sent);
	// D2 § Errors, retry guidance.
	return { code: row.code, message: row.message, advice: `Repeating does not help. ${advice}` };
}

function rowOf(
	rows: ResponseRow[],
	{ status, body }: { status: number; body: string },
): ResponseRow | undefined {
	return rows.find((row) => row.status === status && isAbout(row.body, body));
}

function isAbout(expected: ResponseRow['body'], words: string): boolean {
	return expected instanceof RegExp ? expected.test(words) : (expected ?? words) === words;
}

/** The service's words: a body without outer spaces and the quotes of a JSON string. */
export function plainText(body: string): string {
	const text = body.trim();
	return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}
