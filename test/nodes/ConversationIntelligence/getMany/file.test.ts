import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { Container } from '@n8n/di';
import fc from 'fast-check';
import { BinaryDataService } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import {
	fileBytes,
	gzip,
	listFileName,
	ndjsonLine,
} from '../../../../nodes/ConversationIntelligence/getMany/file';
import { scriptedEngine } from '../../../support/engine/fixtures';
import { sandboxExport } from '../exportNode';
import { LISTS } from '../listing';

const ROWS = [
	{ teamId: '1', name: 'A;1', talkRatioAverage: 0.5, novelty: true },
	{ teamId: '2', name: 'v1.5' },
];

test('a line of NDJSON is one line to every reader, and the same row', async () => {
	const text = fc.string({ unit: fc.constantFrom(...'a"\\ \u0085\u2028\u2029\v\f\x1c\x1d\x1e\r\n\t😀') });
	const rows = fc.array(fc.dictionary(text, fc.oneof(text, fc.array(text))), { minLength: 1 });
	await fc.assert(
		fc.asyncProperty(rows, async (all) => {
			const file = all.map((row) => ndjsonLine(row as IDataObject)).join('');
			const lines: string[] = [];
			for await (const line of createInterface({ input: Readable.from([file]) })) lines.push(line);
			expect(lines.map((line) => JSON.parse(line) as object)).toEqual(all.map((row) => ({ ...row })));
			// Where Python's str.splitlines ends a line.
			const ends = '\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029';
			expect([...file].filter((character) => ends.includes(character))).toEqual([]);
		}),
	);
});

const DAY = { fromDate: '2026-03-28T23:00:00.000Z', toDate: '2026-03-29T21:59:59.999Z' };
const list = { rowKind: 'awaiting upload', range: DAY, zone: 'Europe/Berlin' };

describe('The name of a file', () => {
	test.each([
		['march', 'csv', 'march.csv'],
		['march.CSV', 'csv', 'march.csv'],
		['march.csv', 'ndjson', 'march.ndjson'],
		['v1.2', 'ndjson', 'v1.2.ndjson'],
		['march.csv', 'csv.gz', 'march.csv.gz'],
		['march.gz', 'csv.gz', 'march.csv.gz'],
		['march.csv.gz', 'csv.gz', 'march.csv.gz'],
		// The day that the clocks change, by the clock of the workflow's zone.
		['', 'csv', 'awaiting-upload_2026-03-29_2026-03-29.csv'],
	])('of %p gets the ending %j: %s', (given, ending, name) => {
		expect(listFileName(given, ending, list, new Set())).toBe(name);
	});

	test('gets a number before the ending when a run repeats it', () => {
		const used = new Set<string>();
		const names = ['all.csv', 'all', 'all', 'all_2', 'ALL'].map((given) =>
			listFileName(given, 'csv.gz', list, used),
		);
		expect(names).toEqual(['all.csv.gz', 'all_2.csv.gz', 'all_3.csv.gz', 'all_2_2.csv.gz', 'ALL.csv.gz']);
	});
});

describe('A file that cannot be stored', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligence]);
	const detailsOf = async () => {
		const { error } = await engine.runNode('conversationIntelligence', { ...LISTS.teams, outputAs: 'file' });
		return error?.context?.details as IDataObject;
	};

	test('has the code of a download: the disk is full', async () => {
		server.respond([{ status: 200, body: JSON.stringify({ teams: ROWS }) }]);
		const full = new Error('ENOSPC: no space left on device');
		jest.spyOn(Container.get(BinaryDataService), 'store').mockRejectedValue(full);
		expect(await detailsOf()).toMatchObject({ code: 'file_not_stored' });
	});

	test('because its rows cannot be read has the code of that', async () => {
		server.respond([{ status: 403 }]);
		expect(await detailsOf()).toMatchObject({ code: 'api_key_refused' });
	});
});

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

test('gzip reads no more than a reader wants, which continues once the source is closed if it stops early', async () => {
	let [isOpen, made] = [false, 0];
	async function* endless(): AsyncGenerator<Uint8Array> {
		isOpen = true;
		try {
			for (; ; made++) yield crypto.getRandomValues(new Uint8Array(CHUNK));
		} finally {
			await new Promise((resolve) => setImmediate(resolve));
			isOpen = false;
		}
	}
	for await (const chunk of gzip(endless())) {
		expect(chunk.length).toBeGreaterThan(0);
		expect(isOpen).toBe(true);
		for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
		expect(made).toBeLessThan(10);
		break;
	}
	expect(isOpen).toBe(false);
});

describe('Conversation Intelligence: files', () => {
	const { engine, run } = sandboxExport({ conversations: 220 });

	test('come with a summary, and those of one run never have the same name', async () => {
		const input = ['10:00', '10:00', '11:00'].map((from) => ({ json: { from: `2020-01-01T${from}` } }));
		const fromDate = '={{ $json.from }}';
		const file = { outputAs: 'file', fromDate, toDate: '2030-01-01T00:00:00Z' };
		const { items, hints } = await run(file, { input, timezone: 'Asia/Kathmandu' });
		const names = ['1000_2030-01-01T0545', '1000_2030-01-01T0545_2', '1100_2030-01-01T0545'].map(
			(end) => `conversations_2020-01-01T${end}.ndjson`,
		);
		expect(items.map(({ json }) => json.fileName)).toEqual(names);
		expect(items.map(({ binary }) => binary!.data.fileName)).toEqual(names);
		expect(hints).toEqual([]);
		expect(items[2].json).toEqual({
			...{ fileName: names[2], rows: 220, complete: true },
			...{ pages: 5, requests: 5, totalConversations: 220, seconds: expect.any(Number) },
			...{ fromDate: '2020-01-01T05:15:00.000Z', toDate: '2030-01-01T00:00:00.000Z' },
			bytes: (await engine.binary(items[2].binary!.data)).length,
		});
	});
});
