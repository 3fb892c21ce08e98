import type { IDataObject } from 'n8n-workflow';
import type { RowFormat } from './format';

/** Bytes that are gathered before they are handed on: large enough to write well, small enough to keep. */
const CHUNK_CHARACTERS = 256 * 1024;

/**
 * The bytes of a file, made while the rows arrive.
 *
 * @param batches rows in the order of the file
 * @yields UTF-8
 */
export async function* fileBytes(
	batches: AsyncIterable<IDataObject[]>,
	format: RowFormat,
): AsyncGenerator<Uint8Array> {
	let text = format.head;
	for await (const rows of batches) {
		for (const row of rows) {
			text += format.line(row);
			if (text.length < CHUNK_CHARACTERS) continue;
			yield Buffer.from(text);
			text = '';
		}
	}
	if (text !== '') yield Buffer.from(text);
}

/**
 * Compresses bytes with gzip as they pass.
 *
 * @throws what the source throws
 */
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
			// Reaches whoever reads, through the readable side.
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
