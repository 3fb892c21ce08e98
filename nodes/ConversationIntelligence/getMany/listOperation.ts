import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { mapOrdered } from '../../shared/concurrency/mapOrdered';
import type { Item } from '../../shared/node/item';
import type { Operation } from '../../shared/node/operation';
import { isTool } from '../../shared/node/tool';
import { ARRAYS, type ArrayName } from '../../shared/reading';
import { membersOf } from '../../shared/exportApi/teams';
import { usersFilter } from '../../shared/exportApi/users';
import { dateRangeProperties } from './dateRange';
import { addTranscript } from '../downloads/transcript';
import { asRow, fieldsProperties, fieldsToKeep, keepFields } from './fields';
import { fileProperties } from './file/fileOptions';
import { writeFile } from './file/writeFile';
import { completeness, hintsOf, limitHint, requestHints, rowHints, showHints } from './hints';
import type { List, ListRun, RowSource } from './list';
import { pagedSource } from './pagedSource';
import { limitProperties, outputAs, pagedOptions, transcriptProperties } from './properties';
import { readRequest, type ListRequest } from './readRequest';
import { guardOption, UsersGuard } from './usersGuard';

/** This many rows of other users, and none of a requested one, show that the users filter matched nobody. */
const FALLBACK_SAMPLE = 50;

const TRANSCRIPTS_AT_ONCE = 5;

/** Builds a Get Many operation: date range, limit, users, output as items or as a file, hints. */
export function listOperation(list: List): Operation {
	return {
		option: list.option,
		properties: [
			...dateRangeProperties,
			...(list.properties ?? []),
			...limitProperties,
			outputAs,
			...fieldsProperties(list.schema.shape, true),
			...(list.hasTranscripts ? transcriptProperties : []),
			...collection('Filters', 'filters', 'Add filter', list.filters),
			...collection('Options', 'options', 'Add option', list.options),
			...fileProperties,
		],
		start() {
			const now = Date.now();
			return {
				prepare(item) {
					const request = readRequest(item, list, now);
					const open = (users = request.users) => list.open(item, { ...request, users });
					const source = open();
					return {
						async execute() {
							if (request.teams === undefined) return await runList(item, list, request, source);
							const users = await membersOf(item.context, request.teams, request.users, item.index);
							return await runList(item, list, { ...request, users, guardsUsers: true }, open(users));
						},
					};
				},
			};
		},
	};
}

/**
 * Builds a Get Many operation for an array of POST /export/conversations, whose rows can be filtered by their rep.
 *
 * @param also reads which other arrays of the same pages an item asks for
 */
export function pagedList(
	array: ArrayName,
	{ filters = [], options = [], ...list }: Omit<List, 'schema' | 'emailOf' | 'open'>,
	also: (item: Item, request: ListRequest) => ArrayName[] = () => [],
): Operation {
	return listOperation({
		...list,
		schema: ARRAYS[array].schema,
		filters: [...filters, usersFilter],
		options: [...options, guardOption, ...pagedOptions],
		emailOf: ({ user }) => (user as IDataObject | null | undefined)?.email,
		open: (item, request) => pagedSource(item, request, [array, ...also(item, request)]),
	});
}

function collection(
	displayName: string,
	name: string,
	placeholder: string,
	options: INodeProperties[] = [],
): INodeProperties[] {
	if (options.length === 0) return [];
	return [{ displayName, name, type: 'collection', placeholder, default: {}, options }];
}

/**
 * Reads a list and returns its rows as items, or as one item with a file, and shows hints about the rest.
 *
 * @throws what reading the rows throws, instead of returning a part
 */
export async function runList(
	item: Item,
	list: List,
	request: ListRequest,
	source: RowSource,
): Promise<INodeExecutionData[]> {
	const { users, guardsUsers, file } = request;
	const fields = fieldsToKeep(request.fields, Object.keys(source.schema.shape as object), source.keptFields);
	const guard = users && guardsUsers && list.emailOf ? new UsersGuard(users, list.emailOf) : undefined;
	const run: ListRun = { item, list, request, source, fields, guard, rows: 0, failedTranscripts: 0 };
	const output = file ? [await writeFile(run, file, jsonRows(run))] : await toItems(run);
	showHints(item, hintsOf(run));
	showHints(item, limitHint(run), file ? 'warning' : 'info');
	showHints(item, requestHints(run), 'info');
	return isTool(item.context.getNode()) ? [...output, ...agentNote(run)] : output;
}

async function toItems(run: ListRun): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for await (const rows of jsonRows(run, true)) {
		for (const json of rows) items.push({ json });
	}
	return run.source.endsWithCompleteness ? [...items, { json: completeness(run) }] : items;
}

/**
 * The rows as they are returned, a few at a time.
 *
 * @param isWhole whether to read the list to its end before the transcripts, so that they are never waited for
 */
async function* jsonRows(run: ListRun, isWhole = false): AsyncGenerator<IDataObject[]> {
	const { request, fields } = run;
	const all: IDataObject[] = [];
	for await (const rows of wantedRows(run)) {
		if (!request.includeTranscript) yield rows.map((row) => keepFields(row, fields));
		else if (isWhole) all.push(...rows);
		else yield await withTranscripts(run, rows);
	}
	yield await withTranscripts(run, all);
}

/** The returned fields of each row, with the transcript of conversations. */
async function withTranscripts(run: ListRun, rows: IDataObject[]): Promise<IDataObject[]> {
	const { item, request, fields } = run;
	const all: IDataObject[] = [];
	const added = mapOrdered(rows, TRANSCRIPTS_AT_ONCE, async (row) => {
		const json = keepFields(row, fields);
		if (typeof row.conversationId !== 'string') return json;
		if (!(await addTranscript(item, row, json, request.maxTranscriptLength))) run.failedTranscripts++;
		return json;
	});
	for await (const json of added) all.push(json);
	return all;
}

/** What an agent must know of its list, because it sees neither hints nor that rows are missing. */
function agentNote(run: ListRun): INodeExecutionData[] {
	const notes = run.rows === 0 ? hintsOf(run) : [...limitHint(run), ...rowHints(run)];
	if (notes.length === 0) return [];
	return [{ json: { rows: run.rows, note: notes.join(' ') } }];
}

/** Checks each row once, and yields only those that pass the filters, up to the limit. */
async function* wantedRows(run: ListRun): AsyncGenerator<IDataObject[]> {
	const { source, guard, request } = run;
	for await (const batch of source.batches()) {
		for (const row of batch) source.check.add(row);
		const rows = batch
			.map(asRow)
			.filter((row) => (guard?.passes(row) ?? true) && (request.rowFilter?.passes(row) ?? true))
			.slice(0, request.maxRows - run.rows);
		run.rows += rows.length;
		yield rows;
		if (run.rows >= request.maxRows) return;
		// The filter matched nobody: no later page has a row of a requested user.
		if (guard?.isFallback && guard.count >= FALLBACK_SAMPLE) return;
	}
}
