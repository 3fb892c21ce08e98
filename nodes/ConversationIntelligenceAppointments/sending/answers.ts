import type { ServiceAnswer } from '../../shared/transport';

/** What one answer of the service means: recognised by status and words, never by the service's name. */
export interface AnswerRow {
	status: number;
	/** The exact body, or how it begins; without it the row stands for the status. */
	body?: string | RegExp;
	message: string;
	/** What to do; whether another try can help is added. */
	advice: string;
}

/** Where the documents say so (D2 § Errors, retry guidance). */
const PERMANENT = 'This is permanent: the same request will be answered the same way again.';

/** Rows that mean the same for every operation. */
const SHARED: AnswerRow[] = [
	{
		status: 403,
		message: 'The service refuses the API key',
		advice: 'Check the API Key in the CRM Appointment API credential: it is missing, unknown or was deleted.',
	},
	{
		status: 404,
		body: /No matching route/,
		message: 'There is no such address at the service',
		advice:
			'Check the Base URL in the CRM Appointment API credential for extra path parts, slashes or spaces. The key is not the cause.',
	},
	{
		status: 422,
		message: 'The service cannot process the request',
		advice:
			'Check that the API key belongs to an active organization: a key that is not mapped to one is answered like this.',
	},
];

/**
 * Finds what an answer means, first among the operation's own rows, then among those that all share.
 *
 * @returns undefined for what the documents leave to the general advice, e.g. 429 and 5xx
 */
export function explainAnswer(
	{ status, body }: ServiceAnswer,
	rows: AnswerRow[],
): { message: string; description: string } | undefined {
	const words = plainText(body);
	const row = [...rows, ...SHARED].find((one) => one.status === status && matches(one.body, words));
	return row && { message: row.message, description: `${PERMANENT} ${row.advice}` };
}

function matches(expected: AnswerRow['body'], words: string): boolean {
	if (expected === undefined) return true;
	return typeof expected === 'string' ? words === expected : expected.test(words);
}

/** The service's words without outer blanks, and without the quotes of a JSON string. */
export function plainText(body: string): string {
	const text = body.trim();
	return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}
