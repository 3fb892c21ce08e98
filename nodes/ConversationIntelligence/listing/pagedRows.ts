import { NodeApiError, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import {
	ARRAYS,
	dateOf,
	exportPages,
	idReader,
	ListReader,
	appearedAt,
	type ArrayName,
} from '../../shared/reading';
import { linkExpiry } from '../../shared/conversation';
import { Pace } from '../../shared/transport';
import { MOST_REQUESTS } from './properties';
import type { ListRequest, RowSource } from './spec';

/** Pages under way at once after the first; answers decide whether there can be more. */
const START_REQUESTS = 6;

/**
 * Reads arrays of POST /export/conversations, several of them in the same pages (D1 § POST /export/conversations).
 *
 * @param arrays in the order in which the rows of a page come; with more than one, each row says its `kind`
 * @returns the source; nothing is requested before its rows are asked for
 * @throws while reading: NodeApiError when a page fails, NodeOperationError when a list keeps changing and that is to fail
 */
export function pagedRows(
	context: IExecuteFunctions,
	itemIndex: number,
	{ range, users, options, maxRows }: ListRequest,
	arrays: ArrayName[],
): RowSource {
	const dateType = options.dateType === 'processedDate' ? 'processedDate' : undefined;
	const most = typeof options.concurrency === 'number' ? options.concurrency : MOST_REQUESTS;
	const pace = new Pace({ start: Math.min(START_REQUESTS, most), most });
	const reader = new ListReader<unknown>({
		range: { from: Date.parse(range.fromDate), to: Date.parse(range.toDate) },
		fetchPage: exportPages(context, {
			arrays,
			dateType,
			users,
			pace,
			itemIndex,
			added: (name, sentAt) => ({
				...(name === 'conversations' ? { urlsExpireAt: linkExpiry(sentAt) } : {}),
				...(arrays.length > 1 ? { kind: ARRAYS[name].kind } : {}),
			}),
		}),
		idOf: idReader(arrays),
		dateOf: (row) => dateOf(row, dateType ?? 'date'),
		appearedAt,
		concurrency: () => pace.concurrency,
		maxRows,
		keepsGoing: options.onFailure === 'outputRead',
	});

	return {
		async *batches() {
			try {
				yield* reader.batches();
			} catch (error) {
				throw pageFailure(context, itemIndex, error, reader);
			}
			if (options.onUnsettled === 'fail' && reader.paged === 'unsettled') {
				throw new NodeOperationError(context.getNode(), `${UNSETTLED} [Item ${itemIndex}]`, {
					description: 'Run the export again, or set If the List Keeps Changing to Warn.',
					itemIndex,
				});
			}
		},
		summary: () => ({
			pages: reader.pages,
			requests: reader.requests,
			...Object.fromEntries(arrays.map((name, index) => [ARRAYS[name].total, reader.totals[index]])),
		}),
		total: () => reader.total,
		hints: () => readingHints(reader),
		gaps: () => reader.gaps,
	};
}

const UNSETTLED =
	'More than 50 rows have the same date, to the millisecond, and kept changing while they were read';

/** Says which page failed; nothing was output then, never a short list. */
function pageFailure(
	context: IExecuteFunctions,
	itemIndex: number,
	error: unknown,
	{ requests, pages }: ListReader<unknown>,
): unknown {
	if (!(error instanceof NodeApiError) || requests === 0) return error;
	const message = `Could not read the whole list: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`;
	const description = `${error.description ?? ''} ${requests} of ${pages} pages were read and nothing was output. Run the workflow again, or set On Failure to Output What Was Read.`;
	return new NodeApiError(
		context.getNode(),
		{ message, description },
		{ message, description, itemIndex, httpCode: error.httpCode ?? undefined },
	);
}

function readingHints({ paged, unlisted }: ListReader<unknown>): string[] {
	const hints: string[] = [];
	if (paged === 'unsettled') hints.push(`${UNSETTLED}; some of them may be missing.`);
	if (unlisted > 0) hints.push(`The service counts ${unlisted} rows more than it lists.`);
	return hints;
}
