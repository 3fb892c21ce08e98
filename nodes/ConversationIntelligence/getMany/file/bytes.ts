import type { IDataObject } from 'n8n-workflow';

/** How rows become text. */
export interface RowFormat {
	/** Text before the first row. */
	head: string;
	/** One row with its line end. */
	line(row: IDataObject): string;
}

/** Bytes to collect before each write: large enough to be fast, small enough to keep in memory. */
const CHUNK_BYTES = 64 * 1024;

/** The bytes of a file in UTF-8, made while the rows arrive. */
export async function* fileBytes(
	batches: AsyncIterable<IDataObject[]>,
	format: RowFormat,
): AsyncGenerator<Uint8Array> {
	const chunks = new Chunks();
	chunks.add(format.head);
	for await (const rows of batches) {
		for (const row of rows) chunks.add(format.line(row));
		yield* chunks.takeFull();
	}
	yield* chunks.takeAll();
}

const utf8 = new TextEncoder();

/** Encodes texts straight into chunks, because joining them first would copy them again. */
class Chunks {
	private full: Uint8Array[] = [];
	private chunk = Buffer.allocUnsafe(CHUNK_BYTES);
	private used = 0;

	add(text: string): void {
		for (let rest = text; rest !== ''; ) {
			const { read, written } = utf8.encodeInto(rest, this.chunk.subarray(this.used));
			this.used += written;
			rest = rest.slice(read);
			if (rest !== '') this.startNext();
		}
	}

	takeFull(): Uint8Array[] {
		const { full } = this;
		this.full = [];
		return full;
	}

	takeAll(): Uint8Array[] {
		if (this.used > 0) this.startNext();
		return this.takeFull();
	}

	private startNext(): void {
		this.full.push(this.chunk.subarray(0, this.used));
		this.chunk = Buffer.allocUnsafe(CHUNK_BYTES);
		this.used = 0;
	}
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
