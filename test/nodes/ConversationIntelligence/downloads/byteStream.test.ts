import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { binaryToBuffer } from '@n8n/backend-network';
import { toReadable } from '../../../../nodes/ConversationIntelligence/downloads/byteStream';
import { gzip } from '../../../../nodes/ConversationIntelligence/getMany/file';

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
	let folder: string;
	beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'byte-stream-'))));
	afterAll(() => rmSync(folder, { recursive: true }));

	test('are complete in the file store and in every other store', async () => {
		const make = () => toReadable(pack(source(20).bytes()));
		const whole = await binaryToBuffer(toReadable(source(20).bytes()));
		const unpack = (bytes: Buffer) => (kind === 'gzip' ? gunzipSync(bytes) : bytes);
		const path = join(folder, kind);
		await writeFile(path, make());

		expect(whole).toHaveLength(20 * 64 * 1024);
		expect(unpack(readFileSync(path)).equals(whole)).toBe(true);
		expect(unpack(await binaryToBuffer(make())).equals(whole)).toBe(true);
	});

	test('pass the error of their source to the store unchanged', async () => {
		const make = () => toReadable(pack(source(20, new Error('page 21')).bytes()));

		await expect(writeFile(join(folder, 'failed'), make())).rejects.toThrow('page 21');
		await expect(binaryToBuffer(make())).rejects.toThrow('page 21');
	});

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
	const closed = async (stream: ReturnType<typeof toReadable>) =>
		await new Promise<void>((resolve) => stream.once('close', () => resolve()));

	test('are not read before somebody listens for data', async () => {
		const { read, bytes } = source(1);
		const listener = jest.fn();
		toReadable(bytes()).on('end', listener).on('error', listener).on('close', listener);
		await nextTurn();

		expect({ chunks: read.chunks, calls: listener.mock.calls }).toEqual({ chunks: 0, calls: [] });
	});

	test('reach every listener whole, one that was added for one event once, then end and close once', async () => {
		const stream = toReadable(chunks());
		const seen: unknown[] = [];
		stream.once('data', (chunk) => seen.push(`once ${String(chunk)}`));
		for (const name of ['first', 'second'])
			stream.on('data', (chunk) => seen.push(`${name} ${String(chunk)}`));
		for (const event of ['end', 'error', 'close']) stream.on(event, () => seen.push(event));
		await closed(stream);
		await nextTurn();

		const data = ['a', 'b', 'c'].flatMap((text) => [`first ${text}`, `second ${text}`]);
		expect(seen).toEqual(['once a', ...data, 'end', 'close']);
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

	test('come as empty pieces while the source is silent, so that no store gives up, and never after the end', async () => {
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

		expect(pieces.slice(15)).toEqual(['a', 'b', 'c']);
	});

	test('close without an end when the reader gives up, and their source stops', async () => {
		const { read, bytes } = source(400);
		const stream = toReadable(bytes());
		const ended = jest.fn();
		stream.on('end', ended).on('data', () => stream.destroy());
		await closed(stream);

		expect(read.chunks).toBeLessThan(20);
		expect(ended).not.toHaveBeenCalled();
	});
});
