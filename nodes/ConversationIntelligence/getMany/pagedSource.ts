import { z } from 'zod';
import { ContractCheck, addFields, fieldOf } from '../../shared/exportApi/rows';
import { RequestError } from '../../shared/http/response';
import { isObject } from '../../shared/base/text';
import type { Item } from '../../shared/node/item';
import { ARRAYS, ExportClient, type ArrayName } from '../../shared/exportApi/client';
import { teamsByEmail } from '../../shared/selection/teamsAndUsers';
import { readByDate, readList, readSorted } from '../../shared/reading/walk';
import { Reading, type Report } from '../../shared/reading/reading';
import type { RowCheck, RowSource } from './listRun';
import { addTeams, maxParallelRequests, type ListRequest } from './readRequest';

/**
 * Reads arrays of POST /export/conversations, several of them in the same pages (D1 § POST /export/conversations).
 * @param arrays in the order of a page's rows; with more than one, each row says its `kind`
 * @throws while reading: RequestError when a page fails
 */
export function pagedSource(item: Item, request: ListRequest, arrays: ArrayName[]): RowSource {
	const { range, users, maxRows, order } = request;
	const reading = new Reading({
		client: new ExportClient(item.context),
		list: { arrays, dateType: request.dateType === 'processedDate' ? 'processedDate' : undefined, users },
		range: { from: Date.parse(range.fromDate), to: Date.parse(range.toDate) },
		concurrency: item.option(maxParallelRequests),
		continueOnError: item.context.continueOnFail(),
		explain: (error, requests) => pageFailure(item, error, requests),
	});
	const batches = () => {
		if (order === 'asListed') return readList(reading);
		if (maxRows === Infinity) return readSorted(reading, order);
		return readByDate(reading, order, maxRows);
	};
	const source = { ...describe(reading.report, arrays), batches };
	return item.option(addTeams) && !request.entries ? withTeams(source, item) : source;
}

const NO_TEAMS = { teamNames: null, teamIds: null };

function withTeams(source: RowSource, { context }: Item): RowSource {
	return {
		...source,
		async *batches() {
			const teams = await teamsByEmail(context);
			for await (const rows of source.batches()) {
				for (const row of rows) addFields(row, teams.get(fieldOf(fieldOf(row, 'user'), 'email')) ?? NO_TEAMS);
				yield rows;
			}
		},
		schema: source.schema.extend({ teamNames: z.string().nullable(), teamIds: z.string().nullable() }),
		keptFields: [...source.keptFields, ...Object.keys(NO_TEAMS)],
	};
}

/** What a list needs to know about its rows, and about how they were read. */
function describe(report: Report, arrays: ArrayName[]): Omit<RowSource, 'batches'> {
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
		isUndated: () => report.isUndated,
		hints: () => readingHints(report),
		gaps: () => report.gaps,
		isComplete: () => report.isComplete,
	};
}

/** Says that the list could not be read; the node then returns nothing, never a short list. */
function pageFailure({ context }: Item, error: unknown, requests: number): unknown {
	if (!(error instanceof RequestError) || requests <= 1) return error;
	const others = context.continueOnFail()
		? ''
		: ", or set On Error to Continue in the node's settings for the rows that can be read";
	const description = `${error.description ?? ''} No items were returned. Run the workflow again${others}.`;
	const message = `Could not read the whole list: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`;
	return Object.assign(error, { message, description });
}

function readingHints({ paged, unlisted, gaps, isUndated }: Report): string[] {
	const hints: string[] = [];
	if (isUndated) hints.push('Some rows have no date that can be read, so their order is not known.');
	if (paged) {
		const outcome = paged === 'unsettled' ? ' They changed meanwhile, so some of them may be missing.' : '';
		hints.push(`More than 50 rows could not be separated by date, so they were read in pages.${outcome}`);
	}
	if (unlisted > 0) hints.push(`The service counts ${unlisted} rows more than it lists.`);
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
