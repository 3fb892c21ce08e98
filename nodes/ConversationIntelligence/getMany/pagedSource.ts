import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { ContractCheck } from '../../shared/exportApi/schemas/check';
import { linkExpiry } from '../../shared/exportApi/conversation';
import { RequestError, requestRun } from '../../shared/http';
import { isObject } from '../../shared/node/isObject';
import type { Item } from '../../shared/node/item';
import { ARRAYS, exportPages, type ArrayName } from '../../shared/exportApi/conversationPages';
import { dateOf, idReader, processedAt } from '../../shared/exportApi/rowFields';
import { readByDate, readList, readSorted, Report, type Reading } from '../../shared/reading';
import type { List, RowCheck, RowSource } from './list';
import type { ListRequest } from './readRequest';
import { maxParallelRequests } from './properties';

/**
 * Reads arrays of POST /export/conversations, several of them in the same pages (D1 § POST /export/conversations).
 *
 * @param arrays in the order of a page's rows; with more than one, each row says its `kind`
 * @returns makes the source for the users given, all when undefined
 * @throws CodedError for an option of the wrong type. While reading: RequestError when a page fails
 */
export function pagedSource(item: Item, request: ListRequest, arrays: ArrayName[]): ReturnType<List['open']> {
	const { range, maxRows, order, rowFilter } = request;
	const dateType = request.dateType === 'processedDate' ? 'processedDate' : undefined;
	const concurrency = item.option(maxParallelRequests);
	if (maxParallelRequests.name in item.collection('options'))
		requestRun(item.context).limiter.limit({ concurrency });
	return (users) => {
		const fetchPage = exportPages(item.context, {
			arrays,
			dateType,
			users,
			added: (name, sentAt) => ({
				...(arrays.length > 1 ? { ...nullsOfOthers(name, arrays), kind: ARRAYS[name].kind } : {}),
				...(name === 'conversations' ? { urlsExpireAt: linkExpiry(sentAt) } : {}),
			}),
		});
		// A filter of the node can drop any row, so the limit counts only what passes it.
		const report = new Report(idReader(arrays), rowFilter ? Infinity : maxRows);
		const reading: Reading<unknown> = {
			range: { from: Date.parse(range.fromDate), to: Date.parse(range.toDate) },
			fetchPage,
			dateOf: (row) => dateOf(row, dateType ?? 'date'),
			appearedAt: processedAt,
			concurrency,
			continueOnError: item.context.continueOnFail(),
			explain: (error) => pageFailure(item, error, report),
		};
		const batches = () => {
			if (order === 'asListed') return readList(reading, report);
			if (maxRows === Infinity) return readSorted(reading, report, order);
			return readByDate(reading, report, { direction: order, wanted: maxRows });
		};
		return { ...describe(report, arrays), batches, order };
	};
}

/** The fields that only other kinds of rows have, as null: all rows of one list have the same keys. */
function nullsOfOthers(name: ArrayName, arrays: ArrayName[]): IDataObject {
	const own = ARRAYS[name].schema.shape;
	const all = arrays.flatMap((array) => Object.keys(ARRAYS[array].schema.shape));
	if (arrays.includes('conversations')) all.push('urlsExpireAt');
	const others = all.filter((field) => !Object.hasOwn(own, field));
	return Object.fromEntries(others.map((field) => [field, null]));
}

/** What a list needs to know about its rows, and about how they were read. */
function describe(report: Report<unknown>, arrays: ArrayName[]): Omit<RowSource, 'batches'> {
	const isMixed = arrays.length > 1;
	return {
		schema: ARRAYS[arrays[0]].schema.extend({
			...(arrays.includes('conversations') ? { urlsExpireAt: z.string() } : {}),
			...(isMixed ? { kind: z.string(), error: z.string() } : {}),
		}),
		keptFields: [
			...new Set(arrays.map((name) => ARRAYS[name].id)),
			...(isMixed ? ['recordingId', 'kind', 'error'] : []),
		],
		check: isMixed ? checkByKind(arrays) : new ContractCheck(ARRAYS[arrays[0]].schema),
		summary: () => ({
			pages: report.pages,
			requests: report.requests,
			...Object.fromEntries(arrays.map((name, index) => [ARRAYS[name].total, report.totals[index]])),
		}),
		total: () => report.total,
		hints: () => readingHints(report),
		gaps: () => report.gaps,
		isComplete: () => report.isComplete,
	};
}

/** Says that the list could not be read; the node then returns nothing, never a short list. */
function pageFailure({ context }: Item, error: unknown, { requests }: { requests: number }): unknown {
	if (!(error instanceof RequestError) || requests <= 1) return error;
	const others = context.continueOnFail()
		? ''
		: ", or set On Error to Continue in the node's settings for the rows that can be read";
	const description = `${error.description ?? ''} No items were returned. Run the workflow again${others}.`;
	const message = `Could not read the whole list: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`;
	return Object.assign(error, { message, description });
}

function readingHints({ paged, unlisted, hasUnidentified, gaps }: Report<unknown>): string[] {
	const hints: string[] = [];
	if (paged) {
		const outcome = paged === 'unsettled' ? ' They changed meanwhile, so some of them may be missing.' : '';
		hints.push(`More than 50 rows could not be separated by date, so they were read in pages.${outcome}`);
	}
	if (unlisted > 0) hints.push(`The service counts ${unlisted} rows more than it lists.`);
	if (hasUnidentified) {
		hints.push('The list was read in parts, so rows without an ID may be missing or repeated.');
	}
	if (gaps.length > 0) hints.push(`${gaps.length} parts of the range could not be read.`);
	return hints;
}

/**
 * Compares each row with the fields of its own array (D1 § ConversationsExportResponse): a recording is not a
 * conversation with missing fields. A row whose `kind` the service overwrote is not checked.
 */
function checkByKind(arrays: ArrayName[]): RowCheck {
	const checks = new Map<unknown, { name: ArrayName; check: ContractCheck }>(
		arrays.map((name) => [ARRAYS[name].kind, { name, check: new ContractCheck(ARRAYS[name].schema) }]),
	);
	const [first] = checks.values();
	return {
		add: (row) => (isObject(row) ? checks.get(row.kind) : first)?.check.add(row),
		get mismatches() {
			return [...checks.values()].flatMap(({ name, check }) =>
				check.mismatches.map((mismatch) => `in ${name}, ${mismatch}`),
			);
		},
	};
}
