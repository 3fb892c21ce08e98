import type { IDataObject } from 'n8n-workflow';
import { fileBytes, gzip } from '../../../../../nodes/ConversationIntelligence/getMany/file/bytes';

const CHUNK = 64 * 1024;

/** A file whose lines are these texts, read in batches of two rows. */
async function chunksOf(head: string, texts: string[]): Promise<Uint8Array[]> {
	async function* batches(): AsyncGenerator<IDataObject[]> {
		for (let n = 0; n < texts.length; n += 2) yield texts.slice(n, n + 2).map((text) => ({ text }));
	}
	const chunks: Uint8Array[] = [];
	for await (const chunk of fileBytes(batches(), { head, line: ({ text }) => text as string })) {
		chunks.push(chunk);
	}
	return chunks;
}

describe('The bytes of a file', () => {
	test.each<[string, string, string[], number[]]>([
		['no rows and no head', '', [], []],
		['a head alone', 'a,b\r\n', [], [5]],
		['short rows', 'a\r\n', ['1\r\n', '2\r\n', '3\r\n'], [12]],
		['rows that fill one chunk', '', ['a'.repeat(CHUNK - 1), 'b'], [CHUNK]],
		['one byte more than a chunk', '', ['a'.repeat(CHUNK), 'b'], [CHUNK, 1]],
		['a row of more than two chunks', 'head', ['a'.repeat(2 * CHUNK)], [CHUNK, CHUNK, 4]],
		[
			'a character that does not fit into the rest of a chunk',
			'',
			['a'.repeat(CHUNK - 2), '€'],
			[CHUNK - 2, 3],
		],
	])('come in chunks of 64 KiB: %s', async (_, head, texts, sizes) => {
		const chunks = await chunksOf(head, texts);

		expect(chunks.map(({ length }) => length)).toEqual(sizes);
		expect(Buffer.concat(chunks).toString('utf8')).toBe(head + texts.join(''));
	});
});

test('a reader of gzip that stops early continues only after the source has been closed', async () => {
	let isOpen = false;
	async function* endless(): AsyncGenerator<Uint8Array> {
		isOpen = true;
		try {
			for (;;) yield crypto.getRandomValues(new Uint8Array(CHUNK));
		} finally {
			await new Promise((resolve) => setImmediate(resolve));
			isOpen = false;
		}
	}
	for await (const chunk of gzip(endless())) {
		expect(chunk.length).toBeGreaterThan(0);
		expect(isOpen).toBe(true);
		break;
	}
	expect(isOpen).toBe(false);
});
