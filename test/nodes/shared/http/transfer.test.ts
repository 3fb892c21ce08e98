import * as zlib from 'node:zlib';
import { CredentialTestContext } from 'n8n-core';
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { isTransientCode, networkCode } from '../../../../nodes/shared/http/policy';
import { receive, type Received } from '../../../../nodes/shared/http/transfer';
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
