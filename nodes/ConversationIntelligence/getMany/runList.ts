import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Item } from '../../shared/node/item';
import { mapOrdered } from '../../shared/concurrency/mapOrdered';
import { isTool } from '../../shared/node/tool';
import { addTranscript } from '../downloads/transcript';
import { asRow, fieldsToKeep, keepFields } from './fields';
import { writeFile } from './file/writeFile';
import { completeness, hintsOf, limitHint, rowHints, showHints } from './hints';
import type { List, ListRun, RowSource } from './list';
import type { ListRequest } from './readRequest';
import { requestHints } from './requestHints';
import { UsersGuard } from './usersGuard';

/** This many rows of other users, and none of a requested one, show that the users filter matched nobody. */
const FALLBACK_SAMPLE = 50;

const TRANSCRIPTS_AT_ONCE = 5;

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
