import type { IDataObject } from 'n8n-workflow';
import { filledText, type ErrorTable } from '../base/codedErrors';
import { isObject } from '../base/text';
import { responseInWords } from './bodyText';
import { findRows, parseRows, type Fault } from './jsonRows';
import type { ServiceResponse } from './policy';
import { CREDENTIALS, REQUEST_ERRORS, RequestError, type RequestLabel } from './requestErrors';
import { BrokenBody, MAX_TEXT_BYTES, type Read } from './transfer';

/** A response whose body is decoded only where it is read. */
export interface RawResponse extends ServiceResponse {
	/** Whether an earlier attempt may have been applied although its response was lost or was a 5xx. */
	isInDoubt?: boolean;
	readonly fault?: Fault;
	/** Rows of the longest list of a JSON object, with those that are not wanted. */
	readonly rows: number;
	unreadable(...fault: Fault): RequestError;
	/** Reads the body as a JSON object (D1 § Conventions: bodies are JSON). @throws RequestError for any other body */
	json(): Promise<IDataObject>;
}

const utf8 = new TextDecoder();

/**
 * @param hide hides the key wherever the service echoes it
 * @param maxRows rows of each list that are wanted, if it should be a JSON object
 * @throws BrokenBody for an object that is not whole
 */
export function readableResponse(
	{ credentialType }: RequestLabel,
	{ statusCode: status, headers = {}, body, isTooLarge }: Read,
	hide: (text: string) => string,
	maxRows?: number,
): RawResponse {
	const limit = (body.length / 1024).toLocaleString('en-US');
	const tooLarge: Fault | undefined = isTooLarge
		? [`is larger than ${limit} kB`, 'response_too_large']
		: undefined;
	const json = tooLarge || maxRows === undefined ? undefined : findRows(body, maxRows);
	if (json?.isCutOff) throw new BrokenBody();
	let text: string | undefined;
	const response: RawResponse = {
		status,
		headers,
		fault: tooLarge ?? json?.fault,
		rows: json?.longest ?? 0,
		get body() {
			// Other encodings have NUL between all characters.
			return (text ??= hide(utf8.decode(body.subarray(0, MAX_TEXT_BYTES)).replaceAll('\0', '')));
		},
		unreadable(defect, code = 'response_unreadable') {
			const values = { credential: CREDENTIALS[credentialType], defect };
			const text = filledText<ErrorTable, string>(REQUEST_ERRORS, code, values);
			return new RequestError(text, { status, facts: responseInWords(response) });
		},
		async json() {
			const value = await parseRows(body, json?.cuts ?? [], hide).catch(() => undefined);
			if (isObject(value)) return value;
			throw response.unreadable(value === undefined ? 'is not valid JSON' : 'is not a JSON object');
		},
	};
	return response;
}
