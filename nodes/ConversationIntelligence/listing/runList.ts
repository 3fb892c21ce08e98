import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { mapOrdered } from '../../shared/mapOrdered';
import { isTool } from '../../shared/tool';
import { addTranscript } from '../downloads/addTranscript';
import { asRow, fieldsToKeep, keepFields } from './fields';
import { writeFile } from './file/writeFile';
import { hintsOf, incompleteness, limitHint, showHints, type ListRun } from './hints';
import type { List, ListRequest, RowSource } from './list';
import { UsersGuard } from './usersGuard';

/** So many rows of others, and none that was asked for, show that the users filter matched nobody. */
const FALLBACK_SAMPLE = 50;

const TRANSCRIPTS_AT_ONCE = 5;

/**
 * Reads a list and returns its rows as items, or as one item with a file, and hints about what they cannot show.
 *
 * @throws what reading the rows throws; nothing is returned then
 */
export async function runList(
	context: IExecuteFunctions,
	itemIndex: number,
	list: List,
	request: ListRequest,
	source: RowSource,
): Promise<INodeExecutionData[]> {
	const { users, guardsUsers } = request;
	const guard = users && guardsUsers && list.emailOf ? new UsersGuard(users, list.emailOf) : undefined;
	const run: ListRun = { list, request, source, guard, rows: 0, failedTranscripts: 0 };
	const items = request.file ? [await toFile(context, run)] : await toItems(context, itemIndex, run);
	const hints = hintsOf(run, context.getTimezone());
	showHints(context, itemIndex, hints);
	showHints(context, itemIndex, limitHint(run), request.file ? 'warning' : 'info');
	// An agent sees neither hints nor that there are no items.
	const isSilent = items.length === 0 && isTool(context.getNode());
	return isSilent ? [{ json: { rows: 0, note: hints.join(' ') } }] : items;
}

async function toItems(
	context: IExecuteFunctions,
	itemIndex: number,
	run: ListRun,
): Promise<INodeExecutionData[]> {
	const { request, source } = run;
	const fields = fieldsOf(run);
	const items: INodeExecutionData[] = [];
	const withTranscript: Array<{ row: IDataObject; json: IDataObject }> = [];
	for await (const rows of wantedRows(run)) {
		for (const row of rows) {
			const json = keepFields(row, fields);
			items.push({ json });
			if (request.includeTranscript && typeof row.conversationId === 'string')
				withTranscript.push({ row, json });
		}
	}
	const add = async ({ row, json }: { row: IDataObject; json: IDataObject }) =>
		await addTranscript(context, itemIndex, row, json);
	const added = mapOrdered(withTranscript, TRANSCRIPTS_AT_ONCE, add);
	for await (const isRead of added) if (!isRead) run.failedTranscripts++;
	return [...items, ...incompleteness(source).map((json) => ({ json }))];
}

async function toFile(context: IExecuteFunctions, run: ListRun): Promise<INodeExecutionData> {
	const { list, request, source, guard } = run;
	const fields = fieldsOf(run);
	const startedAt = Date.now();
	return await writeFile(context, {
		options: request.file!,
		schema: source.schema,
		fields,
		rows: (async function* () {
			for await (const rows of wantedRows(run)) yield rows.map((row) => keepFields(row, fields));
		})(),
		rowKind: list.rowKind,
		range: request.range,
		zone: context.getTimezone(),
		summary: () => ({
			rows: run.rows,
			...source.summary(),
			...(guard ? { droppedRows: guard.isFallback ? source.total() : guard.count } : {}),
			...request.range,
			seconds: (Date.now() - startedAt) / 1000,
			...incompleteness(source)[0],
		}),
	});
}

function fieldsOf({ request, source }: ListRun): string[] | undefined {
	return fieldsToKeep(request.fields, Object.keys(source.schema.shape as object), source.keptFields);
}

/** Checks each row once, and lets only rows through that were asked for. */
async function* wantedRows(run: ListRun): AsyncGenerator<IDataObject[]> {
	const { source, guard } = run;
	for await (const batch of source.batches()) {
		for (const row of batch) source.check.add(row);
		const rows = batch.map(asRow).filter((row) => guard?.passes(row) ?? true);
		run.rows += rows.length;
		yield rows;
		// The filter matched nobody: no later page can hold a row that was asked for.
		if (guard?.isFallback && guard.count >= FALLBACK_SAMPLE) return;
	}
}
