import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { AnyZodObject } from 'zod';
import { mapOrdered } from '../../shared/base/concurrency';
import { wellFormedData } from '../../shared/base/text';
import type { DateRange } from '../../shared/exportApi/client';
import { asRow, fieldIn, keepFields, mismatchesOf } from '../../shared/exportApi/rows';
import type { Item } from '../../shared/node/item';
import type { Operation } from '../../shared/node/resources';
import type { Report } from '../../shared/reading/reading';
import { teamMatcher } from '../../shared/selection/teamsAndUsers';
import { DOWNLOADS_AT_ONCE } from '../../shared/media/download';
import { addTranscript } from '../../shared/media/transcript';
import { fieldsToKeep, undocumented } from './fieldsToReturn';
import type { ListRequest } from './listRequest';

/** What makes one list differ from another. */
export interface ListKind<Own = unknown> {
	option: Operation['option'];
	/** Kind of rows in words, for hints and file names, e.g. `missing recordings`. */
	rowKind: string;
	schema: AnyZodObject;
	/** The fields of a simplified row: at most thirteen, none of which expires or is an object. */
	simplified: string[];
	properties?: INodeProperties[];
	filters: INodeProperties[];
	options?: INodeProperties[];
	/** Whose row it is; absent if the list has no users filter. */
	emailOf?: (row: IDataObject) => unknown;
	/** Whether the service returns all rows at once: only an agent limits them. */
	isWhole?: boolean;
	/** Reads the parameters that only this list has; throws a CodedError that names an unusable one. */
	readOwn?: (item: Item, request: ListRequest) => Own;
	/** The source of the rows; it requests nothing until they are read. */
	open(item: Item, request: ListRequest, own?: Own): RowSource;
}

export interface RowSource {
	/** Rows as the service sent them, normally objects, a few at a time. */
	batches(): AsyncGenerator<unknown[]>;
	/** The documented fields of a row, then those that the node adds: the columns of a table. */
	schema: AnyZodObject;
	/** Fields that are always returned, because they tell rows apart. */
	keptFields: string[];
	/** How the rows were read: what the item of a file says. */
	summary(): IDataObject;
	report: Pick<Report, 'total'> &
		Partial<Pick<Report, 'isUndated' | 'paged' | 'unlisted' | 'gaps' | 'surplus'>>;
	/** The range that the figures of a single period are compared with. */
	previous?: DateRange;
}

/** How many rows of one list were read, kept and returned so far. */
export interface Tally {
	read: number;
	/** Of the users in the filter. */
	own: number;
	/** That pass the other filters. */
	passed: number;
	/** Rows within Limit; with Return One Row Per Passage, these are passages. */
	rows: number;
	/** The last of these rows. Its date tells an agent where to continue. */
	lastRow?: IDataObject;
	/** Several for each row of the list with Return One Row Per. */
	returned: number;
	/** Users outside of the filter whose rows came. */
	others: Set<unknown>;
	/** Users and teams of the filters without a row so far, and undocumented fields that no row has. */
	missing: Record<'users' | 'teams' | 'fields', Set<unknown>>;
	/** Fields that do not match the documentation, by the first rows. */
	mismatches: string[];
	/** Transcripts that were searched, those in which the words were said, and those that are not readable or clear. */
	searched: number;
	said: number;
	failedTranscripts: number;
	unclearTranscripts: number;
	/** Whether transcripts were left out, because Limit was reached. */
	isCut: boolean;
}

/** One list of an item: what is asked for, where its rows come from, and what became of them. */
export interface ListRun {
	item: Item;
	list: ListKind;
	request: ListRequest;
	source: RowSource;
	/** Emails of the users filter; undefined for all users. */
	users: Set<unknown> | undefined;
	/** The fields of each row that are returned, in this order; all when undefined. */
	fields: string[] | undefined;
	tally: Tally;
}

/** Prepares a list; nothing is requested before its rows are read. */
export function openList(item: Item, list: ListKind, request: ListRequest, source: RowSource): ListRun {
	const documented = Object.keys(source.schema.shape as object);
	const users = list.emailOf && request.users ? new Set<unknown>(request.users) : undefined;
	const fields = request.entries?.columns ?? fieldsToKeep(request.fields, documented, source.keptFields);
	const missing = {
		users: new Set<unknown>(users),
		teams: new Set<unknown>(list.emailOf ? [] : request.teams),
		fields: new Set<unknown>(undocumented(request.fields, documented)),
	};
	const counts = { read: 0, own: 0, passed: 0, rows: 0, returned: 0 };
	const transcripts = { searched: 0, said: 0, failedTranscripts: 0, unclearTranscripts: 0 };
	const tally = {
		...counts,
		others: new Set<unknown>(),
		missing,
		mismatches: [],
		...transcripts,
		isCut: false,
	};
	return { item, list, request, source, users, fields, tally };
}

