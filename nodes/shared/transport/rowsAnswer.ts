import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { unreadableAnswer, type ServiceAnswer } from './errors';
import { asObject } from './jsonAnswer';
import { serviceRequest, type ServiceContext, type ServiceRequest } from './serviceRequest';
import { splitRows } from './splitRows';

/** An answer of many rows. */
export interface RowsAnswer {
	/** The JSON object; each list holds placeholders where it has rows. */
	data: IDataObject;
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
 * Like {@link jsonRequest}, for pages of rows: they stay bytes until their turn comes, so that a page that waits
 * costs next to nothing (D1 § POST /export/conversations).
 *
 * @returns reads the answer; a function, because that takes milliseconds in which the next request can be on its way
 * @throws NodeApiError and UserError as {@link serviceRequest}; the function: NodeApiError when the body is no JSON object
 */
export async function rowsRequest(
	context: ServiceContext,
	request: ServiceRequest,
): Promise<() => RowsAnswer> {
	const answer = await serviceRequest(context, { ...request, inPieces: true });
	return () => readAnswer(context, request, answer);
}

function readAnswer(context: ServiceContext, request: ServiceRequest, answer: ServiceAnswer): RowsAnswer {
	const { chunks, decode } = answer.pieces ?? { chunks: [Buffer.from(answer.body)], decode: String };
	// Decoded whole: in a piece of the text, a piece of the key would not be recognized and hidden.
	const unreadable = (why: string) => {
		const body = decode(Buffer.concat(chunks));
		return unreadableAnswer(context.getNode(), request, { ...answer, body }, why);
	};
	const { frame, rows } = splitRows(chunks);
	const data = asObject(decode(frame), unreadable);
	return {
		data,
		unreadable,
		read: (element) => (isPlaceholder(element) ? asObject(decode(rows[element['']]), unreadable) : element),
	};
}

function isPlaceholder(element: unknown): element is { '': number } {
	return typeof element === 'object' && element !== null && '' in element;
}
