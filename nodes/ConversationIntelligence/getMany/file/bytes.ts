import type { IDataObject } from 'n8n-workflow';

/** How rows become text. */
export interface RowFormat {
	/** Text before the first row. */
	head: string;
	/** One row with its line end. */
	line(row: IDataObject): string;
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

/** Compresses bytes with gzip as they pass. */
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
