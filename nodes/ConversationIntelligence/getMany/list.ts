import type { INodeExecutionData } from 'n8n-workflow';
import { codedError } from '../../shared/base/codedErrors';
import { lowerFirst } from '../../shared/base/text';
import { collection, type Operation } from '../../shared/node/resources';
import { membersOf } from '../../shared/selection/teamsAndUsers';
import { EXPORT_ERRORS } from '../exportErrors';
import { columnsOf, csvFormat, type RowFormat } from './csv';
import { dateRangeProperties, utc } from './dateRange';
import { isFallback, openList, rowsOf, type ListKind, type ListRun } from './listPipeline';
import { fieldsProperties } from './fieldsToReturn';
import { fileProperties, listFileName, ndjsonLine, storeRows, type FileOptions } from './file';
import { completeness, notesOf, showHints } from './hints';
import { limitProperties, outputAs, readRequest, toolLimit, type ListRequest } from './listRequest';
import { forConversations } from './rowsFor';

/** Builds a Get Many operation: date range, limit, users, output as items or as a file, hints. */
export function listOperation<Own>(list: ListKind<Own>): Operation<{ request: ListRequest; own: Own }> {
	return {
		option: list.option,
		properties: [
			...dateRangeProperties,
			...(list.properties ?? []),
			collection('Filters', list.filters, {
				description: 'Filtered by n8n, not by the service, except by user',
			}),
			...(list.isWhole ? [toolLimit] : limitProperties),
			outputAs,
			...fileProperties,
			...fieldsProperties(list.schema.shape).map(forConversations),
			...(list.options ? [collection('Options', list.options)] : []),
		],
		read(item) {
			const request = readRequest(item, list);
			return { request, own: list.readOwn(item, request) };
		},
		// One file after another, so that many take no more memory than one.
		key: ({ request }) => request.file && 'file',
		async execute(item, { request, own }) {
			const { teams, users } = request;
			const members = teams && list.emailOf && (await membersOf(item.context, teams, users));
			const asked = { ...request, ...members };
			return await runList(openList(item, list, asked, list.open(item, asked, own)));
		},
	};
}

/** Returns a list's rows as items, or as one item with a file, and notes about the rest: as hints, or as an agent's last item. */
export async function runList(run: ListRun): Promise<INodeExecutionData[]> {
	const { item, request, source, tally } = run;
	const output: INodeExecutionData[] = [];
	if (request.file) output.push(await fileItem(run, request.file));
	else for await (const rows of rowsOf(run, true)) for (const json of rows) output.push({ json });
	for (const { from, to, error } of source.report.gaps ?? []) {
		const dates = { fromDate: utc(from), toDate: utc(to) };
		const details = { ...error.details, code: 'list_incomplete', ...dates };
		const values = { reason: lowerFirst(error.message) };
		output.push(item.failed(codedError(EXPORT_ERRORS, 'list_incomplete', values, details)));
	}
	const notes = notesOf(run);
	for (const { text, type } of notes) showHints(item, [text], type);
	const told = notes.filter(({ isForAgent }) => item.isTool && isForAgent).map(({ text }) => text);
	if (told.length > 0) output.push({ json: { rows: tally.rows, note: told.join(' ') } });
	return output;
}

const usedNames = new WeakMap<object, Set<string>>();

async function fileItem(run: ListRun, options: FileOptions): Promise<INodeExecutionData> {
	const { item, list, request, source, tally } = run;
	const used = usedNames.get(item.context) ?? new Set();
	usedNames.set(item.context, used);
	const startedAt = Date.now();
	const rowKind = request.entries?.rowKind ?? list.rowKind;
	const named = { rowKind, range: request.range, zone: item.context.getTimezone() };
	const fileName = listFileName(options.fileName, options.ending, named, used);
	const binary = await storeRows(item, rowsOf(run), formatOf(run, options), fileName, options);
	const json = {
		fileName,
		bytes: binary.bytes,
		rows: tally.returned,
		...(request.rowFilter && { filteredRows: tally.own - tally.passed }),
		...(request.transcript && { failedTranscripts: tally.failedTranscripts }),
		...source.summary(),
		...(run.users && { droppedRows: isFallback(tally) ? source.report.total : tally.read - tally.own }),
		...request.range,
		seconds: (Date.now() - startedAt) / 1000,
		...completeness(run),
	};
	return { json, binary: { [options.field]: binary } };
}

function formatOf({ source, fields, request }: ListRun, options: FileOptions): RowFormat {
	if (options.format === 'ndjson') return { head: '', line: ndjsonLine };
	const transcript = request.transcript ? [['transcript'], ['transcriptError'], ['transcriptWarning']] : [];
	const columns = [...columnsOf(source.schema, fields), ...transcript];
	return csvFormat(columns, { ...options, otherFields: fields === undefined });
}
