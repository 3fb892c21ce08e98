import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { codedError } from '../../shared/base/codedError';
import type { Operation } from '../../shared/node/operation';
import { membersOf } from '../../shared/selection/teamsAndUsers';
import { storeFile } from '../downloads/download';
import { EXPORT_ERRORS } from '../errors';
import { columnsOf, csvFormat, type RowFormat } from './csv';
import { dateRangeProperties, utc } from './dateRange';
import { fieldsProperties } from './fields';
import {
	fileBytes,
	fileProperties,
	gzip,
	listFileName,
	MIME_TYPES,
	ndjsonLine,
	type FileOptions,
} from './file';
import { completeness, hintsOf, limitHint, rangeHint, requestHints, rowHints, showHints } from './hints';
import { ListRun, type List } from './listRun';
import { limitProperties, outputAs, readRequest, toolLimit, type ListRequest } from './readRequest';
import { forConversations } from './rowsFor';

/** Builds a Get Many operation: date range, limit, users, output as items or as a file, hints. */
export function listOperation<Own>(list: List<Own>): Operation<{ request: ListRequest; own: Own }> {
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

/** A collection with its entries by their labels; none without entries. */
export function collection(
	displayName: 'Filters' | 'Options',
	placeholder: string,
	entries: INodeProperties[] = [],
): INodeProperties[] {
	const options = entries.toSorted((one, other) => one.displayName.localeCompare(other.displayName));
	const name = displayName.toLowerCase();
	const about = displayName === 'Filters' && {
		description: 'Filtered by n8n, not by the service, except by user',
	};
	return options.length > 0
		? [{ displayName, name, type: 'collection', placeholder, default: {}, options, ...about }]
		: [];
}

/** Returns a list's rows as items, or as one item with a file, and shows hints about the rest. */
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

const usedNames = new WeakMap<object, Set<string>>();

/** Writes a list into a file of n8n's binary storage while its pages arrive; no more than a few are in memory. */
async function writeFile(run: ListRun, options: FileOptions): Promise<INodeExecutionData> {
	const { item, list, request, source, guard } = run;
	const used = usedNames.get(item.context) ?? new Set();
	usedNames.set(item.context, used);
	const startedAt = Date.now();
	const named = {
		rowKind: request.entries?.rowKind ?? list.rowKind,
		range: request.range,
		zone: item.context.getTimezone(),
	};
	const ending = options.gzip ? `${options.format}.gz` : options.format;
	const fileName = listFileName(options.fileName, ending, named, used);
	const bytes = fileBytes(run.batches(), formatOf(run, options));
	const binary = await storeFile(
		item,
		'list',
		options.gzip ? gzip(bytes) : bytes,
		fileName,
		options.gzip ? 'application/gzip' : MIME_TYPES[options.format],
	);
	const json = {
		fileName,
		bytes: binary.bytes,
		rows: run.returned,
		...(request.rowFilter ? { filteredRows: request.rowFilter.dropped } : {}),
		...(request.transcript ? { failedTranscripts: run.failedTranscripts } : {}),
		...source.summary(),
		...(guard ? { droppedRows: guard.isFallback ? source.total() : guard.count } : {}),
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
