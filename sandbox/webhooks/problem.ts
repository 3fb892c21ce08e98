import type { ZodError } from 'zod';

/** A request of the web page or the control address that cannot be done; the message says why. */
export class WebhookProblem extends Error {
	constructor(
		message: string,
		readonly statusCode: 400 | 404 = 400,
	) {
		super(message);
	}
}

/** What does not have the expected shape: own rules are sentences already, the others name their field. */
export function problemOf(error: ZodError): WebhookProblem {
	const sentences = error.issues.map(({ code, path, message }) =>
		code === 'custom' ? message : `${[...path, ''].join(': ')}${message}.`,
	);
	return new WebhookProblem(sentences.join(' '));
}
