import { gunzipSync } from 'node:zlib';
import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { readFileOptions } from '../../../../../nodes/ConversationIntelligence/getMany/file/fileOptions';
import { writeFile } from '../../../../../nodes/ConversationIntelligence/getMany/file/writeFile';
import type { List, RowSource } from '../../../../../nodes/ConversationIntelligence/getMany/list';
import { ListRun } from '../../../../../nodes/ConversationIntelligence/getMany/listRun';
import type { ListRequest } from '../../../../../nodes/ConversationIntelligence/getMany/readRequest';
import { Item } from '../../../../../nodes/shared/node/item';

const RANGE = { fromDate: '2026-01-31T23:00:00.000Z', toDate: '2026-02-28T22:59:59.999Z' };
const ROWS = [
	{ name: 'A', teamId: '1', novelty: true },
	{ name: 'B', teamId: '2' },
];

/** The item of a file of two teams, which takes 2.5 seconds to store, and the content of the file. */
async function write(
	format: 'csv' | 'csvForExcel' | 'ndjson',
	{
		gzip = false,
		fields,
		rows = ROWS,
		...request
	}: {
		gzip?: boolean;
		fields?: string[];
		rows?: IDataObject[];
		includeTranscript?: boolean;
	},
	options: IDataObject = {},
) {
	let stored = Buffer.alloc(0);
	const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
	const helpers = {
		async prepareBinaryData(stream: AsyncIterable<Uint8Array>, fileName: string, mimeType: string) {
			for await (const chunk of stream) stored = Buffer.concat([stored, chunk]);
			clock.mockReturnValue(1_002_500);
			return { data: 'stored', fileName, mimeType, bytes: stored.length } satisfies IBinaryData;
		},
	};
	const parameters: IDataObject = { fileFormat: format, fileOptions: { gzip, ...options } };
	const getNodeParameter = (name: string) => parameters[name];
	const context = { helpers, getTimezone: () => 'Europe/Berlin', getNodeParameter };
	const source: Partial<RowSource> = {
		keptFields: [],
		schema: z.object({ name: z.string(), teamId: z.string() }),
		summary: () => ({ requests: 1, totalTeams: 2 }),
		isComplete: () => true,
	};
	const item = new Item(context as unknown as IExecuteFunctions, 0);
	const run = new ListRun(
		item,
		{ rowKind: 'teams' } as Partial<List> as List,
		{ range: RANGE, fields, ...request } as Partial<ListRequest> as ListRequest,
		source as RowSource,
	);
	Object.assign(run, { rows: 2, failedTranscripts: 1 });
	jest.spyOn(run, 'batches').mockImplementation(async function* () {
		yield rows;
	});
	const written = await writeFile(run, readFileOptions(item));
	return { item: written, text: (gzip ? gunzipSync(stored) : stored).toString('utf8'), bytes: stored.length };
}

test.each([
	['csv' as const, false, 'text/csv', 'teams_2026-02-01_2026-02-28.csv'],
	['csv' as const, true, 'application/gzip', 'teams_2026-02-01_2026-02-28.csv.gz'],
	['ndjson' as const, false, 'application/x-ndjson', 'teams_2026-02-01_2026-02-28.ndjson'],
	['ndjson' as const, true, 'application/gzip', 'teams_2026-02-01_2026-02-28.ndjson.gz'],
])(
	'returns a file of %s, gzip %p, with its media type and a summary',
	async (format, gzip, mimeType, fileName) => {
		const { item, bytes } = await write(format, { gzip });

		expect(item).toStrictEqual({
			json: { fileName, bytes, rows: 2, requests: 1, totalTeams: 2, ...RANGE, seconds: 2.5, complete: true },
			binary: { data: { data: 'stored', fileName, mimeType, bytes } },
		});
	},
);

test.each([
	[
		'csv' as const,
		'all fields',
		undefined,
		'name,teamId,otherFields\r\nA,1,"{""novelty"":true}"\r\nB,2,\r\n',
	],
	['csv' as const, 'the chosen field', ['teamId'], 'teamId\r\n1\r\n2\r\n'],
	['ndjson' as const, 'all fields', undefined, ROWS.map((row) => `${JSON.stringify(row)}\n`).join('')],
])('writes %s with %s of each row', async (format, _, fields, text) => {
	expect((await write(format, { fields })).text).toBe(text);
	expect((await write(format, { fields, gzip: true })).text).toBe(text);
});

test.each([
	['comma', 'name,teamId,otherFields\r\n"A;1",1,\r\n'],
	['semicolon', 'name;teamId;otherFields\r\n"A;1";1;\r\n'],
	['tab', 'name\tteamId\totherFields\r\n"A;1"\t1\t\r\n'],
])('separates cells with the delimiter %s', async (delimiter, text) => {
	const rows = [{ name: 'A;1', teamId: '1' }];
	expect((await write('csv', { rows }, { delimiter })).text).toBe(text);
});

test('writes CSV for Excel with a mark, semicolons and decimal commas; texts, dates and whole numbers stay', async () => {
	const rows = [{ name: 'v1.5', teamId: 10.5, x: -0.25, y: 12, at: '2026-03-01T10:00:00.5Z', list: [1.5] }];
	const fields = ['name', 'teamId', 'x', 'y', 'at', 'list'];
	const { text, item } = await write('csvForExcel', { rows, fields }, { delimiter: 'tab' });
	expect(text).toBe(
		'\uFEFFname;teamId;x;y;at;list\r\nv1.5;"10,5";"-0,25";12;2026-03-01T10:00:00.5Z;[1.5]\r\n',
	);
	expect(item.binary?.data).toMatchObject({
		mimeType: 'text/csv',
		fileName: expect.stringMatching(/\.csv$/),
	});
});

test('has columns for transcripts, and counts those that could not be read', async () => {
	const rows = [{ name: 'A', teamId: '1', transcript: null, transcriptError: 'Gone' }];
	const chosen = await write('csv', { rows, fields: ['name'], includeTranscript: true });
	const all = await write('csv', { rows, includeTranscript: true });

	expect(chosen.text).toBe('name,transcript,transcriptError\r\nA,,Gone\r\n');
	expect(all.text).toBe('name,teamId,transcript,transcriptError,otherFields\r\nA,1,,Gone,\r\n');
	expect(all.item.json).toMatchObject({ rows: 2, failedTranscripts: 1 });
});
