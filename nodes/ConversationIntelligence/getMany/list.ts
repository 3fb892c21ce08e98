import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { AnyZodObject } from 'zod';
import { codedError } from '../../shared/base/codedError';
import { mapOrdered } from '../../shared/base/concurrency';
import type { DateRange } from '../../shared/exportApi/client';
import { fieldIn, fieldOf, keepFields, type ContractCheck } from '../../shared/exportApi/rows';
import type { Item } from '../../shared/node/item';
import type { Operation } from '../../shared/node/operations';
import type { Gap } from '../../shared/reading/reading';
import { membersOf, teamMatcher } from '../../shared/selection/teamsAndUsers';
import { DOWNLOADS_AT_ONCE, storeFile } from '../downloads/download';
import { addTranscript } from '../downloads/transcript';
import { EXPORT_ERRORS } from '../errors';
import { columnsOf, csvFormat, type RowFormat } from './csv';
import { dateRangeProperties, utc } from './dateRange';
import { asRow, fieldsProperties, fieldsToKeep, undocumented } from './fields';
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
import { limitProperties, outputAs, readRequest, toolLimit, type ListRequest } from './request';
import { forConversations } from './rowsFor';

/** What makes one list differ from another. */
export interface ListKind<Own = unknown> {
	option: Operation['option'];
	/** Kind of rows in words, for hints and file names, e.g. `missing recordings`. */
	rowKind: string;
	schema: AnyZodObject;
	/** The fields of a simplified row: at most thirteen, none of which expires or is an object. */
	simplified: string[];
	/** Parameters after the date range that only this list has. */
	properties?: INodeProperties[];
	filters?: INodeProperties[];
	options?: INodeProperties[];
	/** Whose row it is; absent if the list has no users filter. */
	emailOf?: (row: IDataObject) => unknown;
	/** Whether the service returns all rows at once: only an agent limits them. */
	isWhole?: boolean;
	/** Reads the parameters that only this list has; throws a CodedError that names an unusable one. */
	readOwn(item: Item, request: ListRequest): Own;
	/** The source of the rows; it requests nothing until they are read. */
	open(item: Item, request: ListRequest, own: Own): RowSource;
}

export interface RowSource {
	/** Rows as the service sent them, normally objects, a few at a time. */
	batches(): AsyncGenerator<unknown[]>;
	/** The documented fields of a row, then those that the node adds: the columns of a table. */
	schema: AnyZodObject;
	/** Fields that are always returned, because they tell rows apart. */
	keptFields: string[];
	check: RowCheck;
	summary(): IDataObject;
	/** What the user should know, one sentence each. */
	hints?(): string[];
	total(): number;
	/** Whether dates that cannot be read leave the order unknown. */
	isUndated?(): boolean;
	/** The range that the figures of a single period are compared with. */
	previous?: DateRange;
	/** What could not be read, if On Error continues anyway. */
	gaps?(): Gap[];
	isComplete(): boolean;
}

export type RowCheck = Pick<ContractCheck, 'add' | 'mismatches'>;

/** This many rows of other users, and none of a requested one, show that the users filter matched nobody. */
const FALLBACK_SAMPLE = 50;

/** Drops and counts rows of users outside the filter (D1-EXP-05: a filter that matches nobody falls back to all users). */
class UsersGuard {
	readonly missing: Set<unknown>;
	private readonly dropped = new Map<string, number>();
	private readonly wanted: Set<unknown>;

	constructor(
		users: string[],
		private readonly emailOf: (row: IDataObject) => unknown,
	) {
		this.wanted = new Set(users);
		this.missing = new Set(users);
	}

	/** Whether every row so far belongs to another user: the filter matched nobody, so all later rows do too. */
	get isFallback(): boolean {
		return this.missing.size === this.wanted.size && this.dropped.size > 0;
	}

	get count(): number {
		return [...this.dropped.values()].reduce((sum, rows) => sum + rows, 0);
	}

	passes(row: IDataObject): boolean {
		const email = this.emailOf(row);
		this.missing.delete(email);
		if (this.wanted.has(email)) return true;
		const whose = typeof email === 'string' ? email : 'an unnamed user';
		this.dropped.set(whose, (this.dropped.get(whose) ?? 0) + 1);
		return false;
	}

	/** How many rows of which users, most first, e.g. `12 of ana@example.com`. */
	get whose(): string[] {
		const sorted = [...this.dropped].sort(([, a], [, b]) => b - a);
		return sorted.map(([email, rows]) => `${rows} of ${email}`);
	}
}

export class Export {
	/** The fields of each row that are returned, in this order; all when undefined. */
	readonly fields: string[] | undefined;
	readonly guard: UsersGuard | undefined;
	/** Rows of the list so far: those that Limit counts. */
	rows = 0;
	/** Rows read so far, and those of them that pass the filters. */
	read = 0;
	passed = 0;
	/** Rows returned so far: several for each row of the list with Return One Row Per. */
	returned = 0;
	readonly unknownFields: Set<string>;
	/** Teams of the team filter, IDs or names; undefined for all. */
	private readonly teams: string[] | undefined;
	/** Of them, those that no row so far is of. */
	readonly missingTeams: Set<unknown>;
	failedTranscripts = 0;
	/** Transcripts of which it is not clear who speaks. */
	unclearTranscripts = 0;

	constructor(
		readonly item: Item,
		readonly list: ListKind,
		readonly request: ListRequest,
		readonly source: RowSource,
	) {
		const { users } = request;
		const documented = Object.keys(source.schema.shape as object);
		this.fields = request.entries?.columns ?? fieldsToKeep(request.fields, documented, source.keptFields);
		this.unknownFields = new Set(undocumented(request.fields, documented));
		this.teams = request.rowFilter?.filter.teams;
		this.missingTeams = new Set(this.teams);
		this.guard = users && list.emailOf ? new UsersGuard(users, list.emailOf) : undefined;
	}

