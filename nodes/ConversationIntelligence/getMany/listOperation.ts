import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { codedError } from '../../shared/base/codedError';
import type { Item } from '../../shared/node/item';
import type { Operation } from '../../shared/node/operation';
import { requestRun } from '../../shared/http/requestRun';
import { ARRAYS, type ArrayName } from '../../shared/exportApi/client';
import { membersOf } from '../../shared/selection/teamsAndUsers';
import { usersFilter } from '../../shared/selection/filters';
import { EXPORT_ERRORS } from '../errors';
import { dateRangeProperties, utc } from './dateRange';
import { fieldsProperties } from './fields';
import { fileProperties } from './file/fileOptions';
import { writeFile } from './file/writeFile';
import { hintsOf, limitHint, rangeHint, requestHints, rowHints, showHints } from './hints';
import { ListRun, type List } from './listRun';
import { METRICS, metricsSource, type MetricsKind } from './metricsSource';
import { pagedSource } from './pagedSource';
import { compareWith, readPeriods, splitBy } from './periods';
import {
	limitProperties,
	maxParallelRequests,
	outputAs,
	readRequest,
	sort,
	toolLimit,
	type ListRequest,
} from './readRequest';
import { forConversations } from './rowsFor';

/** Builds a Get Many operation: date range, limit, users, output as items or as a file, hints. */
function listOperation<Own>(list: List<Own>): Operation<{ request: ListRequest; own: Own }> {
	return {
		option: list.option,
		properties: [
			...dateRangeProperties,
			...(list.properties ?? []),
			...collection('Filters', 'Add filter', list.filters),
			...(list.isWhole ? [toolLimit] : limitProperties),
			outputAs,
			...fileProperties,
			...fieldsProperties(list.schema.shape).map(forConversations),
			...collection('Options', 'Add option', list.options),
		],
		read(item) {
			const request = readRequest(item, list);
			return { request, own: list.readOwn(item, request) };
		},
		// One file after another, so that many take no more memory than one.
		key: ({ request }) => request.file && 'file',
		async execute(item, { request, own }) {
			const { teams, users } = request;
			const members = teams && (await membersOf(item.context, teams, users));
			const asked = { ...request, ...members };
			return await runList(new ListRun(item, list, asked, list.open(item, asked, own)));
		},
	};
}

/**
 * Builds a Get Many operation for an array of POST /export/conversations, whose rows can be filtered by their rep.
 * @param also reads which other arrays of the same pages an item asks for
 */
export function pagedList(
	array: ArrayName,
	{ filters = [], options = [], ...list }: Omit<List, 'schema' | 'emailOf' | 'readOwn' | 'open'>,
	also: (item: Item, request: ListRequest) => ArrayName[],
) {
	return listOperation({
		...list,
		schema: ARRAYS[array].schema,
		filters: [...filters, usersFilter],
		options: [...options, maxParallelRequests, sort],
		emailOf: ({ user }) => (user as IDataObject | null | undefined)?.email,
		readOwn(item, request): ArrayName[] {
			const concurrency = item.option(maxParallelRequests);
			const isSet = maxParallelRequests.name in item.collection('options');
			if (isSet) requestRun(item.context).limiter.limit({ concurrency });
			return [array, ...also(item, request)];
		},
		open: pagedSource,
	});
}

/**
 * Builds a Get Many operation for the metrics of teams or users.
 * @param readBody reads what the request asks for besides range and users
 */
export function metricsList(
	kind: MetricsKind,
	{ properties = [], ...list }: Omit<List, 'rowKind' | 'schema' | 'isWhole' | 'readOwn' | 'open'>,
	readBody: (item: Item) => IDataObject = () => ({}),
) {
	return listOperation({
		...list,
		rowKind: kind,
		schema: METRICS[kind].schema,
		isWhole: true,
		properties: [...properties, splitBy, compareWith],
		readOwn: (item, { range }) => ({ body: readBody(item), periods: readPeriods(item, range) }),
		open: (item, request, { body, periods }) => metricsSource(item, request, kind, body, periods),
	});
}

/** A collection with its entries by their labels; none without entries. */
export function collection(
	displayName: 'Filters' | 'Options',
	placeholder: string,
	entries: INodeProperties[] = [],
): INodeProperties[] {
	const options = entries.toSorted((one, other) => one.displayName.localeCompare(other.displayName));
	const name = displayName.toLowerCase();
	return options.length > 0
		? [{ displayName, name, type: 'collection', placeholder, default: {}, options }]
		: [];
}

/**
 * Reads a list and returns its rows as items, or as one item with a file, and shows hints about the rest.
 * @throws what reading the rows throws, instead of returning a part
 */
export async function runList(run: ListRun): Promise<INodeExecutionData[]> {
	const { item } = run;
	const { file } = run.request;
	const rows = file ? [await writeFile(run, file)] : await toItems(run);
	const output = [...rows, ...gapItems(run)];
	showHints(item, hintsOf(run));
	showHints(item, limitHint(run), file ? 'warning' : 'info');
	showHints(item, [...rangeHint(run), ...requestHints(run)], 'info');
	return item.isTool ? [...output, ...agentNote(run)] : output;
}

async function toItems(run: ListRun): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for await (const rows of run.batches(true)) {
		for (const json of rows) items.push({ json });
	}
	return items;
}

/** Each part of the range that could not be read, as a failed item. */
function gapItems({ item, source }: ListRun): INodeExecutionData[] {
	return (source.gaps?.() ?? []).map(({ from, to, error }) => {
		const reason = `${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`;
		const dates = { fromDate: utc(from), toDate: utc(to) };
		const details = { ...error.details, code: 'list_incomplete', ...dates };
		return item.failed(codedError(EXPORT_ERRORS, 'list_incomplete', { reason }, details));
	});
}

/** What an agent must know of its list, because it sees neither hints nor that rows are missing. */
function agentNote(run: ListRun): INodeExecutionData[] {
	const found = run.rows === 0 ? hintsOf(run) : [...limitHint(run), ...rowHints(run)];
	const notes = [...found, ...requestHints(run)];
	if (notes.length === 0) return [];
	return [{ json: { rows: run.rows, note: notes.join(' ') } }];
}
