import { jsonParse, type IDataObject } from 'n8n-workflow';
import { filledText } from '../base/codedErrors';
import { isObject } from '../base/text';
import { responseInWords } from './bodyText';
import type { ServiceResponse } from './policy';
import { CREDENTIALS, REQUEST_ERRORS, RequestError, type RequestLabel } from './requestErrors';

/** A response whose body is decoded only where it is read. */
export interface RawResponse extends ServiceResponse {
	/** Whether an earlier attempt may have been applied although its response was lost or was a 5xx. */
	isInDoubt?: boolean;
	unreadable(defect: string): RequestError;
	/** Reads the body as a JSON object (D1 § Conventions: bodies are JSON); throws {@link unreadable} for all else. */
	json(): IDataObject;
}

const utf8 = new TextDecoder();
const NOT_JSON = Symbol('not JSON');

/** Wraps what the HTTP helper returned; the key is hidden wherever the service echoes it. */
export function readableResponse(
	label: RequestLabel,
	{ statusCode: status, headers = {}, body }: { statusCode: number; headers?: IDataObject; body: unknown },
	key: string,
): RawResponse {
	let bytes = body;
	let text: string | undefined;
	const response: RawResponse = {
		status,
		headers,
		get body() {
			text ??= hideKey(decoded(bytes), key);
			bytes = undefined;
			return text;
		},
		unreadable(defect) {
			const values = { credential: CREDENTIALS[label.credentialType], defect };
			const text = filledText(REQUEST_ERRORS, 'response_unreadable', values);
			return new RequestError(text, { status, facts: responseInWords(response) });
		},
		json() {
			const value = jsonParse<unknown>(response.body, { fallbackValue: NOT_JSON });
			if (isObject(value)) return value;
			if (value !== NOT_JSON) throw response.unreadable('is not a JSON object');
			const isPage = /^\s*</.test(response.body);
			throw response.unreadable(isPage ? 'is a web page, not JSON' : 'is not valid JSON');
		},
	};
	return response;
}

function decoded(body: unknown): string {
	if (Buffer.isBuffer(body)) return utf8.decode(body);
	if (body === undefined || body === null) return '';
	return typeof body === 'string' ? body : JSON.stringify(body);
}

/** Hides the key as it is, and as JSON or a URL would write it. */
function hideKey(text: string, key: string): string {
	if (key.length < 8) return text;
	const json = JSON.stringify(key).slice(1, -1);
	const forms = new Set([key, json, json.replaceAll('/', '\\/'), encodeURIComponent(key), encodeURI(key)]);
	return [...forms].reduce((hidden, form) => hidden.replaceAll(form, '***'), text);
}
