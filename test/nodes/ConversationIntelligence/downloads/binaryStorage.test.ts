import { readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { binaryToBuffer } from '@n8n/backend-network';
import { storeFile } from '../../../../nodes/ConversationIntelligence/downloads/binaryStorage';
import { gzip } from '../../../../nodes/ConversationIntelligence/getMany/file';
import type { Item } from '../../../../nodes/shared/node/item';
import { allCases } from '../../../support/allPairs';

describe("Bytes for n8n's binary storage", () => {
	// Else a heartbeat, which cannot be cleared, would keep the process for 20 seconds.
	beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
	afterEach(() => void jest.useRealTimers());
	const nextTurn = async () => await new Promise((resolve) => setImmediate(resolve));

	/** What the storage makes of these bytes. */
	const storing = async (source: AsyncIterable<Uint8Array>, store: (stream: Readable) => unknown) => {
		const item = { context: { helpers: { prepareBinaryData: store } } } as unknown as Item;
		return (await storeFile(item, 'list', source, 'rows.csv', 'text/csv')) as unknown;
	};
	const path = join(tmpdir(), `stored-${process.pid}`);
	afterAll(() => rmSync(path, { force: true }));
	const STORES = {
		file: async (stream: Readable) => (await writeFile(path, stream), readFileSync(path)),
		others: binaryToBuffer,
	};

	test.each(allCases({ store: ['file', 'others'], isZipped: [false, true] } as const))(
		'are complete, or fail as their source does, whatever the storage says: %j',
		async ({ store, isZipped }) => {
			const chunks = Array.from({ length: 20 }, (_, n) => Buffer.alloc(64 * 1024, `${n} `));
			async function* plain(failure?: Error): AsyncGenerator<Uint8Array> {
				yield* chunks;
				if (failure) throw failure;
			}
			const pack = (failure?: Error) => (isZipped ? gzip(plain(failure)) : plain(failure));
			const stored = (await storing(pack(), STORES[store])) as Buffer;
			expect((isZipped ? gunzipSync(stored) : stored).equals(Buffer.concat(chunks))).toBe(true);

			const wrapping = async (stream: Readable) =>
				await STORES[store](stream).catch(() => Promise.reject(new Error('The upload failed')));
			await expect(storing(pack(new Error('page 21')), wrapping)).rejects.toThrow('page 21');
		},
	);

	const CHUNKS = ['a', 'b', 'c'].map((text) => Buffer.from(text));
	const streamOf = (source: AsyncIterable<Uint8Array>) => {
		let given: Readable | undefined;
		void storing(source, (stream) => (given = stream));
		return given!;
	};
	/** What a stream emits until it closes. */
	const seenOf = async (stream: Readable, more = () => {}) => {
		const seen: string[] = [];
		for (const event of ['end', 'error', 'close']) stream.on(event, () => seen.push(event));
		const closed = new Promise((resolve) => stream.once('close', resolve));
		stream.on('data', (chunk) => (seen.push(String(chunk)), more()));
		await closed;
		await nextTurn();
		return seen;
	};

	test('reach every listener whole, once if it asked so, never after its removal, then one end or error', async () => {
		async function* chunks() {
			yield* CHUNKS;
		}
		const stream = streamOf(chunks());
		const [once, removed, removedOnce, second] = Array.from({ length: 4 }, () => jest.fn());
		stream.once('data', once).on('data', removed).once('data', removedOnce).on('end', removed);
		stream.on('data', second).off('data', removed).off('data', removedOnce).off('error', second);
		expect(await seenOf(stream)).toEqual(['a', 'b', 'c', 'end', 'close']);
		expect(once.mock.calls).toEqual([[CHUNKS[0]]]);
		expect(removed.mock.calls).toEqual([[undefined]]);
		expect(removedOnce).not.toHaveBeenCalled();
		expect(second.mock.calls).toEqual(CHUNKS.map((chunk) => [chunk]));
		async function* failing() {
			yield CHUNKS[0];
			throw new Error('page 2');
		}
		expect(await seenOf(streamOf(failing()))).toEqual(['a', 'error', 'close']);
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

	test('are read once somebody listens for data; when the reader gives up, they close without an end', async () => {
		let read = 0;
		async function* many() {
			while (read < 400) yield Buffer.from(String(read++));
		}
		const stream = streamOf(many()).on('end', nextTurn).on('close', nextTurn);
		await nextTurn();
		expect(read).toBe(0);
		expect(await seenOf(stream, () => stream.destroy())).toEqual(['0', 'close']);
		expect(read).toBeLessThan(20);
	});
});
