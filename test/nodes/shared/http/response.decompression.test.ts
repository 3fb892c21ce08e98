import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
	brotliCompressSync,
	constants,
	createBrotliDecompress,
	createUnzip,
	deflateSync,
	gzipSync,
} from 'node:zlib';
import { insistOnEnd } from '../../../../nodes/shared/http/response';
import { allCases } from '../../../support/allPairs';

const WHOLE = randomBytes(100_000);
const [flush, brotliFlush] = [constants.Z_SYNC_FLUSH, constants.BROTLI_OPERATION_FLUSH];
/** As the HTTP client of n8n decodes them. */
const DECODED = {
	gzip: () => [gzipSync(WHOLE), createUnzip({ flush, finishFlush: flush })] as const,
	deflate: () => [deflateSync(WHOLE), createUnzip({ flush, finishFlush: flush })] as const,
	br: () =>
		[
			brotliCompressSync(WHOLE),
			createBrotliDecompress({ flush: brotliFlush, finishFlush: brotliFlush }),
		] as const,
};
const iterator = Readable.prototype[Symbol.asyncIterator];

test.each(
	allCases({ coding: ['gzip', 'deflate', 'br'], isWrapped: [true, false], left: [1, 0.5, 0] } as const),
)('a compressed body is whole, or fails: %j', async ({ coding, isWrapped, left }) => {
	const [sent, stream] = DECODED[coding]();
	async function* wrapped() {
		for await (const chunk of stream) yield chunk as Buffer;
	}
	const body = isWrapped ? Readable.from(wrapped(), { objectMode: false }) : stream;
	insistOnEnd(body);
	expect(Readable.prototype[Symbol.asyncIterator]).toBe(iterator);
	stream.end(sent.subarray(0, sent.length * left));
	const read = body.toArray();
	if (left < 1) await expect(read).rejects.toMatchObject({ code: 'Z_BUF_ERROR' });
	else expect(Buffer.concat((await read) as Buffer[]).equals(WHOLE)).toBe(true);
});

test('a body that is not compressed stays as it is', async () => {
	const plain = Readable.from([WHOLE]);
	insistOnEnd(plain);
	expect(await plain.toArray()).toEqual([WHOLE]);
});
