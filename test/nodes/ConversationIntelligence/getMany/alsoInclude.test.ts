import { sandboxExport, scriptedExport } from '../exportNode';

const ALSO = { alsoInclude: ['awaitingUpload', 'errored'] };

describe('Conversation Intelligence: conversations and recordings in one list', () => {
	// The first kind is the shortest one.
	const COUNTS = { conversation: 3, awaitingUpload: 120, errored: 60 };
	const { conversation: conversations, ...recordings } = COUNTS;
	const { engine, run: list } = sandboxExport({ conversations, ...recordings });

	const run = async (parameters: object) => await list({ options: ALSO, ...parameters });
	const textOf = async (parameters: object) => {
		const { items } = await run({ outputAs: 'file', fileFormat: 'csv', ...parameters });
		return (await engine.binary(items[0].binary!.data)).toString('utf8');
	};

	// D1-RECORDING-02, D1-EXP-01..02, D1-RESP-06..08
	test.each(['raw', 'simplified', 'selectedFields'])(
		'says the kind, the IDs and the error of each with %s',
		async (output) => {
			const options = { alsoInclude: [...ALSO.alsoInclude, 'errored'] };
			const { items, error } = await run({ output, fields: ['title'], options });

			expect(error).toBeUndefined();
			const rows = items.map(({ json }) => json);
			for (const [kind, count] of Object.entries(COUNTS)) {
				const found = rows.filter((row) => row.kind === kind);
				expect(found).toHaveLength(count);
				expect(new Set(found.map(({ recordingId }) => recordingId)).size).toBe(count);
				const has = (field: string) => found.every((row) => typeof row[field] === 'string');
				const lacks = (field: string) => found.every((row) => row[field] === null);
				expect(kind === 'conversation' ? has('conversationId') : lacks('conversationId')).toBe(true);
				expect(kind === 'errored' ? has('error') : lacks('error')).toBe(true);
			}
		},
	);

	test('is cut by Limit to the newest of all kinds', async () => {
		const datesOf = async (parameters: object) =>
			(await run(parameters)).items.map(({ json }) => String(json.date));
		const all = (await datesOf({})).sort().reverse();
		expect(await datesOf({ returnAll: false, limit: 70 })).toEqual(all.slice(0, 70));
	});

	test('has the same columns for all in CSV', async () => {
		const [header, ...lines] = (await textOf({ output: 'selectedFields', fields: ['title'] })).split('\r\n');
		expect(header).toBe('conversationId,recordingId,title,kind,error');
		const count = (line: RegExp) => lines.filter((one) => line.test(one)).length;
		expect(count(/^[0-9a-f-]{36},[0-9a-f-]{36},.*,conversation,$/)).toBe(3);
		expect(count(/^,[0-9a-f-]{36},.*,awaitingUpload,$/)).toBe(120);
		expect(count(/^,[0-9a-f-]{36},.*,errored,[A-Z_]+$/)).toBe(60);
		const all = await textOf({ options: { ...ALSO, addTeams: true } });
		expect(all).toMatch(/^conversationId,.*,urlsExpireAt,kind,error,teamNames,teamIds,otherFields\r\n/);
	});
});

describe('Conversation Intelligence: rows of several arrays', () => {
	const { server, run } = scriptedExport();

	test('reports data that does not match the documentation with its array', async () => {
		const row = {
			recordingId: 'r',
			date: '2026-01-01T00:00:00Z',
			title: null,
			duration: 1,
			crmEventID: null,
		};
		const user = { id: 'u', name: null, email: 'ana@example.com' };
		const recording = { ...row, user, jobNumber: null, stLink: null, totalSold: null, customFields: null };
		const page = {
			totalConversations: 1,
			// Its kind is unknown, so it is compared with nothing.
			conversations: [{ conversationId: 'c', date: row.date, kind: 'vip' }],
			totalAwaitingUpload: 2,
			awaitingUpload: [{ ...recording, outcome: 7 }, null],
			totalErrored: 1,
			errored: [{ ...recording, recordingId: 's', outcome: null, processedDate: null }],
		};
		server.respond([{ status: 200, body: JSON.stringify(page) }]);
		const { hints } = await run({ options: ALSO });

		expect(hints.map(({ message }) => message)).toEqual([
			'Unexpected data: in conversations, The row is not an object; in awaitingUpload, outcome is not text; in errored, error is missing. Rows are returned unchanged.',
		]);
	});
});
