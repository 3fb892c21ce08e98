import type { IBinaryData, IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { codedError } from '../../shared/base/codedErrors';
import { lowerFirst } from '../../shared/base/text';
import type { Item } from '../../shared/node/item';
import { collection, notAsTool, type Operation } from '../../shared/node/resources';
import { membersOf } from '../../shared/selection/teamsAndUsers';
import { EXPORT_ERRORS } from '../exportErrors';
import { dateRangeProperties, utc } from './dateRange';
import { hasIgnoredUsers, openList, rowsOf, type ListKind, type ListRun } from './listPipeline';
import { fieldsProperties } from './fieldsToReturn';
import {
	columnsOf,
	csvFormat,
	fileProperties,
	listFileName,
	ndjsonLine,
	storeRows,
	type FileOptions,
} from './file';
import { notesOf, showHints, todayNote, type Note } from './hints';
import {
	alsoForModels,
	limitProperties,
	outputAs,
	readRequest,
	toolLimit,
	type ListRequest,
} from './listRequest';
import { forConversations } from './rowsFor';
import { saidRows } from './saidRows';

/** Builds a Get Many operation: date range, limit, users, output as items or as a file, hints. */
export function listOperation<Own>(list: ListKind<Own>): Operation<{ request: ListRequest; own?: Own }> {
	return {
		option: list.option,
		properties: [
			...dateRangeProperties,
			...(list.properties ?? []),
			collection('Filters', list.filters.flatMap(alsoForModels), {
				description:
					'The service filters only by users. The node applies the other filters to the rows that it has read.',
			}),
			outputAs,
			...(list.isWhole ? [toolLimit] : limitProperties),
			...fileProperties,
			...fieldsProperties(list.schema.shape).map(forConversations),
			...optionsOf(list),
		],
		read(item) {
			const request = readRequest(item, list);
			return { request, own: list.readOwn?.(item, request) };
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

/** In a tool, a list of options without any is not shown. */
function optionsOf({ options }: Pick<ListKind, 'options'>): INodeProperties[] {
	const isForPeople = options?.every(({ displayOptions }) => displayOptions === notAsTool);
	return options ? [collection('Options', options, isForPeople ? { displayOptions: notAsTool } : {})] : [];
}

/** Returns a list's rows as items, or as one item with a file, and notes about the rest: as hints, or as an agent's last item. */
export async function runList(run: ListRun): Promise<INodeExecutionData[]> {
	const { item, request, source, tally } = run;
	const output: INodeExecutionData[] = [];
	const startedAt = Date.now();
	const file = request.file && (await storeList(run, request.file));
	if (!file) for await (const rows of rowsIn(run, true)) for (const json of rows) output.push({ json });
	const notes = notesOf(run);
	if (file) {
		const json = { ...describeFile(run, file, notes), seconds: (Date.now() - startedAt) / 1000 };
		output.push({ json, binary: { [request.file!.field]: file } });
	}
	for (const { from, to, error } of source.report.gaps ?? []) {
		const dates = { fromDate: utc(from), toDate: utc(to) };
		const details = { ...error.details, code: 'list_incomplete', ...dates };
		const values = { reason: lowerFirst(error.message) };
		output.push(item.failed(codedError(EXPORT_ERRORS, 'list_incomplete', values, details)));
	}
	for (const { text, type, isGap } of notes) {
		if (!(isGap && type === 'info' && showsLimit(item, output))) showHints(item, [text], type);
	}
	if (item.isTool) {
		const note = [...notes.map(({ text }) => text), todayNote(item)].join(' ');
		output.push({ json: { rows: tally.rows, note } });
	}
	return output;
}

const rowsIn = (run: ListRun, transcriptsLast?: boolean) =>
	run.request.said ? saidRows(run) : rowsOf(run, transcriptsLast);

/** Whether n8n's editor itself says "Limit of 50 items reached". */
function showsLimit({ context }: Item, output: unknown[]): boolean {
	return context.getInputData().length === 1 && output.length === context.getNode().parameters.limit;
}

const usedNames = new WeakMap<object, Set<string>>();

async function storeList(run: ListRun, options: FileOptions): Promise<IBinaryData> {
	const { item, list, request } = run;
	const used = usedNames.get(item.context) ?? new Set();
	usedNames.set(item.context, used);
	const rowKind = request.entries?.rowKind ?? list.rowKind;
	const named = { rowKind, range: request.range, zone: item.context.getTimezone() };
	const fileName = listFileName(options.fileName, options.ending, named, used);
	return await storeRows(item, rowsIn(run), formatOf(run, options), fileName, options);
}

/** What the item of a file says: what is in it, what is missing and why, and what a production run should know. */
function describeFile(
	{ request, source, tally, users }: ListRun,
	file: IBinaryData,
	notes: Note[],
): IDataObject {
	const gaps = notes.filter(({ isGap }) => isGap).map(({ text }) => text);
	const warnings = notes.filter(({ isGap, type }) => !isGap && type === 'warning').map(({ text }) => text);
	return {
		...{ fileName: file.fileName, bytes: file.bytes, rows: tally.returned },
		...(request.rowFilter && { filteredRows: tally.own - tally.passed }),
		...(request.said && { searchedTranscripts: tally.searched }),
		...((request.transcript ?? request.said) && { failedTranscripts: tally.failedTranscripts }),
		...source.summary(),
		...(users && { droppedRows: hasIgnoredUsers(tally) ? source.report.total : tally.read - tally.own }),
		...request.range,
		...{ complete: gaps.length === 0, incompleteReason: gaps.join(' ') || null, warnings },
	};
}

function formatOf({ source, fields, request }: ListRun, options: FileOptions) {
	if (options.format === 'ndjson') return { head: '', line: ndjsonLine };
	const transcript = request.transcript ? [['transcript'], ['transcriptError'], ['transcriptWarning']] : [];
	const said = request.said && !request.transcript ? [['transcriptError']] : [];
	const columns = [...columnsOf(source.schema, fields), ...transcript, ...said];
	return csvFormat(columns, { ...options, hasOthers: fields === undefined });
}
