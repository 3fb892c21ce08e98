import type { IDataObject } from 'n8n-workflow';
import { unreadableAnswer, type ServiceAnswer } from './errors';
import { serviceRequest, type ServiceContext, type ServiceRequest } from './serviceRequest';

/**
 * Like {@link serviceRequest}, for answers that must be a JSON object (D1 § Conventions: bodies are JSON).
 *
 * @returns the parsed object together with the raw answer
 * @throws NodeApiError when the body is a web page, broken or cut-off JSON, or not an object
 */
export async function jsonRequest(
	context: ServiceContext,
	request: ServiceRequest,
): Promise<{ data: IDataObject; answer: ServiceAnswer }> {
	const answer = await serviceRequest(context, request);
	return { data: parseObject(context, request, answer), answer };
}

/**
 * Reads an answer that must be a JSON object.
 *
 * @throws NodeApiError when the body is a web page, broken or cut-off JSON, or not an object
 */
export function parseObject(
	context: ServiceContext,
	request: ServiceRequest,
	answer: ServiceAnswer,
): IDataObject {
	return asObject(answer.body, (why) => unreadableAnswer(context.getNode(), request, answer, why));
}

/**
 * Reads a text that must be a JSON object (D1 § Conventions: bodies are JSON).
 *
 * @param unreadable makes the error from the reason, e.g. `is not valid JSON`
 * @returns the parsed object
 * @throws what `unreadable` makes
 */
export function asObject(text: string, unreadable: (why: string) => Error): IDataObject {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		value = unreadable(/^\s*</.test(text) ? 'is a web page, not JSON' : 'is not valid JSON');
	}
	if (value instanceof Error) throw value;
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw unreadable('is not a JSON object');
	}
	return value as IDataObject;
}
