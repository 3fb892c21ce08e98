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
} from '../../../../nodes/ConversationIntelligence/getMany/file/bytes';
import { toReadable } from '../../../../nodes/ConversationIntelligence/downloads/byteStream';

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

	describe('as events', () => {
		const CHUNKS = ['a', 'b', 'c'].map((text) => Buffer.from(text));
		async function* chunks() {
			yield* CHUNKS;
		}
		const closed = async (stream: ReturnType<typeof toReadable>) =>
			await new Promise<void>((resolve) => stream.once('close', () => resolve()));

		test('are not read before somebody listens for data', async () => {
			const { asked, bytes } = source(1);
			const stream = toReadable(bytes());
			const ended = jest.fn();
			stream.on('end', ended).on('error', ended).on('close', ended);
			await new Promise((resolve) => setImmediate(resolve));

			expect({ batches: asked.batches, calls: ended.mock.calls }).toEqual({ batches: 0, calls: [] });
		});

		test('reach every listener whole, and end and close once', async () => {
			const stream = toReadable(chunks());
			const seen: unknown[] = [];
			for (const name of ['first', 'second']) stream.on('data', (chunk) => seen.push([name, String(chunk)]));
			for (const event of ['end', 'error', 'close']) stream.on(event, () => seen.push(event));
			await closed(stream);
			await new Promise((resolve) => setImmediate(resolve));

			const data = ['a', 'b', 'c'].flatMap((text) => [
				['first', text],
				['second', text],
			]);
			expect(seen).toEqual([...data, 'end', 'close']);
		});

		test('no longer reach a listener that was removed from this event, while all others keep theirs', async () => {
			const stream = toReadable(chunks());
			const [removed, kept, never] = [jest.fn(), jest.fn(), jest.fn()];
			stream.on('data', removed).on('data', kept).on('end', removed);
			stream.off('data', removed).off('error', never);
			await closed(stream);

			expect(removed.mock.calls).toEqual([[undefined]]);
			expect(kept.mock.calls).toEqual(CHUNKS.map((chunk) => [chunk]));
		});

		test('reach a listener for one event once', async () => {
			const stream = toReadable(chunks());
			const first = jest.fn();
			stream.once('data', first);
			await closed(stream);

			expect(first.mock.calls).toEqual([[CHUNKS[0]]]);
		});

		test('come as empty pieces while the source is silent, so that no store gives up, and never after the end', async () => {
			jest.useFakeTimers();
			let proceed = (): void => {};
			async function* silent() {
				await new Promise<void>((resolve) => (proceed = resolve));
				yield* CHUNKS;
			}
			const stream = toReadable(silent());
			const pieces: string[] = [];
			stream.on('data', (chunk) => pieces.push(String(chunk)));
			await jest.advanceTimersByTimeAsync(300_000);
			expect(pieces).toEqual(Array(15).fill(''));
			const end = closed(stream);
			proceed();
			await end;
			await jest.advanceTimersByTimeAsync(300_000);
			jest.useRealTimers();

			expect(pieces.slice(15)).toEqual(['a', 'b', 'c']);
		});

		test('close without an end when the reader gives up, and their source stops', async () => {
			const { asked, bytes } = source(400);
			const stream = toReadable(bytes());
			const ended = jest.fn();
			stream.on('end', ended).on('data', () => stream.destroy());
			await closed(stream);

			expect(asked.batches).toBeLessThan(20);
			expect(ended).not.toHaveBeenCalled();
		});
	});
});
