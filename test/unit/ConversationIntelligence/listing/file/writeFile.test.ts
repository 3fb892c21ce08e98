import { gunzipSync } from 'node:zlib';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { readFileOptions } from '../../../../../nodes/ConversationIntelligence/listing/file/fileOptions';
import { writeFile } from '../../../../../nodes/ConversationIntelligence/listing/file/writeFile';
import type { List, ListRun, RowSource } from '../../../../../nodes/ConversationIntelligence/listing/list';
import type { ListRequest } from '../../../../../nodes/ConversationIntelligence/listing/readRequest';
import { Item } from '../../../../../nodes/shared/node/item';

const RANGE = { fromDate: '2026-02-01T00:00:00.000Z', toDate: '2026-02-28T22:59:59.999Z' };
const ROWS = [
	{ name: 'A', teamId: '1', novelty: true },
	{ name: 'B', teamId: '2' },
];

/** The item of a file of two teams, which takes 2.5 seconds to store, and the content of the file. */
async function write(
	format: 'csv' | 'ndjson',
	{ gzip = false, fields }: { gzip?: boolean; fields?: string[] },
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
	const context = { helpers, getTimezone: () => 'Europe/Berlin' };
	const source: Partial<RowSource> = {
		schema: z.object({ name: z.string(), teamId: z.string() }),
		summary: () => ({ requests: 1, totalTeams: 2 }),
		gaps: () => [],
	};
	const run = {
		item: new Item(context as unknown as IExecuteFunctions, 0),
		list: { rowKind: 'teams' } as Partial<List> as List,
		request: { range: RANGE } as Partial<ListRequest> as ListRequest,
		source: source as RowSource,
		fields,
		guard: undefined,
		rows: 2,
		failedTranscripts: 0,
	} satisfies ListRun;
	async function* batches() {
		yield ROWS;
	}
	const item = await writeFile(run, readFileOptions(format, { gzip }), batches());
	return { item, text: (gzip ? gunzipSync(stored) : stored).toString('utf8'), bytes: stored.length };
}

afterEach(() => jest.restoreAllMocks());

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
			json: { fileName, bytes, rows: 2, requests: 1, totalTeams: 2, ...RANGE, seconds: 2.5 },
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
	['ndjson' as const, 'the chosen field', ['teamId'], '{"teamId":"1"}\n{"teamId":"2"}\n'],
])('writes %s with %s of each row', async (format, _, fields, text) => {
	expect((await write(format, { fields })).text).toBe(text);
	expect((await write(format, { fields, gzip: true })).text).toBe(text);
});