/**
 * Returns the rows of a list as they leave the node, a few at a time.
 * @param transcriptsLast reads the list to its end before the first transcript is downloaded
 * @throws what the source throws
 */
export async function* rowsOf(run: ListRun, transcriptsLast = false): AsyncGenerator<IDataObject[]> {
	const { request, tally } = run;
	const waiting: IDataObject[] = [];
	for await (const passed of passedRows(run)) {
		const rows = passed.slice(0, request.maxRows - tally.rows);
		tally.rows += rows.length;
		tally.lastRow = rows.at(-1) ?? tally.lastRow;
		noteFields(run, rows);
		if (transcriptsLast && request.transcript) for (const row of rows) waiting.push(row);
		else yield await returned(run, rows);
		if (tally.rows >= request.maxRows) break;
	}
	if (waiting.length > 0) yield await returned(run, waiting);
}

/** The rows that pass the filters, except those that transcripts decide, in batches. */
export async function* passedRows(run: ListRun): AsyncGenerator<IDataObject[]> {
	const { source, tally } = run;
	for await (const batch of source.batches()) {
		if (tally.read === 0) tally.mismatches = mismatchesOf(source.schema, batch);
		const read = batch.map(asRow);
		const own = ofUsers(run, read);
		const passed = passing(run, own);
		tally.read += read.length;
		tally.own += own.length;
		tally.passed += passed.length;
		yield passed;
		if (hasNoUser(run)) return;
	}
}

/** Drops rows of other users, which the service returns if the users filter matches nobody (D1-EXP-05). */
function ofUsers({ users, list, tally }: ListRun, rows: IDataObject[]): IDataObject[] {
	if (!users) return rows;
	return rows.filter((row) => {
		const email = list.emailOf!(row);
		tally.missing.users.delete(email);
		if (!users.has(email)) tally.others.add(email);
		return users.has(email);
	});
}

function passing({ request, tally, list }: ListRun, rows: IDataObject[]): IDataObject[] {
	const { rowFilter, teams } = request;
	if (!rowFilter) return rows;
	if (teams && !list.emailOf) {
		// The service sends all teams at once, so names become IDs here.
		rowFilter.filter.teams = rows.filter(teamMatcher(teams, rows)).map(({ teamId }) => String(teamId));
		for (const { teamId, name } of rows) for (const team of [teamId, name]) tally.missing.teams.delete(team);
	}
	return rows.filter((row) => rowFilter.passes(row));
}

export function noteFields({ tally: { missing } }: ListRun, rows: IDataObject[]): void {
	for (const field of missing.fields) {
		if (rows.some((row) => fieldIn(row, String(field)) !== undefined)) missing.fields.delete(field);
	}
}

/** This many rows of other users, and none of a requested one, show that the users filter matched nobody. */
const FALLBACK_SAMPLE = 50;

/** Whether the users filter matched nobody, so that the service sends the rows of all users. */
export const hasIgnoredUsers = ({ read, own }: Tally) => read > 0 && own === 0;

const hasNoUser = ({ tally }: ListRun) => hasIgnoredUsers(tally) && tally.read >= FALLBACK_SAMPLE;

/** The rows with the chosen fields and their transcript, or the rows that are made of each. */
async function returned(run: ListRun, rows: IDataObject[]): Promise<IDataObject[]> {
	const { fields, tally } = run;
	const { entries, transcript } = run.request;
	let output: IDataObject[] = [];
	if (entries) output = rows.flatMap((row) => entries.of(row));
	else if (!transcript) output = rows.map((row) => keepFields(row, fields));
	else {
		// Row by row, because those of a whole list would hold the event loop.
		const added = mapOrdered(rows, DOWNLOADS_AT_ONCE.transcript, async (row) => {
			const json = keepFields(row, fields);
			await addTranscript(run.item.context, row, json, transcript);
			return json;
		});
		for await (const json of added) {
			if (json.transcriptError !== null) tally.failedTranscripts++;
			if (json.transcriptWarning !== null) tally.unclearTranscripts++;
			output.push(json);
		}
	}
	tally.returned += output.length;
	return output.map(wellFormedData);
}
