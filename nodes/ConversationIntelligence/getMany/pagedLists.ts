import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { codedError } from '../../shared/base/codedErrors';
import { isObject, lowerFirst } from '../../shared/base/text';
import { ARRAYS, ExportClient, type ArrayName } from '../../shared/exportApi/client';
import { addFields, ContractCheck, fieldOf, SIMPLIFIED_CONVERSATION } from '../../shared/exportApi/rows';
import { requestRun } from '../../shared/http/requestRun';
import { RequestError } from '../../shared/http/requestErrors';
import type { Item } from '../../shared/node/item';
import { Reading } from '../../shared/reading/reading';
import { readByDate, readList, readSorted } from '../../shared/reading/walk';
import { filtersFor } from '../../shared/selection/filters';
import { teamsByEmail } from '../../shared/selection/teamsAndUsers';
import { EXPORT_ERRORS } from '../exportErrors';
import type { ListKind, RowSource } from './listPipeline';
import { listOperation } from './list';
import { MAX_REQUESTS, selectBy, sort, transcriptOptions, type ListRequest } from './listRequest';
import { forConversations, rowsFor } from './rowsFor';

const maxParallelRequests = {
	displayName: 'Max Parallel Requests',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_REQUESTS, numberPrecision: 0 },
	default: MAX_REQUESTS,
	description: 'How many pages to request at the same time, for all input items together',
} as const satisfies INodeProperties;

const addTeams = {
	displayName: 'Add Teams',
	name: 'addTeams',
	type: 'boolean',
	default: false,
	description: "Whether to add teamNames and teamIds: the rep's teams now, not at the time of the recording",
} as const satisfies INodeProperties;

/** Recordings that each page of the service has anyway. */
const alsoInclude = {
	displayName: 'Include Missing Recordings',
	name: 'alsoInclude',
	type: 'multiOptions',
	options: [
		{ name: 'Awaiting Upload', value: 'awaitingUpload' },
		{ name: 'Errored', value: 'errored' },
	],
	default: [],
	description: 'Which recordings to return too; <code>kind</code> tells rows apart',
} as const satisfies INodeProperties;

/** All conversations of a date range, page by page (D1 § POST /export/conversations). */
export const manyConversations = pagedList(
	'conversations',
	{
		option: {
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many conversations',
			description: 'Get the conversations of a date range',
		},
		rowKind: 'conversations',
		simplified: SIMPLIFIED_CONVERSATION,
		properties: [selectBy, rowsFor],
		filters: filtersFor('conversations', 'entries'),
		options: [addTeams, alsoInclude, ...transcriptOptions].map(forConversations),
	},
	readAlsoInclude,
);

function readAlsoInclude(item: Item, { dateType, entries }: ListRequest): ArrayName[] {
	if (entries) return [];
	const also = item.option(alsoInclude);
	if (also.includes('awaitingUpload') && dateType === 'processedDate') {
		throw codedError(EXPORT_ERRORS, 'awaiting_upload_unprocessed', {}, { field: alsoInclude.displayName });
	}
	return [...new Set(also)];
}

export const SIMPLIFIED_RECORDING =
	'recordingId date title duration crmEventID userName userEmail jobNumber outcome error kind'.split(' ');

/** Those still on the rep's device, selected by their start alone (D1-EXP-04), or uploaded in vain (D1 § ErroredRecordingsExport). */
export const missingRecordings = pagedList(
	'errored',
	{
		option: {
			name: 'Get Missing',
			value: 'getMissing',
			action: 'Get missing recordings',
			description:
				'Get the recordings of a date range that await their upload or failed to become a conversation',
		},
		rowKind: 'missing recordings',
		simplified: SIMPLIFIED_RECORDING,
		filters: filtersFor('recordings'),
	},
	() => ['awaitingUpload'],
);

/** A Get Many of an array of POST /export/conversations; `also` reads which other arrays of the same pages an item asks for. */
function pagedList(
	array: ArrayName,
	{ options = [], ...list }: Omit<ListKind, 'schema' | 'emailOf' | 'readOwn' | 'open'>,
	also: (item: Item, request: ListRequest) => ArrayName[],
) {
	return listOperation({
		...list,
		schema: ARRAYS[array].schema,
		options: [...options, maxParallelRequests, sort],
		emailOf: emailIn,
		readOwn(item, request): ArrayName[] {
			const concurrency = item.option(maxParallelRequests);
			const isSet = maxParallelRequests.name in item.collection('options');
			if (isSet) requestRun(item.context).limiter.limit({ concurrency });
			return [array, ...also(item, request)];
		},
		open: pagedSource,
	});
}

const NO_TEAMS = { teamNames: null, teamIds: null };

/** Reads arrays of the same pages (D1 § POST /export/conversations); with more than one, each row says its `kind`. */
function pagedSource(item: Item, request: ListRequest, arrays: ArrayName[]): RowSource {
	const { context } = item;
	const { range, users, maxRows, order, dateType } = request;
	const reading = new Reading({
		client: new ExportClient(context),
		list: { arrays, dateType: dateType === 'processedDate' ? dateType : undefined, users },
		range: { from: Date.parse(range.fromDate), to: Date.parse(range.toDate) },
		concurrency: item.option(maxParallelRequests),
		continueOnError: context.continueOnFail(),
		explain: (error, requests) => pageFailure(item, error, requests),
	});
	const read = () => {
		if (order === 'asListed') return readList(reading);
		return maxRows === Infinity ? readSorted(reading, order) : readByDate(reading, order, maxRows);
	};
	const isMixed = arrays.length > 1;
	const isWithTeams = item.option(addTeams) && !request.entries;
	const { schema } = ARRAYS[arrays[0]];
	const text = z.string();
	return {
		async *batches() {
			const teams = isWithTeams ? await teamsByEmail(context) : undefined;
			for await (const rows of read()) {
				if (teams) for (const row of rows) addFields(row, teams.get(emailIn(row)) ?? NO_TEAMS);
				yield rows;
			}
		},
		schema: schema.extend({
			...(arrays.includes('conversations') && { urlsExpireAt: text }),
			...(isMixed && { kind: text, error: text }),
			...(isWithTeams && { teamNames: text.nullable(), teamIds: text.nullable() }),
		}),
		keptFields: [
			...new Set(arrays.map((name) => ARRAYS[name].id)),
			...(isMixed ? ['kind', 'error'] : []),
			...(isWithTeams ? Object.keys(NO_TEAMS) : []),
		],
		check: isMixed ? checkByKind(arrays) : new ContractCheck(schema),
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

/** Compares each row with the fields of its own array; one whose `kind` the service overwrote is not checked. */
function checkByKind(arrays: ArrayName[]): RowSource['check'] {
	const checks = arrays.map((name) => ({ name, check: new ContractCheck(ARRAYS[name].schema) }));
	return {
		add(row) {
			const own = isObject(row) ? checks.find(({ name }) => ARRAYS[name].kind === row.kind) : checks[0];
			own?.check.add(row);
		},
		get mismatches() {
			return checks.flatMap(({ name, check }) => check.mismatches.map((found) => `in ${name}, ${found}`));
		},
	};
}
