import type { IDataObject, NodeApiError } from 'n8n-workflow';
import {
	asObject,
	serviceRequest,
	unreadableAnswer,
	type RawAnswer,
	type ServiceContext,
	type ServiceRequest,
} from '../transport';
import { splitRows } from './splitRows';

/** An answer of many rows. */
export interface RowsAnswer {
	/** The JSON object; each list holds placeholders where it has rows. */
	data: IDataObject;
	/** When the service answered by its own clock, in milliseconds since 1970; this machine's where it does not say. */
	at: number;
	/**
	 * Reads one element of a list of `data`.
	 *
	 * @throws NodeApiError when the row is not valid JSON
	 */
	read(element: unknown): unknown;
	/** The error for an answer that is not what the document promises, e.g. `has no field "errored"`. */
	unreadable(why: string): NodeApiError;
}

/**
 * Requests a page of rows, which stay unparsed until consumed, so that a page that waits costs next to nothing
 * (D1 § POST /export/conversations).
 *
 * @returns reads the answer; a function, because that takes milliseconds in which the next request can be on its way
 * @throws NodeApiError and UserError as {@link serviceRequest}; the function: NodeApiError when the body is no JSON object
 */
export async function rowsRequest(
	context: ServiceContext,
	request: ServiceRequest,
): Promise<() => RowsAnswer> {
	const sentAt = Date.now();
	const answer = await serviceRequest(context, request);
	return () => readAnswer(context, request, answer, sentAt);
}

function readAnswer(
	context: ServiceContext,
	request: ServiceRequest,
	answer: RawAnswer,
	sentAt: number,
): RowsAnswer {
	const unreadable = (why: string) => unreadableAnswer(context.getNode(), request, answer, why);
	const { frame, rows } = splitRows(answer.bytes);
	const data = asObject(answer.decode(frame), unreadable);
	const at = Date.parse(String(answer.headers.date));
	return {
		data,
		at: Number.isNaN(at) ? sentAt : at,
		unreadable,
		read: (element) =>
			isPlaceholder(element) ? asObject(answer.decode(rows[element['']]), unreadable) : element,
	};
}

function isPlaceholder(element: unknown): element is { '': number } {
	return typeof element === 'object' && element !== null && '' in element;
}
