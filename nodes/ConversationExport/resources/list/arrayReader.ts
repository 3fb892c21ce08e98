import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { RowWalk } from '../../../shared/export/rowWalk';
import { ARRAYS, arrayPages, type ArrayName } from './arrays';
import { pageFailure } from './pageFailure';
import type { ListRequest, RowReader } from './reader';
import { RowOrder } from './rowOrder';

/**
 * Pages under way at once after the first. `npm run bench -- export --concurrency` measures the choice: with more of
 * them, n8n's one thread is busy with answers while others wait.
 */
export const DEFAULT_CONCURRENCY = 6;

/**
 * Reads arrays of POST /export/conversations, several of them in one walk (D1 § POST /export/conversations).
 *
 * @param arrays in the order in which the rows of a page come
 * @returns the reader; nothing is requested before its rows are asked for
 * @throws while reading: NodeApiError when a page fails, after the first one naming the page and where to go on
 */
export function arrayReader(
	context: IExecuteFunctions,
	itemIndex: number,
	{ range, users, options, maxRows }: ListRequest,
	arrays: ArrayName[],
): RowReader {
	const { dateType, concurrency } = options;
	const body = { ...range, ...(dateType === undefined ? {} : { dateType }), ...(users ? { users } : {}) };
	const order = new RowOrder(dateType === 'processedDate' ? 'processedDate' : 'date');
	const walk = new RowWalk<IDataObject>({
		fetchPage: arrayPages(context, itemIndex, body, arrays),
		idOf: idReader(arrays),
		concurrency: typeof concurrency === 'number' && concurrency >= 1 ? concurrency : DEFAULT_CONCURRENCY,
		maxRows,
	});

	return {
		async *batches() {
			try {
				for await (const batch of walk.batches()) {
					order.add(batch.pass, batch.rows);
					yield batch;
				}
			} catch (error) {
				throw pageFailure(context, itemIndex, error, walk, order);
			}
		},
		summary: () => ({
			pages: walk.pages,
			requests: walk.requests,
			...Object.fromEntries(arrays.map((name, index) => [ARRAYS[name].total, walk.totals[index]])),
		}),
		total: () => walk.total,
		hints: () => driftHints(walk),
	};
}

function idReader(arrays: ArrayName[]) {
	const fields = [...new Set(arrays.map((name) => ARRAYS[name].id))];
	return (row: IDataObject): string | undefined => {
		for (const field of fields) {
			const id = row?.[field];
			if (typeof id === 'string') return id;
		}
		return undefined;
	};
}

/** What moved while the pages were read, and what could not be put right. */
function driftHints({ consistent, pass, missing, vanished, total, rows }: RowWalk<IDataObject>): string[] {
	const hints: string[] = [];
	if (!consistent && missing !== 0) {
		const how =
			missing > 0 ? `${missing} rows could not be fetched` : `${-missing} rows more than that were listed`;
		hints.push(
			`The service counts ${total} rows and ${how}: rows kept moving while the pages were read ${pass} times. ${rows} different rows were put out. Run the export again, or end the range earlier.`,
		);
	} else if (!consistent) {
		hints.push(
			`Rows kept being removed while the pages were read ${pass} times. ${rows} different rows were put out; a row that moved may be missing. Run the export again, or end the range earlier.`,
		);
	}
	if (vanished > 0) {
		hints.push(
			`${vanished} rows were removed from the service while the pages were read. Items leave them out; a file holds them where they had been written before.`,
		);
	}
	return hints;
}
