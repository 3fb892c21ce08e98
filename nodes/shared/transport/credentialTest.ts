import type { ICredentialTestFunctions, IDataObject, INodeCredentialTestResult } from 'n8n-workflow';
import { bodyText } from './errors';

export interface TestAnswer {
	status: number;
	body: string;
}

export interface TestRequest {
	url: string;
	headers: IDataObject;
	body: IDataObject;
}

/** Classifies an answer: accepted, key refused, or something else at this address. */
export interface Verdict {
	accepts: (answer: TestAnswer) => boolean;
	rejectsKey: (answer: TestAnswer) => boolean;
	/** What should be at the address, for the message. */
	expected: string;
	/** The whole sentence for an answer that is neither, where a document gives it a meaning of its own. */
	explain?: (answer: TestAnswer) => string | undefined;
}

/**
 * Sends one POST from a credential test. Redirects are not followed, so that the key stays with the address.
 *
 * @returns status and body as text, whatever the status
 * @throws what the request helper throws when no answer came
 */
export async function sendTestRequest(
	context: ICredentialTestFunctions,
	request: TestRequest,
): Promise<TestAnswer> {
	// The only request helper that n8n gives to a credential test.
	const { request: send } = context.helpers;
	const response = (await send({
		method: 'POST',
		uri: request.url,
		headers: { accept: 'application/json', 'content-type': 'application/json', ...request.headers },
		body: JSON.stringify(request.body),
		simple: false,
		resolveWithFullResponse: true,
		followRedirect: false,
		followAllRedirects: false,
		timeout: 15_000,
	})) as { statusCode: number; body: unknown };
	return { status: response.statusCode, body: bodyText(response.body) };
}

/**
 * Turns an answer, or its absence, into the sentence shown in the credential's window.
 *
 * @param send sends the test request; what it throws becomes a sentence, too
 * @param verdict classifies the answer
 * @returns OK or Error with the sentence; never throws
 */
export async function judgeTest(
	send: () => Promise<TestAnswer>,
	verdict: Verdict,
): Promise<INodeCredentialTestResult> {
	try {
		const answer = await send();
		if (verdict.accepts(answer)) return { status: 'OK', message: 'Connection successful' };
		return { status: 'Error', message: refusal(answer, verdict) };
	} catch (error) {
		return { status: 'Error', message: unsent(error) };
	}
}

function refusal(answer: TestAnswer, { rejectsKey, expected, explain }: Verdict): string {
	const explained = explain?.(answer);
	if (explained !== undefined) return explained;
	if (rejectsKey(answer)) {
		return `The service does not recognize the API Key (status ${answer.status}). Paste the raw key again, without "Bearer" and without spaces.`;
	}
	if (answer.status === 429 || answer.status >= 500) {
		return `The service cannot answer right now (status ${answer.status}). Try the test again later.`;
	}
	return `The Base URL does not lead to ${expected} (status ${answer.status}). Check the address.`;
}

/** Refused fields already carry a sentence of their own; a network failure gets its code. */
function unsent(error: unknown): string {
	const { message, code } = error as Error & { code?: unknown };
	if (/of the credential/.test(message)) return message;
	return `The Base URL cannot be reached (${typeof code === 'string' ? code : 'no answer'}). Check the address.`;
}
