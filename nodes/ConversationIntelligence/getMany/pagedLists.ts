import { z } from 'zod';
import { lowerFirst } from '../../shared/base/text';
import { ARRAYS, ExportClient, type ArrayName } from '../../shared/exportApi/client';
import { addFields, fieldOf, SIMPLIFIED_CONVERSATION } from '../../shared/exportApi/rows';
import { conversationsExportSchema, erroredRecordingsExportSchema } from '../../shared/exportApi/schemas';
import { RequestError } from '../../shared/http/requestErrors';
import type { Item, Option } from '../../shared/node/item';
import { Reading } from '../../shared/reading/reading';
import { readByDate, readList, readSorted } from '../../shared/reading/walk';
import { filtersFor } from '../../shared/selection/filterRules';
import { teamsByEmail } from '../../shared/selection/teamsAndUsers';
import type { ListKind, RowSource } from './listPipeline';
import { listOperation } from './list';
import { MAX_REQUESTS, selectBy, sort, transcriptOptions, type ListRequest } from './listRequest';
import { forConversations, rowsFor, toolRowsFor } from './rowsFor';

const addTeams = {
	displayName: 'Add Teams',
	name: 'addTeams',
	type: 'boolean',
	default: true,
	without: false,
	description: "Whether to add teamNames and teamIds, the rep's current teams",
} as const satisfies Option;

/** All conversations of a date range, page by page (D1 § POST /export/conversations). */
export const manyConversations = pagedList(['conversations'], {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many conversations',
		description: 'Get the conversations of a date range',
	},
	rowKind: 'conversations',
	schema: conversationsExportSchema.extend({ urlsExpireAt: z.string() }),
	simplified: SIMPLIFIED_CONVERSATION,
	properties: [selectBy, rowsFor, toolRowsFor],
	filters: filtersFor('conversations'),
	options: [addTeams, ...transcriptOptions].map(forConversations),
});

export const SIMPLIFIED_RECORDING =
	'recordingId date title duration crmEventID userName userEmail jobNumber outcome error kind'.split(' ');

/** Recordings not uploaded yet (by start only, D1-EXP-04) or not processable (D1 § ErroredRecordingsExport). */
export const missingRecordings = pagedList(['errored', 'awaitingUpload'], {
	option: {
		name: 'Get Missing',
		value: 'getMissing',
		action: 'Get missing recordings',
		description: 'Get recordings of a date range that are not uploaded yet or could not be processed',
	},
	rowKind: 'missing recordings',
	simplified: SIMPLIFIED_RECORDING,
	// Recordings that await their upload get the fields of the others as null.
	schema: erroredRecordingsExportSchema.extend({ kind: z.string(), error: z.string().nullable() }),
	filters: filtersFor('recordings'),
});

/** A list of arrays of the same pages (D1 § POST /export/conversations). */
function pagedList(arrays: ArrayName[], { options = [], ...list }: Omit<ListKind, 'emailOf' | 'open'>) {
	return listOperation({
		...list,
		options: [...options, sort],
		emailOf: emailIn,
		open: (item, request) => pagedSource(item, request, arrays, list.schema),
	});
}

const NO_TEAMS = { teamNames: null, teamIds: null };

function pagedSource(
	item: Item,
	request: ListRequest,
	arrays: ArrayName[],
	schema: z.AnyZodObject,
): RowSource {
	const { context } = item;
	const { range, users, maxRows, order, dateType } = request;
	const reading = new Reading({
		client: new ExportClient(context),
		list: { arrays, dateType: dateType === 'processedDate' ? dateType : undefined, users },
		range: { from: Date.parse(range.fromDate), to: Date.parse(range.toDate) },
		concurrency: MAX_REQUESTS,
		continueOnError: context.continueOnFail(),
		explain: (error, requests) => pageFailure(item, error, requests),
	});
	const read = () => {
		if (order === 'asListed') return readList(reading);
		return maxRows === Infinity ? readSorted(reading, order) : readByDate(reading, order, maxRows);
	};
	const isWithTeams = item.option(addTeams) && !request.entries;
	const text = z.string().nullable();
	return {
		async *batches() {
			const teams = isWithTeams ? await teamsByEmail(context) : undefined;
			for await (const rows of read()) {
				if (teams) for (const row of rows) addFields(row, teams.get(emailIn(row)) ?? NO_TEAMS);
				yield rows;
			}
		},
		schema: isWithTeams ? schema.extend({ teamNames: text, teamIds: text }) : schema,
		keptFields: [
			ARRAYS[arrays[0]].id,
			...(arrays.length > 1 ? ['kind', 'error'] : []),
			...(isWithTeams ? Object.keys(NO_TEAMS) : []),
		],
		summary: () => ({
			pages: reading.report.pages,
			requests: reading.report.requests,
			...Object.fromEntries(arrays.map((name, index) => [ARRAYS[name].total, reading.report.totals[index]])),
		}),
		report: reading.report,
	};
}

function emailIn(row: unknown): unknown {
	return fieldOf(fieldOf(row, 'user'), 'email');
}

/** Says that the list could not be read; the node then returns nothing, never a short list. */
function pageFailure({ context }: Item, error: unknown, requests: number): unknown {
	if (!(error instanceof RequestError) || requests <= 1) return error;
	const others = ", or set On Error to Continue in the node's settings for the rows that can be read";
	const advice = `No items were returned. Run the workflow again${context.continueOnFail() ? '' : others}.`;
	const message = `Could not read the whole list: ${lowerFirst(error.message)}`;
	return Object.assign(error, { message, description: `${error.description ?? ''} ${advice}` });
}
