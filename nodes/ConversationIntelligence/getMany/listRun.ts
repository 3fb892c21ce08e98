import type { IDataObject } from 'n8n-workflow';
import { mapOrdered } from '../../shared/concurrency/mapOrdered';
import type { Item } from '../../shared/node/item';
import { DOWNLOADS_AT_ONCE } from '../downloads/download';
import { addTranscript, type TranscriptForm } from '../downloads/transcript';
import { fieldOf } from '../../shared/exportApi/rows';
import { fieldIn, keepFields } from '../../shared/exportApi/flatRow';
import { asRow, fieldsToKeep, undocumented } from './fields';
import type { List, RowSource } from './list';
import type { ListRequest } from './readRequest';
import { UsersGuard } from './usersGuard';

/** This many rows of other users, and none of a requested one, show that the users filter matched nobody. */
const FALLBACK_SAMPLE = 50;

/** Reads a list once, and counts what it returns. */
export class ListRun {
	/** The fields of each row that are returned, in this order; all when undefined. */
	readonly fields: string[] | undefined;
	readonly guard: UsersGuard | undefined;
	/** Rows of the list so far: those that Limit counts. */
	rows = 0;
	/** Rows returned so far: several for each row of the list with Rows For. */
	returned = 0;
	/** Chosen fields that no row so far has. */
	readonly unknownFields: Set<string>;
	/** Teams of the team filter that no row so far is of. */
	readonly missingTeams: Set<unknown>;
	/** Transcripts that could not be read. */
	failedTranscripts = 0;

	constructor(
		readonly item: Item,
		readonly list: List,
		readonly request: ListRequest,
		readonly source: RowSource,
	) {
		const { users } = request;
		const documented = Object.keys(source.schema.shape as object);
		this.fields = request.entries?.columns ?? fieldsToKeep(request.fields, documented, source.keptFields);
		this.unknownFields = new Set(undocumented(request.fields, documented));
		this.missingTeams = new Set(request.rowFilter?.teams);
		this.guard = users && list.emailOf ? new UsersGuard(users, list.emailOf) : undefined;
	}

	/**
	 * Yields the rows as they are returned, a few at a time.
	 *
	 * @param isWhole whether to read the list to its end before the transcripts, so that they are never waited for
	 * @throws what reading the rows throws
	 */
	async *batches(isWhole = false): AsyncGenerator<IDataObject[]> {
		const { transcript } = this.request;
		const all: IDataObject[] = [];
		for await (const batch of this.source.batches()) {
			const rows = this.wantedOf(batch);
			if (!transcript) yield this.outputOf(rows);
			else if (isWhole) all.push(...rows);
			else yield await this.withTranscripts(rows, transcript);
			if (this.hasEnough) break;
		}
		if (transcript) yield await this.withTranscripts(all, transcript);
	}

	/** Checks each row of a batch, and takes those that pass the filters, up to the limit. */
	private wantedOf(batch: unknown[]): IDataObject[] {
		const { source, guard } = this;
		const { rowFilter, maxRows } = this.request;
		for (const row of batch) {
			source.check.add(row);
			for (const name of ['teamId', 'name']) this.missingTeams.delete(fieldOf(row, name));
		}
		const rows = batch
			.map(asRow)
			.filter((row) => (guard?.passes(row) ?? true) && (rowFilter?.passes(row) ?? true))
			.slice(0, maxRows - this.rows);
		this.rows += rows.length;
		for (const field of this.unknownFields) {
			if (rows.some((row) => fieldIn(row, field) !== undefined)) this.unknownFields.delete(field);
		}
		return rows;
	}

	private outputOf(rows: IDataObject[]): IDataObject[] {
		const { entries } = this.request;
		const output = entries
			? rows.flatMap((row) => entries.of(row))
			: rows.map((row) => keepFields(row, this.fields));
		this.returned += output.length;
		return output;
	}

	/** Whether no further row is wanted: the limit is reached, or the users filter matched nobody. */
	private get hasEnough(): boolean {
		const { guard, request } = this;
		return this.rows >= request.maxRows || (guard?.isFallback === true && guard.count >= FALLBACK_SAMPLE);
	}

	/** The returned fields of each row, with the transcript of conversations. */
	private async withTranscripts(rows: IDataObject[], form: TranscriptForm): Promise<IDataObject[]> {
		const all: IDataObject[] = [];
		const added = mapOrdered(rows, DOWNLOADS_AT_ONCE, async (row) => {
			const json = keepFields(row, this.fields);
			if (!(await addTranscript(this.item, row, json, form))) this.failedTranscripts++;
			return json;
		});
		for await (const json of added) all.push(json);
		this.returned += all.length;
		return all;
	}
}
