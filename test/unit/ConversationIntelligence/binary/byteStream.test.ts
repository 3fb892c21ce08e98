import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { binaryToBuffer } from '@n8n/backend-network';
import {
	fileBytes,
	gzip,
	type RowFormat,
} from '../../../../nodes/ConversationIntelligence/listing/file/bytes';
import { toReadable } from '../../../../nodes/ConversationIntelligence/binary/byteStream';

const ndjsonFormat: RowFormat = { head: '', line: (row) => `${JSON.stringify(row)}\n` };
const LINE = 'x'.repeat(1000);
const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: LINE }));
const expected = (count: number) =>
	rowsOf(count)
		.map((row) => `${JSON.stringify(row)}\n`)
		.join('');

/** Batches of rows, then the failure, if one is given. Counts the batches that were read. */
function source(batches: number, failure?: Error) {
	const asked = { batches: 0 };
	async function* rows() {
		for (let batch = 0; batch < batches; batch++) {
			asked.batches++;
			yield rowsOf(batches * 50).slice(batch * 50, batch * 50 + 50);
		}
		if (failure) throw failure;
	}
	return { asked, bytes: () => fileBytes(rows(), ndjsonFormat) };
}

describe("Bytes for n8n's binary storage", () => {
	let folder: string;
	beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'byte-stream-'))));
	afterAll(() => rmSync(folder, { recursive: true }));

	test.each(['plain', 'gzip'])(
		'are complete in the file store and in every other store: %s',
		async (kind) => {
			const make = () => toReadable(kind === 'gzip' ? gzip(source(20).bytes()) : source(20).bytes());
			const unpack = (bytes: Buffer) => (kind === 'gzip' ? gunzipSync(bytes) : bytes).toString();
			const path = join(folder, kind);
			await writeFile(path, make());

			expect(unpack(readFileSync(path))).toBe(expected(1000));
			expect(unpack(await binaryToBuffer(make()))).toBe(expected(1000));
		},
	);

	test.each(['plain', 'gzip'])('pass the error of their source to the store unchanged: %s', async (kind) => {
		const make = () => {
			const { bytes } = source(20, new Error('page 21'));
			return toReadable(kind === 'gzip' ? gzip(bytes()) : bytes());
		};

		await expect(writeFile(join(folder, 'failed'), make())).rejects.toThrow('page 21');
		await expect(binaryToBuffer(make())).rejects.toThrow('page 21');
	});

	test.each(['plain', 'gzip'])('are produced only as fast as they are read: %s', async (kind) => {
		const { asked, bytes } = source(400);
		const stream = kind === 'gzip' ? gzip(bytes()) : bytes();
		await stream.next();
		await new Promise((resolve) => setImmediate(resolve));

		expect(asked.batches).toBeLessThan(150);
		await stream.return(undefined);
	});

	test('end their source when the reader closes', async () => {
		const { asked, bytes } = source(400);
		const stream = toReadable(bytes());
		const closed = new Promise((resolve) => stream.once('close', () => resolve(undefined)));
		stream.on('data', () => stream.destroy());
		await closed;

		expect(asked.batches).toBeLessThan(20);
	});
});
