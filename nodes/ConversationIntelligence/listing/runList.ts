import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Item } from '../../shared/node/item';
import { mapOrdered } from '../../shared/concurrency/mapOrdered';
import { isTool } from '../../shared/node/tool';
import { addTranscript } from '../downloads/transcript';
import { asRow, fieldsToKeep, keepFields } from './fields';
import { writeFile } from './file/writeFile';
import { hintsOf, incompleteness, limitHint, showHints } from './hints';
import type { List, ListRun, RowSource } from './list';
import type { ListRequest } from './readRequest';
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
	const output = file ? [await writeFile(run, file, wantedRows(run))] : await toItems(run);
	const hints = hintsOf(run);
	showHints(item, hints);
	showHints(item, limitHint(run), file ? 'warning' : 'info');
	// An agent sees neither hints nor that there are no items.
	const isSilent = output.length === 0 && isTool(item.context.getNode());
	return isSilent ? [{ json: { rows: 0, note: hints.join(' ') } }] : output;
}

async function toItems(run: ListRun): Promise<INodeExecutionData[]> {
	const { item, request, source, fields } = run;
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
	const added = mapOrdered(
		withTranscript,
		TRANSCRIPTS_AT_ONCE,
		async ({ row, json }) => await addTranscript(item, row, json),
	);
	for await (const isRead of added) if (!isRead) run.failedTranscripts++;
	return [...items, ...incompleteness(source).map((json) => ({ json }))];
}

/** Checks each row once, and yields only those of requested users. */
async function* wantedRows(run: ListRun): AsyncGenerator<IDataObject[]> {
	const { source, guard } = run;
	for await (const batch of source.batches()) {
		for (const row of batch) source.check.add(row);
		const rows = batch.map(asRow).filter((row) => guard?.passes(row) ?? true);
		run.rows += rows.length;
		yield rows;
		// The filter matched nobody: no later page has a row of a requested user.
		if (guard?.isFallback && guard.count >= FALLBACK_SAMPLE) return;
	}
}
