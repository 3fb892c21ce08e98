import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { toReadable } from '../../binary/byteStream';
import { listFileName, type ListNamed } from '../../binary/fileNames';
import type { RowSource } from '../list';
import { fileBytes, gzip, type RowFormat } from './bytes';
import { columnsOf, csvFormat } from './csv';
import type { FileOptions } from './fileOptions';

/** What to write. */
export interface FileJob extends ListNamed {
	options: FileOptions;
	schema: RowSource['schema'];
	/** The fields of each row; all when undefined. */
	fields: string[] | undefined;
	/** As they come, with those fields only. */
	rows: AsyncIterable<IDataObject[]>;
	/** What to say beside the file, once it is written. */
	summary(): IDataObject;
}

const FORMATS: Record<FileOptions['format'], { mimeType: string; format: (job: FileJob) => RowFormat }> = {
	csv: {
		mimeType: 'text/csv',
		format: ({ schema, fields, options }) =>
			csvFormat(columnsOf(schema, fields), { ...options, otherFields: fields === undefined }),
	},
	ndjson: {
		mimeType: 'application/x-ndjson',
		format: () => ({ head: '', line: (row) => `${JSON.stringify(row)}\n` }),
	},
};

/**
 * Writes rows into a file of n8n's binary storage while the pages arrive; no more than a few pages are in memory.
 *
 * @returns one item: the file, and beside it what was read
 * @throws what reading the rows throws, and then no file is left; what n8n's binary storage throws
 */
export async function writeFile(context: IExecuteFunctions, job: FileJob): Promise<INodeExecutionData> {
	const { options } = job;
	const { mimeType, format } = FORMATS[options.format];
	const endings = [options.format, ...(options.gzip ? ['gz'] : [])];
	const fileName = listFileName(options.fileName, endings, job);
	const bytes = fileBytes(job.rows, format(job));
	const binary = await context.helpers.prepareBinaryData(
		toReadable(options.gzip ? gzip(bytes) : bytes),
		fileName,
		options.gzip ? 'application/gzip' : mimeType,
	);
	const json = { fileName, bytes: binary.bytes, ...job.summary() };
	return { json, binary: { [options.field]: binary } };
}