	/**
	 * Yields the rows as they are returned, a few at a time.
	 * @param isWhole whether to read the list to its end before the transcripts, so that they are never waited for
	 * @throws what reading the rows throws
	 */
	async *batches(isWhole = false): AsyncGenerator<IDataObject[]> {
		const waiting: IDataObject[] = [];
		for await (const batch of this.source.batches()) {
			const rows = this.wantedOf(batch);
			if (isWhole && this.request.transcript) for (const row of rows) waiting.push(row);
			else yield await this.outputOf(rows);
			if (this.hasEnough) break;
		}
		if (waiting.length > 0) yield await this.outputOf(waiting);
	}

	/** Checks each row of a batch, and takes those that pass the filters, up to the limit. */
	private wantedOf(batch: unknown[]): IDataObject[] {
		const { source, guard } = this;
		const { rowFilter, maxRows } = this.request;
		if (this.teams && rowFilter) {
			const teams = batch.map(asRow);
			const wanted = teams.filter(teamMatcher(this.teams, teams));
			rowFilter.filter.teams = wanted.map(({ teamId }) => String(teamId));
		}
		for (const row of batch) {
			source.check.add(row);
			for (const name of ['teamId', 'name']) this.missingTeams.delete(fieldOf(row, name));
		}
		const passing = batch
			.map(asRow)
			.filter((row) => (guard?.passes(row) ?? true) && (rowFilter?.passes(row) ?? true));
		const rows = passing.slice(0, maxRows - this.rows);
		this.read += batch.length;
		this.passed += passing.length;
		this.rows += rows.length;
		for (const field of this.unknownFields) {
			if (rows.some((row) => fieldIn(row, field) !== undefined)) this.unknownFields.delete(field);
		}
		return rows;
	}

	/** The returned fields of each row, with the transcript of conversations; or its entries. */
	private async outputOf(rows: IDataObject[]): Promise<IDataObject[]> {
		const { entries, transcript } = this.request;
		let output: IDataObject[] = [];
		if (transcript) {
			// Row by row, because those of a whole list would hold the event loop.
			const added = mapOrdered(rows, DOWNLOADS_AT_ONCE, async (row) => {
				const json = keepFields(row, this.fields);
				await addTranscript(this.item, row, json, transcript);
				if (json.transcriptError !== null) this.failedTranscripts++;
				if (json.transcriptWarning !== null) this.unclearTranscripts++;
				return json;
			});
			for await (const json of added) output.push(json);
		} else if (entries) {
			output = rows.flatMap((row) => entries.of(row));
		} else {
			output = rows.map((row) => keepFields(row, this.fields));
		}
		this.returned += output.length;
		return output;
	}

	/** Whether no further row is wanted: the limit is reached, or the users filter matched nobody. */
	private get hasEnough(): boolean {
		const { guard, request } = this;
		return this.rows >= request.maxRows || (guard?.isFallback === true && guard.count >= FALLBACK_SAMPLE);
	}
}

/** Builds a Get Many operation: date range, limit, users, output as items or as a file, hints. */
export function listOperation<Own>(list: ListKind<Own>): Operation<{ request: ListRequest; own: Own }> {
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
			return await runList(new Export(item, list, asked, list.open(item, asked, own)));
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
export async function runList(run: Export): Promise<INodeExecutionData[]> {
	const { item } = run;
	const { file } = run.request;
	const rows = file ? [await writeFile(run, file)] : await toItems(run);
	const output = [...rows, ...gapItems(run)];
	showHints(item, hintsOf(run));
	showHints(item, limitHint(run), file ? 'warning' : 'info');
	showHints(item, [...rangeHint(run), ...requestHints(run)], 'info');
	return item.isTool ? [...output, ...agentNote(run)] : output;
}

async function toItems(run: Export): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for await (const rows of run.batches(true)) {
		for (const json of rows) items.push({ json });
	}
	return items;
}

/** Each part of the range that could not be read, as a failed item. */
function gapItems({ item, source }: Export): INodeExecutionData[] {
	return (source.gaps?.() ?? []).map(({ from, to, error }) => {
		const reason = `${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`;
		const dates = { fromDate: utc(from), toDate: utc(to) };
		const details = { ...error.details, code: 'list_incomplete', ...dates };
		return item.failed(codedError(EXPORT_ERRORS, 'list_incomplete', { reason }, details));
	});
}

/** What an agent must know of its list, because it sees neither hints nor that rows are missing. */
function agentNote(run: Export): INodeExecutionData[] {
	const found = run.rows === 0 ? hintsOf(run) : [...limitHint(run), ...rowHints(run)];
	const notes = [...found, ...requestHints(run)];
	if (notes.length === 0) return [];
	return [{ json: { rows: run.rows, note: notes.join(' ') } }];
}

const usedNames = new WeakMap<object, Set<string>>();

/** Writes a list into a file of n8n's binary storage while its pages arrive; no more than a few are in memory. */
async function writeFile(run: Export, options: FileOptions): Promise<INodeExecutionData> {
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

function formatOf({ source, fields, request }: Export, options: FileOptions): RowFormat {
	if (options.format === 'ndjson') return { head: '', line: ndjsonLine };
	const transcript = request.transcript ? [['transcript'], ['transcriptError'], ['transcriptWarning']] : [];
	const columns = [...columnsOf(source.schema, fields), ...transcript];
	return csvFormat(columns, { ...options, otherFields: fields === undefined });
}
