import type { IDataObject } from 'n8n-workflow';
import { textOf } from '../../shared/errors/codedError';
import type { Item } from '../../shared/node/item';
import { isWebPage, serviceRequest, type ServiceResponse, type ServiceRequest } from '../../shared/http';
import { quoted } from '../../shared/node/parameters';
import { RESPONSE_ERRORS } from '../errors';

/** What one response of the service means, recognized by status and words, not by the service's name. */
export interface ResponseRow {
	status: number;
	/** The exact body or a pattern of it; without one, the row applies to any body of the status. */
	body?: string | RegExp;
	code: keyof typeof RESPONSE_ERRORS;
}

export type AppointmentRequest = Pick<ServiceRequest, 'method' | 'path' | 'body' | 'accepts'>;

/** By D2, only a key without an active organization is left for a 422 that no row of the operation explains. */
const UNMAPPED_KEY: ResponseRow = { status: 422, code: 'api_key_unmapped' };

/**
 * Sends one request of the appointment API. It asks for plain text, the default of the API, to get the exact bodies
 * of D2 § Errors.
 *
 * @param responses what single responses mean for the operation
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
		explain: (refused) => explain(refused, [...responses, UNMAPPED_KEY], request.body ?? {}),
	});
	if (isWebPage(response.body)) throw response.unreadable('is a web page, not a confirmation');
	return { status: response.status, response: plainText(response.body) };
}

const isUnmappedKey =
	(responses: ResponseRow[]) =>
	({ status, body }: ServiceResponse): boolean =>
		rowOf([...responses, UNMAPPED_KEY], { status, body: plainText(body) }) === UNMAPPED_KEY;

/** @returns undefined if the general advice is enough, e.g. for 403, 429 and 5xx */
function explain({ status, body }: ServiceResponse, rows: ResponseRow[], sent: IDataObject) {
	const row = rowOf(rows, { status, body: plainText(body) });
	if (row === undefined) return undefined;
	const [owner, attendees] = [sent.user_email, sent.attendee_emails ?? []].map(quoted);
	const text = textOf(RESPONSE_ERRORS, row.code, { owner, attendees });
	// D2 § Errors, retry guidance.
	return { ...text, advice: `Repeating does not help. ${text.advice}` };
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
