import { UserError, type IDataObject, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { fileBytes, gzip } from './bytes';
import { toReadable } from './byteStream';
import { columnsOf } from './columns';
import { csvFormat } from './csv';
import { ndjsonFormat, type RowFormat } from './format';
import { fieldName } from '../../downloads/binaryProperty';
import type { UsersGuard } from '../usersFilter';
import { listFileName } from './listFileName';
import { incompleteness } from '../gaps';
import { keepFields } from '../rows';
import type { ListRequest, ListSpec, RowSource } from '../spec';

export interface FileJob {
	spec: ListSpec;
	request: ListRequest;
	source: RowSource;
	guard: UsersGuard | undefined;
	rows: AsyncIterable<IDataObject[]>;
	fields: string[] | undefined;
	/** Rows written so far. */
	counted: { rows: number };
}

const FORMATS: Record<string, { extension: string; mimeType: string; format: (job: FileJob) => RowFormat }> =
	{
		csv: {
			extension: 'csv',
			mimeType: 'text/csv',
			format: ({ spec, request, fields }) => {
				const added = spec.addedFields?.(request);
				const schema = added === undefined ? spec.schema : spec.schema.merge(added);
				return csvFormat(columnsOf(schema, fields), {
					...request.options,
					otherFields: fields === undefined,
				});
			},
		},
		ndjson: { extension: 'ndjson', mimeType: 'application/x-ndjson', format: () => ndjsonFormat },
	};

/**
 * Writes the rows into a file of n8n's binary storage while the pages arrive; no more than a few pages are in memory.
 *
 * @param job what to write: the rows as they come, and the fields of each
 * @returns one item: the file, and beside it what was read
 * @throws UserError for an unknown file format; what reading the rows throws, and then no file is left; what n8n's
 *   binary storage throws
 */
export async function writeFile(
	context: IExecuteFunctions,
	itemIndex: number,
	job: FileJob,
): Promise<INodeExecutionData[]> {
	const { request, spec, source, counted } = job;
	const chosen = String(context.getNodeParameter('fileFormat', itemIndex, 'ndjson'));
	const kind = FORMATS[chosen];
	if (kind === undefined) throw new UserError(`File Format is "${chosen}". Use csv or ndjson.`);
	const compress = request.options.gzip === true;
	const endings = [kind.extension, ...(compress ? ['gz'] : [])];
	const fileName = listFileName(request.options.fileName, endings, {
		rowKind: spec.rowKind,
		range: request.range,
		zone: context.getTimezone(),
	});

	const startedAt = Date.now();
	const bytes = fileBytes(shaped(job), kind.format(job));
	const binary = await context.helpers.prepareBinaryData(
		toReadable(compress ? gzip(bytes) : bytes),
		fileName,
		compress ? 'application/gzip' : kind.mimeType,
	);
	const json: IDataObject = {
		fileName,
		rows: counted.rows,
		...source.summary(),
		...(job.guard === undefined
			? {}
			: { droppedRows: job.guard.isFallback ? source.total() : job.guard.count }),
		...request.range,
		seconds: (Date.now() - startedAt) / 1000,
		bytes: binary.bytes,
		...incompleteness(source)[0],
	};
	return [{ json, binary: { [fieldName(request.options.binaryPropertyName)]: binary } }];
}

async function* shaped({ rows, fields }: FileJob): AsyncGenerator<IDataObject[]> {
	for await (const batch of rows) yield batch.map((row) => keepFields(row, fields));
}
