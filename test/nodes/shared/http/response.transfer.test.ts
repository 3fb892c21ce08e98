import * as zlib from 'node:zlib';
import { CredentialTestContext } from 'n8n-core';
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { isTransientCode, networkCode } from '../../../../nodes/shared/http/policy';
import { openTransfer, receive, type Received } from '../../../../nodes/shared/http/response';
import { ScriptedServer } from '../../../support/scriptedServer';

const BODY = Buffer.from(Array.from({ length: 20_000 }, (_, index) => index * index).join());
type Encode = (body: Buffer) => Buffer;
// Node 20 has no zstd.
const { gzipSync, deflateSync, brotliCompressSync, zstdCompressSync } = zlib as typeof zlib & {
	zstdCompressSync?: Encode;
};
const all: Record<string, Encode | undefined> = {
	...{ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync },
};
const ENCODINGS = Object.entries(all).flatMap(([name, encode]) => (encode ? [[name, encode] as const] : []));

/** Sends bytes with a content encoding and a clean end, through n8n's HTTP client: what is received of them. */
async function received(encoding: string, bytes: Buffer): Promise<Buffer> {
	const server = await ScriptedServer.start((_request, response) =>
		response.writeHead(200, { 'content-encoding': encoding }).end(bytes),
	);
	const { helpers } = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	const options = { uri: server.url, useStream: true, resolveWithFullResponse: true };
	const limits = { stalledMs: 10_000, totalMs: 10_000 };
	const send = async () => (await helpers.request!(options)) as Received;
	const { body } = await receive(send, limits, () => Infinity).finally(() => server.close());
	return body;
}

// The name by which Node's streams are told to insist on their end is not public: this test shows that they have it.
test.each(ENCODINGS)('a body in %s that ends early or is damaged is no whole one', async (name, encode) => {
	const encoded = encode(BODY);
	expect((await received(name, encoded)).equals(BODY)).toBe(true);
	const flipped = Buffer.from(encoded);
	flipped[encoded.length >> 1] ^= 0xff;
	const [half, rest, start] = [encoded.length >> 1, encoded.length - 1, 12].map((end) =>
		encoded.subarray(0, end),
	);
	for (const broken of [half, rest, start, ...(name === 'zstd' ? [] : [flipped])]) {
		const error: unknown = await received(name, broken)
			.then(() => undefined)
			.catch((thrown: unknown) => thrown);
		expect([networkCode(error), isTransientCode(networkCode(error))]).toEqual(['ERR_BODY_INCOMPLETE', true]);
	}
});

/** So many bytes come each so many seconds, so often, and the reader is busy for a while after each. */
test.each([
	['waits while its reader is busy', { bytes: 5, each: 1, times: 3, busy: 900 }, undefined, 2703],
	['ends when no byte came for a minute', { bytes: 5, each: 100, times: 1, busy: 0 }, 60_000, 62],
	['goes on at 1 kB/s', { bytes: 50_000, each: 50, times: 20, busy: 0 }, undefined, 1000],
	['ends when it drips', { bytes: 1000, each: 50, times: 20, busy: 0 }, 300_000, 307],
])('a transfer %s', async (_what, { bytes: size, each, times, busy }, limitMs, endsAt) => {
	jest.useFakeTimers();
	const pass = async (seconds: number, signal?: AbortSignal) =>
		await new Promise((resolve, reject) => {
			if (signal?.aborted) reject(signal.reason as Error);
			setTimeout(resolve, seconds * 1000);
			signal?.addEventListener('abort', reject);
		});
	let signal: AbortSignal | undefined;
	async function* body() {
		for (let time = 0; time < times; time++) {
			await pass(each, signal);
			yield Buffer.alloc(size);
		}
	}
	const send = async (closing: AbortSignal) => {
		signal = closing;
		return { statusCode: 200, body: body() };
	};
	const start = performance.now();
	const read = async () => {
		const { bytes } = await openTransfer(send, { stalledMs: 60_000, totalMs: 300_000 });
		for await (const chunk of bytes) await pass(chunk.length && busy);
	};
	let ended: unknown;
	const end = (error?: unknown) => (ended = { error, at: Math.round((performance.now() - start) / 1000) });
	void read().then(end, end);
	await jest.advanceTimersByTimeAsync(3_000_000);
	jest.useRealTimers();
	expect(ended).toMatchObject({ error: limitMs && { code: 'ETIMEDOUT', limitMs }, at: endsAt });
	expect(signal?.aborted).toBe(true);
});
