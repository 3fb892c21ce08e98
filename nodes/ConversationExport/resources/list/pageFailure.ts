import { NodeApiError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import type { RowWalk } from '../../../shared/export/rowWalk';
import type { RowOrder } from './rowOrder';

/**
 * Says which page of an export failed and where to go on; nothing is put out then, never a short list.
 *
 * @returns the error itself when it is not the service's, or when it came before the first page
 */
export function pageFailure(
	context: IExecuteFunctions,
	itemIndex: number,
	error: unknown,
	walk: RowWalk<IDataObject>,
	order: RowOrder,
): unknown {
	if (!(error instanceof NodeApiError) || walk.deliveredPages === 0) return error;
	const read = walk.deliveredPages;
	const message = `Page ${read + 1} of ${walk.pages}: ${lowerFirst(error.message)}`;
	const range =
		order.resume === undefined ? '' : ` To go on from there, set ${order.resume}; that end is inclusive.`;
	const description = `${error.description ?? ''} ${read === 1 ? 'Page 1 was' : `Pages 1–${read} were`} read, and nothing was put out.${range}`;
	return new NodeApiError(
		context.getNode(),
		{ message, description },
		{ message, description, itemIndex, httpCode: error.httpCode ?? undefined },
	);
}

function lowerFirst(text: string): string {
	return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
