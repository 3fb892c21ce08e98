import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { AnyZodObject } from 'zod';
import { mapOrdered } from '../../shared/base/concurrency';
import type { DateRange } from '../../shared/exportApi/client';
import { asRow, fieldIn, keepFields, mismatchesOf } from '../../shared/exportApi/rows';
import type { Item } from '../../shared/node/item';
import type { Operation } from '../../shared/node/resources';
import type { Report } from '../../shared/reading/reading';
import { teamMatcher } from '../../shared/selection/teamsAndUsers';
import { DOWNLOADS_AT_ONCE } from '../downloads/download';
import { addTranscript } from '../downloads/transcript';
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
	/** How the rows were read: what the item of a file says. */
	summary(): IDataObject;
	report: Pick<Report, 'total' | 'isComplete'> &
		Partial<Pick<Report, 'isUndated' | 'paged' | 'unlisted' | 'gaps'>>;
	/** The range that the figures of a single period are compared with. */
	previous?: DateRange;
}

/** This many rows of other users, and none of a requested one, show that the users filter matched nobody. */
const FALLBACK_SAMPLE = 50;

/** One list of an item while it is read: checks, filters and counts its rows. */
export class Export {
	readonly counts = {
		/** Rows of the list so far: those that Limit counts. */
		rows: 0,
		/** Rows read so far, and those of them that pass the filters. */
		read: 0,
		passed: 0,
		/** Several for each row of the list with Return One Row Per. */
		returned: 0,
		/** Dropped rows of users outside the filter (D1-EXP-05: one that matches nobody falls back to all users). */
		otherUsers: 0,
		failedTranscripts: 0,
		unclearTranscripts: 0,
	};
	/** Fields that do not match the documentation, by the first rows. */
	mismatches: string[] = [];
	/** The fields of each row that are returned, in this order; all when undefined. */
	readonly fields: string[] | undefined;
	/** Chosen fields that no row so far has. */
	readonly unknownFields: Set<string>;
	/** Users of the filter, and those of them without a row so far; undefined for all. */
	readonly users: Set<unknown> | undefined;
	readonly missingUsers: Set<unknown>;
	/** How many rows other users had, by email. */
	readonly otherUsers = new Map<string, number>();
	/** IDs or names of the team filter, and those of them that no row so far is of; undefined for all. */
	private readonly teams: string[] | undefined;
	readonly missingTeams: Set<unknown>;

	constructor(
		readonly item: Item,
		readonly list: ListKind,
		readonly request: ListRequest,
		readonly source: RowSource,
	) {
		const { users, rowFilter, entries, fields } = request;
		const documented = Object.keys(source.schema.shape as object);
		this.fields = entries?.columns ?? fieldsToKeep(fields, documented, source.keptFields);
		this.unknownFields = new Set(undocumented(fields, documented));
		this.users = users && list.emailOf ? new Set(users) : undefined;
		this.missingUsers = new Set(this.users);
		this.teams = rowFilter?.filter.teams;
		this.missingTeams = new Set(this.teams);
	}

	/** Whether every row so far belongs to another user: the filter matched nobody, so all later rows do too. */
	get isFallback(): boolean {
		return this.missingUsers.size === this.users?.size && this.counts.otherUsers > 0;
	}

	/** The rows as they are returned, a few at a time; with `readsAll`, the list is read to its end before its transcripts. */
	async *batches(readsAll = false): AsyncGenerator<IDataObject[]> {
		const waiting: IDataObject[] = [];
		for await (const batch of this.source.batches()) {
			const rows = this.wantedOf(batch);
			if (readsAll && this.request.transcript) for (const row of rows) waiting.push(row);
			else yield await this.outputOf(rows);
			const { counts, request, isFallback } = this;
			if (counts.rows >= request.maxRows || (isFallback && counts.otherUsers >= FALLBACK_SAMPLE)) break;
		}
		if (waiting.length > 0) yield await this.outputOf(waiting);
	}

	/** Checks each row of a batch, and takes those that pass the filters, up to the limit. */
	private wantedOf(batch: unknown[]): IDataObject[] {
		const { counts, request, source } = this;
		const all = batch.map(asRow);
		if (counts.read === 0) this.mismatches = mismatchesOf(source.schema, batch);
		if (this.teams) this.findTeams(this.teams, all);
		const passing = all.filter((row) => this.isOfUser(row) && (request.rowFilter?.passes(row) ?? true));
		const rows = passing.slice(0, request.maxRows - counts.rows);
		counts.read += batch.length;
		counts.passed += passing.length;
		counts.rows += rows.length;
		for (const field of this.unknownFields) {
			if (rows.some((row) => fieldIn(row, field) !== undefined)) this.unknownFields.delete(field);
		}
		return rows;
	}

	/** Makes IDs of the names in the team filter: all teams come at once. */
	private findTeams(wanted: string[], all: IDataObject[]): void {
		const found = all.filter(teamMatcher(wanted, all));
		this.request.rowFilter!.filter.teams = found.map(({ teamId }) => String(teamId));
		for (const team of all.flatMap(({ teamId, name }) => [teamId, name])) this.missingTeams.delete(team);
	}

	private isOfUser(row: IDataObject): boolean {
		if (!this.users) return true;
		const email = this.list.emailOf!(row);
		this.missingUsers.delete(email);
		if (this.users.has(email)) return true;
		const whose = typeof email === 'string' ? email : 'an unnamed user';
		this.otherUsers.set(whose, (this.otherUsers.get(whose) ?? 0) + 1);
		this.counts.otherUsers++;
		return false;
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
				if (json.transcriptError !== null) this.counts.failedTranscripts++;
				if (json.transcriptWarning !== null) this.counts.unclearTranscripts++;
				return json;
			});
			for await (const json of added) output.push(json);
		} else {
			output = entries ? rows.flatMap(entries.of) : rows.map((row) => keepFields(row, this.fields));
		}
		this.counts.returned += output.length;
		return output;
	}
}
