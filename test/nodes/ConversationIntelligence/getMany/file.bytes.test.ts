import type { IDataObject } from 'n8n-workflow';
import { fileBytes, gzip } from '../../../../nodes/ConversationIntelligence/getMany/file';

const CHUNK = 64 * 1024;

test.each<[string, string, string[], number[]]>([
	['no rows and no head', '', [], []],
	['a head alone', 'a,b\r\n', [], [5]],
	['short rows', 'a\r\n', ['1\r\n', '2\r\n', '3\r\n'], [12]],
	['rows that fill one chunk', '', ['a'.repeat(CHUNK - 1), 'b', 'c'], [CHUNK, 1]],
	['characters of several bytes', '€', ['€'.repeat(CHUNK - 1), '😀'], [3 * CHUNK, 4]],
])('a file with %s comes in chunks of about 64 KiB', async (_what, head, texts, sizes) => {
	async function* batches(): AsyncGenerator<IDataObject[]> {
		for (let n = 0; n < texts.length; n += 2) yield texts.slice(n, n + 2).map((text) => ({ text }));
	}
	const chunks: Uint8Array[] = [];
	for await (const chunk of fileBytes(batches(), { head, line: ({ text }) => text as string })) {
		chunks.push(chunk);
	}
	expect(chunks.map(({ length }) => length)).toEqual(sizes);
	expect(Buffer.concat(chunks).toString('utf8')).toBe(head + texts.join(''));
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
