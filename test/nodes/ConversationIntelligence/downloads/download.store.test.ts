import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { binaryToBuffer } from '@n8n/backend-network';
import { storeFile } from '../../../../nodes/ConversationIntelligence/downloads/download';
import { gzip } from '../../../../nodes/ConversationIntelligence/getMany/file';
import type { Item } from '../../../../nodes/shared/node/item';

/** What storing these bytes gives to n8n's storage, and how it ends. */
function storing(source: AsyncIterable<Uint8Array>, store: (stream: Readable) => Promise<unknown>) {
	const prepareBinaryData = async (stream: Readable) => await store(stream);
	const item = { context: { helpers: { prepareBinaryData } } } as unknown as Item;
	return storeFile(item, 'list', source, 'rows.csv', 'text/csv');
}
function streamOf(source: AsyncIterable<Uint8Array>): Readable {
	let given: Readable | undefined;
	void storing(source, async (stream) => (given = stream));
	return given!;
}

/** Numbered chunks of 64 KiB, then the failure, if one is given. Counts those that were read. */
function source(count: number, failure?: Error) {
	const read = { chunks: 0 };
	async function* bytes(): AsyncGenerator<Uint8Array> {
		while (read.chunks < count) yield Buffer.alloc(64 * 1024, `${read.chunks++} `);
		if (failure) throw failure;
	}
	return { read, bytes };
}
// Else a heartbeat, which cannot be cleared, would keep the process for 20 seconds.
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

const nextTurn = async () => await new Promise((resolve) => setImmediate(resolve));

describe.each(['plain', 'gzip'])("Bytes for n8n's binary storage, %s", (kind) => {
	const pack = (bytes: AsyncGenerator<Uint8Array>) => (kind === 'gzip' ? gzip(bytes) : bytes);
	const folder = mkdtempSync(join(tmpdir(), 'stored-'));
	const path = join(folder, kind);
	afterAll(() => rmSync(folder, { recursive: true }));
	/** The file store, and every other one. */
	const STORES = [
		async (stream: Readable) => (await writeFile(path, stream), readFileSync(path)),
		async (stream: Readable) => await binaryToBuffer(stream),
	];

	test.each(STORES)(
		'are complete, or fail as their source does, whatever the storage says',
		async (store) => {
			const unpack = (bytes: Buffer) => (kind === 'gzip' ? gunzipSync(bytes) : bytes);
			const stored = await storing(pack(source(20).bytes()), store);
			const whole = Array.from({ length: 20 }, (_, n) => Buffer.alloc(64 * 1024, `${n} `));
			expect(unpack(stored as unknown as Buffer).equals(Buffer.concat(whole))).toBe(true);

			const failing = pack(source(20, new Error('page 21')).bytes());
			const wrapping = async (stream: Readable) =>
				await store(stream).catch(() => Promise.reject(new Error('The upload failed')));
			await expect(storing(failing, wrapping)).rejects.toThrow('page 21');
		},
	);

	test('are produced only as fast as they are read', async () => {
		const { read, bytes } = source(400);
		const stream = pack(bytes());
		await stream.next();
		await nextTurn();

		expect(read.chunks).toBeLessThan(150);
		await stream.return(undefined);
	});
});

describe('Bytes as events', () => {
	const CHUNKS = ['a', 'b', 'c'].map((text) => Buffer.from(text));
	async function* chunks() {
		yield* CHUNKS;
	}
	/** What a stream emits to these listeners until it closes. */
	const seenOf = async (stream: Readable, more = () => {}) => {
		const seen: string[] = [];
		for (const event of ['end', 'error', 'close']) stream.on(event, () => seen.push(event));
		const closed = new Promise((resolve) => stream.once('close', resolve));
		stream.on('data', (chunk) => (seen.push(String(chunk)), more()));
		await closed;
		await nextTurn();
		return seen;
	};

	test('are not read before somebody listens for data', async () => {
		const { read, bytes } = source(1);
		const listener = jest.fn();
		streamOf(bytes()).on('end', listener).on('error', listener).on('close', listener);
		await nextTurn();
		expect({ chunks: read.chunks, calls: listener.mock.calls }).toEqual({ chunks: 0, calls: [] });
	});

	test('reach every listener whole, one for one event once, one that was removed no longer, then end once', async () => {
		const stream = streamOf(chunks());
		const [once, removed, removedOnce, second] = Array.from({ length: 4 }, () => jest.fn());
		stream.once('data', once).on('data', removed).once('data', removedOnce).on('end', removed);
		stream.on('data', second).off('data', removed).off('data', removedOnce).off('error', second);
		expect(await seenOf(stream)).toEqual(['a', 'b', 'c', 'end', 'close']);
		expect(once.mock.calls).toEqual([[CHUNKS[0]]]);
		expect(removed.mock.calls).toEqual([[undefined]]);
		expect(removedOnce).not.toHaveBeenCalled();
		expect(second.mock.calls).toEqual(CHUNKS.map((chunk) => [chunk]));
	});

	test('come as empty pieces while the source is silent, so that no store gives up, and never after the end', async () => {
		let proceed = (): void => {};
		async function* silent() {
			await new Promise<void>((resolve) => (proceed = resolve));
			yield* CHUNKS;
		}
		const seen = seenOf(streamOf(silent()));
		await jest.advanceTimersByTimeAsync(300_000);
		proceed();
		expect(await seen).toEqual([...Array<string>(15).fill(''), 'a', 'b', 'c', 'end', 'close']);
		await jest.advanceTimersByTimeAsync(300_000);
		expect(await seen).toHaveLength(20);
	});

	test('close without an end when the reader gives up, and their source stops', async () => {
		const { read, bytes } = source(400);
		const stream = streamOf(bytes());
		expect((await seenOf(stream, () => stream.destroy())).slice(1)).toEqual(['close']);
		expect(read.chunks).toBeLessThan(20);
	});
});
