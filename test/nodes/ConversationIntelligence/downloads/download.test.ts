import { readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { binaryToBuffer } from '@n8n/backend-network';
import { UserError } from 'n8n-workflow';
import {
	download,
	mediaFileName,
	mediaType,
	storeFile,
	type MediaFile,
} from '../../../../nodes/ConversationIntelligence/downloads/download';
import { gzip } from '../../../../nodes/ConversationIntelligence/getMany/file';
import type { Item } from '../../../../nodes/shared/node/item';
import { POLICY } from '../../../../nodes/shared/http/policy';
import { allCases } from '../../../support/allPairs';
import { failed } from '../../shared/http/scriptedService';
import { ID, mediaItem, URL, type Sends } from './mediaItem';

const TRIED = 'Tried 6 times. It may work later: run the workflow again.';
const CHECK = "Check in your conversation service's web app whether the file exists.";
const PROXY = 'Repeating does not help: check any proxy between n8n and the media host.';

beforeEach(() => jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 1));

async function textOf({ body }: Pick<MediaFile, 'body'>): Promise<string> {
	let text = '';
	for await (const chunk of body) text += Buffer.from(chunk).toString();
	return text;
}

test.each([200, 206, 299])('takes the file of a response with status %d', async (statusCode) => {
	const headers = { 'content-type': 'audio/mpeg' };
	const { item, lookUps, bodies } = mediaItem({ sends: [{ statusCode, headers, body: 'sound' }] });
	const take = async ({ body, ...rest }: MediaFile) => ({ ...rest, text: await textOf({ body }) });
	const file = { title: 'Roof', extension: 'mp3', mimeType: 'audio/mpeg', text: 'sound' };
	expect(await download(item, 'audio', ID, take)).toEqual(file);
	expect(lookUps).toHaveLength(1);
	// Also when nobody reads it.
	await download(item, 'audio', ID, async () => 'unread');
	expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

// D1-LIM-03, D1-CONV-09, D1-CONV-22
test.each([400, 401, 403, 404, 410])(
	'replaces a link with the status %d by a fresh one, once',
	async (status) => {
		const known = { audioUrl: 'https://media.example/old' };
		const renewed = mediaItem({ sends: [{ statusCode: status }, { statusCode: 200, body: 'sound' }] });
		await expect(download(renewed.item, 'audio', ID, textOf, known)).resolves.toBe('sound');
		expect(renewed.asked.map(({ url }) => url)).toEqual([known.audioUrl, URL]);

		const { item, lookUps, bodies } = mediaItem({ sends: [{ statusCode: status, body: 'Expired' }] });
		await expect(download(item, 'audio', ID, textOf)).rejects.toMatchObject({
			description: `The media host answered with status ${status}, even with a fresh link. ${CHECK}`,
			details: { code: 'download_failed', status },
		});
		expect(lookUps).toHaveLength(2);
		expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true, true]);
	},
);

test.each<[Sends, string, number]>([
	[{ statusCode: 418 }, `answered with status 418. ${CHECK}`, 1],
	[{ statusCode: 300 }, `answered with status 300. ${CHECK}`, 1],
	[{ statusCode: 500 }, `answered with status 500. ${TRIED}`, 6],
	[failed('ECONNREFUSED'), `could not be reached (ECONNREFUSED). ${TRIED}`, 6],
	[failed('ECONNRESET'), `did not send the whole file (ECONNRESET). ${TRIED}`, 6],
	[failed('CERT_HAS_EXPIRED'), 'has a certificate that is not accepted (CERT_HAS_EXPIRED). Renew it, or', 1],
	[failed('ERR_INVALID_URL'), `did not deliver the file (ERR_INVALID_URL). ${PROXY}`, 1],
	[failed('ESTALLED'), `sent nothing for 60 seconds. ${TRIED}`, 6],
])('says what the media host did: %j %s', async (sends, reason, attempts) => {
	const { item, asked } = mediaItem({ sends: [sends] });
	await expect(download(item, 'audio', ID, textOf)).rejects.toMatchObject({
		description: expect.stringContaining(`The media host ${reason}`),
		details: { code: 'download_failed', retryable: attempts > 1 },
	});
	expect(asked).toHaveLength(attempts);
});

