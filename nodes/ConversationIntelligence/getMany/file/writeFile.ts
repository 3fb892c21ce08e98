import { DateTime } from 'luxon';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { storeFile } from '../../downloads/storeMedia';
import type { DateRange } from '../../../shared/exportApi/client';
import { completeness } from '../hints';
import type { ListRun } from '../listRun';
import { columnsOf, csvFormat, type RowFormat } from './csv';
import type { FileOptions } from './fileOptions';

const usedNames = new WeakMap<object, Set<string>>();

const MIME_TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/**
 * Writes a list into a file of n8n's binary storage while its pages arrive; no more than a few are in memory.
 * @returns one item with the file and what was read
 * @throws what reading the rows throws, leaving no file; what {@link storeFile} throws
 */
export async function writeFile(run: ListRun, options: FileOptions): Promise<INodeExecutionData> {
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

/** A row as one line: readers such as Node's also end a line at characters that JSON leaves as they are. */
export function ndjsonLine(row: IDataObject): string {
	const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return `${JSON.stringify(row).replace(/[\u0085\u2028\u2029]/g, escaped)}\n`;
}

const ENDINGS = /(\.(csv|ndjson))?(\.gz)?$/i;

/**
 * The name of a list's file: the given one, or the kind of rows and the range, with times unless it is whole days.
 * @param ending e.g. `csv.gz`; replaces that of the given name
 * @param used names of the run's earlier files: a name that is repeated gets a number; this one is added
 * @returns for example `missing-recordings_2026-03-01_2026-03-31.csv`
 */
export function listFileName(
	given: string,
	ending: string,
	{ rowKind, range, zone }: { rowKind: string; range: DateRange; zone: string },
	used: Set<string>,
): string {
	const dates = [range.fromDate, range.toDate].map((date) => DateTime.fromISO(date, { zone }));
	const isWholeDays = dates.map((date) => date.toFormat('HHmm')).join() === '0000,2359';
	const format = isWholeDays ? 'yyyy-MM-dd' : "yyyy-MM-dd'T'HHmm";
	const made = [rowKind.replaceAll(' ', '-'), ...dates.map((date) => date.toFormat(format))].join('_');
	const base = (given || made).replace(ENDINGS, '');
	let name = `${base}.${ending}`;
	for (let number = 2; used.has(name); number++) name = `${base}_${number}.${ending}`;
	used.add(name);
	return name;
}

/** Characters to collect before each write: enough to be fast, few enough to keep in memory. */
const CHUNK_LENGTH = 64 * 1024;

const utf8 = new TextEncoder();

/** The bytes of a file in UTF-8, made while the rows arrive. */
export async function* fileBytes(
	batches: AsyncIterable<IDataObject[]>,
	format: RowFormat,
): AsyncGenerator<Uint8Array> {
	let text = format.head;
	for await (const rows of batches) {
		for (const row of rows) {
			text += format.line(row);
			if (text.length < CHUNK_LENGTH) continue;
			yield utf8.encode(text);
			text = '';
		}
	}
	if (text !== '') yield utf8.encode(text);
}

export async function* gzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	const { readable, writable } = new CompressionStream('gzip');
	const writer = writable.getWriter();
	const writing = (async () => {
		try {
			for await (const chunk of source) {
				await writer.ready;
				await writer.write(chunk);
			}
			await writer.close();
		} catch (error) {
			// The reader gets the error through the readable side.
			await writer.abort(error).catch(() => {});
		}
	})();
	try {
		for await (const chunk of readable) yield chunk as Uint8Array;
	} finally {
		// A reader that stops early must not leave the writer waiting for room.
		await writer.abort().catch(() => {});
		await writing;
	}
}
