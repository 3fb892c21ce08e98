import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { Container } from '@n8n/di';
import fc from 'fast-check';
import { BinaryDataService } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { listFileName, ndjsonLine } from '../../../../nodes/ConversationIntelligence/getMany/file';
import { scriptedEngine } from '../../../support/engine/fixtures';
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

const RANGE = { fromDate: '2026-02-28T23:00:00.000Z', toDate: '2026-03-31T21:59:59.999Z' };
const list = { rowKind: 'recordings awaiting upload', range: RANGE, zone: 'Europe/Berlin' };

describe('The name of a file', () => {
	test.each([
		['of whole days', RANGE.fromDate, RANGE.toDate, '2026-03-01_2026-03-31'],
		['of an hour', '2026-03-01T09:00:00.000Z', '2026-03-01T09:59:59.999Z', '2026-03-01T1000_2026-03-01T1059'],
		['to midnight', RANGE.fromDate, '2026-03-01T23:00:00.000Z', '2026-03-01T0000_2026-03-02T0000'],
		['to now', RANGE.fromDate, '2026-03-12T13:05:00.000Z', '2026-03-01T0000_2026-03-12T1405'],
		['of one day, to the minute', RANGE.fromDate, '2026-03-01T22:59:00.000Z', '2026-03-01_2026-03-01'],
		[
			'of the day the clocks change',
			'2026-03-28T23:00:00.000Z',
			'2026-03-29T21:59:59.999Z',
			'2026-03-29_2026-03-29',
		],
	])("is made from a range %s in the workflow's time zone", (_range, fromDate, toDate, dates) => {
		const range = { fromDate, toDate };
		const name = `recordings-awaiting-upload_${dates}.csv`;
		expect(listFileName('', 'csv', { ...list, range }, new Set())).toBe(name);
	});

	test.each([
		['march', 'csv', 'march.csv'],
		['march.CSV', 'csv', 'march.csv'],
		['march.csv', 'ndjson', 'march.ndjson'],
		['v1.2', 'ndjson', 'v1.2.ndjson'],
		['march', 'csv.gz', 'march.csv.gz'],
		['march.csv', 'csv.gz', 'march.csv.gz'],
		['march.gz', 'csv.gz', 'march.csv.gz'],
		['march.csv.gz', 'csv.gz', 'march.csv.gz'],
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