test("shows n8n's own refusal of a download as it is, and does not repeat it", async () => {
	const cause = new UserError('The request was blocked', { description: 'Ask your n8n administrator.' });
	const { item, asked } = mediaItem({ sends: [new Error('Request failed', { cause })] });
	const { message, description } = cause;
	await expect(download(item, 'audio', ID, textOf)).rejects.toMatchObject({ message, description });
	expect(asked).toHaveLength(1);
});

test("repeats a broken transfer, whatever n8n's storage makes of it, and no failure of the storage", async () => {
	const { item, asked, bodies } = mediaItem({ sends: [{ statusCode: 200, body: 'sound' }] });
	const store = async (stream: AsyncIterable<Uint8Array>) => {
		if (asked.length === 1) bodies[0].destroy(failed('ECONNRESET'));
		const text = await textOf({ body: stream }).catch(() => Promise.reject(new Error('The upload failed')));
		if (asked.length === 2) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
		return { fileName: text };
	};
	Object.assign(item.context.helpers, { prepareBinaryData: store });
	const take = async ({ body }: MediaFile) => await storeFile(item, 'audio', body, 'a.mp3', undefined);
	await expect(download(item, 'audio', ID, take)).rejects.toMatchObject({
		description: 'Check n8n\'s binary storage, which says "read ECONNRESET".',
		context: { details: { code: 'file_not_stored' } },
	});
	expect(asked).toHaveLength(2);
	await expect(download(item, 'audio', ID, take)).resolves.toEqual({ fileName: 'sound' });
});

test('refuses a web page', async () => {
	const page = { statusCode: 200, headers: { 'content-type': 'text/html' }, body: 'x'.repeat(1000) };
	const { item, bodies } = mediaItem({ sends: [page] });
	await expect(download(item, 'transcript', ID, textOf)).rejects.toMatchObject({
		context: { details: { code: 'media_is_web_page' } },
		message: expect.stringContaining('instead of the transcript'),
	});
	expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true]);
});

const LONG = 'x'.repeat(59);

test.each([
	['Roof, visit 2!', 'Roof-visit-2_id'],
	['"Roof"', 'Roof_id'],
	['Cafe\u0301 & Bar', 'Caf\u00e9-Bar_id'],
	[`${LONG}\u{10400}z`, `${LONG}\u{10400}_id`],
	[`a ${LONG.slice(2)} b`, `a-${LONG.slice(2)}_id`],
	['हिन्दी बैठक', 'हिन्दी-बैठक_id'],
	['?!', 'id'],
	[undefined, 'id'],
])('names a media file with the title %p after at most 60 letters of it: %s', (title, name) => {
	expect(mediaFileName(title, 'id', 'mp3')).toBe(`${name}.mp3`);
});

test.each<[unknown, string, string, string | undefined]>([
	['Audio/MPEG; rate=8000', 'a.exe.flac', 'mp3', 'audio/mpeg'],
	['audio/mp4', 'a.flac', 'm4a', 'audio/mp4'],
	['audio/x-wav', 'a.flac', 'wav', 'audio/x-wav'],
	['audio/webm ;codecs=opus', 'a.flac', 'webm', 'audio/webm'],
	['video/quicktime', 'a', 'mov', 'video/quicktime'],
	['application/json', '', 'json', 'application/json'],
	// Known to the link alone.
	['audio/x-novelmp3', 'a.ogg', 'ogg', 'audio/x-novelmp3'],
	[undefined, 'a/b.WAV?x=.mp3', 'wav', undefined],
	[' ', 'a/b.WAV?x=.mp3', 'wav', undefined],
	['Binary/Octet-Stream; x=y', 'a.wav', 'wav', undefined],
	['application/octet-stream', 'a.wav', 'wav', undefined],
	['', '9f3e?file=x.exe&signature=abc.mp3', 'bin', undefined],
	['', 'a.mp3x', 'bin', undefined],
	['', 'amp3', 'bin', undefined],
	['', 'constructor', 'bin', undefined],
])('the type %p, else the path of the link %s, decides on .%s', (type, path, extension, mimeType) => {
	expect(mediaType(type, `https://media.example/${path}`)).toEqual({ extension, mimeType });
});

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

	test('reach every listener whole, one for one event once, one that was removed no longer, then one end or error', async () => {
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
