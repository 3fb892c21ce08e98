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
	let value: unknown;
	try {
		value = JSON.parse(answer.body);
	} catch {
		const why = /^\s*</.test(answer.body) ? 'is a web page, not JSON' : 'is not valid JSON';
		value = unreadableAnswer(context.getNode(), request, answer, why);
	}
	if (value instanceof Error) throw value;
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw unreadableAnswer(context.getNode(), request, answer, 'is not a JSON object');
	}
	return value as IDataObject;
}
