import { gunzipSync } from 'node:zlib';
import { ConversationIntelligence } from '../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import type { NodeRun } from '../../../support/engine';
import { sandboxEngine } from '../../../support/engine/fixtures';
import { GET_ALL as ALL } from '../listing';

const FILE = { ...ALL, outputAs: 'file' };

describe('Conversation Intelligence: files', () => {
	const { sandbox, engine } = sandboxEngine([ConversationIntelligence], {
		conversations: 620,
		awaitingUpload: 120,
		errored: 35,
	});
	beforeEach(() => {
		sandbox.requests.reset();
		sandbox.faults.clear();
	});

	const run = async (parameters: object, options = {}) =>
		await engine.runNode('conversationIntelligence', { ...FILE, ...parameters } as never, options);
	const bytesOf = async ({ items }: NodeRun, field = 'data') => await engine.binary(items[0].binary![field]);

	test('NDJSON contains each conversation once, in order and complete, next to a summary', async () => {
		const asItems = await engine.runNode('conversationIntelligence', ALL);
		const asFile = await run({ fileFormat: 'ndjson' });

		expect(asFile.error).toBeUndefined();
		const lines = (await bytesOf(asFile)).toString('utf8').split('\n');
		expect(lines.pop()).toBe('');
		const timeless = (row: Record<string, unknown>) => ({
			...row,
			urlsExpireAt: undefined,
			transcriptUrl: undefined,
			audioUrl: undefined,
		});
		expect(lines.map((line) => timeless(JSON.parse(line)))).toEqual(
			asItems.items.map(({ json }) => timeless(json)),
		);
		expect(asFile.items).toHaveLength(1);
		expect(asFile.items[0].json).toEqual({
			fileName: 'conversations_2020-01-01T0000_2030-01-01T0000.ndjson',
			rows: 620,
			complete: true,
			pages: 13,
			requests: 13,
			totalConversations: 620,
			fromDate: '2020-01-01T00:00:00.000Z',
			toDate: '2030-01-01T00:00:00.000Z',
			seconds: expect.any(Number),
			bytes: (await bytesOf(asFile)).length,
		});
		const [named, , ...counted] = Object.keys(asFile.items[0].json);
		expect([named, ...counted].join(' ')).toMatch(
			/^fileName rows pages requests totalConversations fromDate toDate seconds complete$/,
		);
		expect(asFile.items[0].binary!.data).toMatchObject({
			fileName: 'conversations_2020-01-01T0000_2030-01-01T0000.ndjson',
			mimeType: 'application/x-ndjson',
		});
		expect(asFile.hints).toEqual([]);
	});

	test('gzip contains the same bytes, in another field and with another name', async () => {
		const fileOptions = { gzip: true, binaryPropertyName: 'archive', fileName: 'all.ndjson.gz' };
		const zipped = await run({ fileFormat: 'ndjson', output: 'simplified', fileOptions });
		const plain = await run({ fileFormat: 'ndjson', output: 'simplified' });

		expect(zipped.error).toBeUndefined();
		expect(gunzipSync(await bytesOf(zipped, 'archive'))).toEqual(await bytesOf(plain));
		expect(zipped.items[0].binary!.archive).toMatchObject({
			fileName: 'all.ndjson.gz',
			mimeType: 'application/gzip',
		});
		expect((await bytesOf(zipped, 'archive')).length).toBeLessThan((await bytesOf(plain)).length / 2);
	});

	test('CSV has the documented columns in order, and a line for each conversation', async () => {
		const { items, error } = await run({ fileFormat: 'csv', fileOptions: { byteOrderMark: true } });

		expect(error).toBeUndefined();
		const text = (await engine.binary(items[0].binary!.data)).toString('utf8');
		expect(
			text.startsWith('\uFEFFconversationId,recordingId,date,processedDate,title,duration,crmEventID,'),
		).toBe(true);
		const [header] = text.slice(1).split('\r\n');
		expect(header).toContain(',user.id,user.name,user.email,transcriptUrl,');
		expect(header).toContain(',customer.address.street,');
		expect(header.endsWith(',urlsExpireAt,otherFields')).toBe(true);
		expect(text.match(/^\uFEFF?[0-9a-f]{8}-/gm)).toHaveLength(620);
	});

	test.each([
		[7, 'file', {}],
		[3, 'gzip file', { gzip: true }],
	])('a failed page %i leaves no %s and says what to do', async (page, _kind, fileOptions) => {
		sandbox.faults.add({ kind: 'htmlPage', status: 400, body: { page } });
		const { items, error } = await run({ fileFormat: 'ndjson', fileOptions });

		expect(items).toEqual([]);
		expect(error?.message).toBe('Could not read the whole list: the service refused the request');
		expect(error?.description).toMatch(
			/No items were returned\. Run the workflow again, or set On Error to Continue .+\.$/,
		);
	});

	test.each(['insertConversations', 'removeConversations'] as const)(
		'with %s while it is written, the file contains every conversation of the service once',
		async (kind) => {
			sandbox.faults.add({ kind, body: { page: 4 }, position: 20, times: 1 });
			const { items, hints } = await run({ fileFormat: 'ndjson' });

			const now = await engine.runNode('conversationIntelligence', ALL);
			const ids = (await engine.binary(items[0].binary!.data))
				.toString('utf8')
				.trimEnd()
				.split('\n')
				.map((line) => (JSON.parse(line) as { conversationId: string }).conversationId);
			expect(new Set(ids).size).toBe(ids.length);
			expect(ids).toEqual(expect.arrayContaining(now.items.map(({ json }) => json.conversationId)));
			const removed = kind === 'removeConversations' ? 1 : 0;
			expect(ids).toHaveLength(now.items.length + removed);
			expect(hints).toEqual([]);
		},
	);

	test('no two files of a run have one name: hourly ranges say their times, repeated ones their number', async () => {
		const hour = (hours: string) => ({
			json: { from: `2025-03-01T${hours}:00:00`, to: `2025-03-01T${hours}:59:59` },
		});
		const range = { fromDate: '={{ $json.from }}', toDate: '={{ $json.to }}' };
		const input = ['10', '11', '11'].map(hour);
		const { items } = await run(
			{ ...range, fileFormat: 'csvForExcel' },
			{ input, timezone: 'Asia/Kathmandu' },
		);

		const names = items.map(({ json }) => json.fileName);
		expect(names).toEqual([
			'conversations_2025-03-01T1000_2025-03-01T1059.csv',
			'conversations_2025-03-01T1100_2025-03-01T1159.csv',
			'conversations_2025-03-01T1100_2025-03-01T1159_2.csv',
		]);
		expect(items.map(({ binary }) => binary!.data.fileName)).toEqual(names);
		const named = await run({ ...range, fileOptions: { fileName: 'all' } }, { input });
		expect(named.items.map(({ json }) => json.fileName)).toEqual([
			'all.ndjson',
			'all_2.ndjson',
			'all_3.ndjson',
		]);
	});

	test('teams and users can be files too', async () => {
		const teams = await run({ resource: 'team', fileFormat: 'csv' });
		const users = await run({ resource: 'user', fileFormat: 'ndjson' });

		expect(teams.error ?? users.error).toBeUndefined();
		expect((await bytesOf(teams)).toString('utf8').split('\r\n')).toHaveLength(8 + 2);
		expect(teams.items[0].json).toMatchObject({ rows: 8, requests: 1, totalTeams: 8 });
		expect((await bytesOf(users)).toString('utf8').trimEnd().split('\n')).toHaveLength(
			users.items[0].json.rows as number,
		);
	});
});
