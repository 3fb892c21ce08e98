import type { IDataObject } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { sandboxEngine, scriptedEngine } from '../../../support/engine/fixtures';
import { GET_ALL as ALL } from '../listing';

const ALSO = { alsoInclude: ['awaitingUpload', 'errored'] };

describe('Conversation Intelligence: conversations and recordings in one list', () => {
	const { engine } = sandboxEngine([ConversationIntelligence], {
		conversations: 60,
		awaitingUpload: 70,
		errored: 5,
	});

	const run = async (parameters: object) =>
		await engine.runNode('conversationIntelligence', { ...ALL, ...parameters } as never);
	const ofKind = (rows: IDataObject[], kind: string) => rows.filter((row) => row.kind === kind);

	test('returns an array only once when it is selected twice', async () => {
		const { items, hints } = await run({ options: { alsoInclude: ['errored', 'errored'] } });

		expect(items).toHaveLength(60 + 5);
		expect(hints).toEqual([]);
	});

	test.each([
		['Simplified', { output: 'simplified', options: ALSO }, ['conversationId', 'serviceUrl', 'title']],
		['Selected Fields', { output: 'selectedFields', fields: ['title'], options: ALSO }, ['title']],
	])("keeps each row's kind, and a recording's ID and error, with %s", async (_how, how, chosen) => {
		const { items } = await run(how);
		const rows = items.map(({ json }) => json);

		const [conversations, awaiting, errored] = ['conversation', 'awaitingUpload', 'errored'].map((kind) =>
			ofKind(rows, kind),
		);
		expect({
			conversations: conversations.length,
			awaiting: awaiting.length,
			errored: errored.length,
		}).toEqual({ conversations: 60, awaiting: 70, errored: 5 });
		expect(Object.keys(conversations[0])).toEqual(expect.arrayContaining(chosen));
		expect(new Set([...awaiting, ...errored].map(({ recordingId }) => recordingId)).size).toBe(75);
		expect(errored.every(({ error }) => typeof error === 'string')).toBe(true);
		expect(awaiting.every(({ error }) => error === null)).toBe(true);
		expect(new Set(rows.map((row) => Object.keys(row).join())).size).toBe(1);
	});

	test('keeps the error of an errored recording in a simplified list of them', async () => {
		const errored = { resource: 'recording', operation: 'getErrored', output: 'simplified' };
		const { items } = await run(errored);
		expect(items).toHaveLength(5);
		for (const { json } of items) expect(json.error).toMatch(/^[A-Z_]+$/);
	});

	test('fills the same columns in CSV', async () => {
		const chosen = { output: 'selectedFields', fields: ['title'], options: ALSO };
		const { items } = await run({ outputAs: 'file', fileFormat: 'csv', ...chosen });

		const [header, ...lines] = (await engine.binary(items[0].binary!.data)).toString('utf8').split('\r\n');
		expect(header).toBe('conversationId,recordingId,title,kind,error');
		expect(lines.filter((line) => /^[0-9a-f-]{36},[0-9a-f-]{36},.*,conversation,$/.test(line))).toHaveLength(
			60,
		);
		expect(lines.filter((line) => /^,[0-9a-f-]{36},.*,awaitingUpload,$/.test(line))).toHaveLength(70);
		expect(lines.filter((line) => /^,[0-9a-f-]{36},.*,errored,[A-Z_]+$/.test(line))).toHaveLength(5);
	});

	test('gives every kind its columns in CSV with all fields', async () => {
		const { items } = await run({ outputAs: 'file', fileFormat: 'csv', options: ALSO });

		const [header] = (await engine.binary(items[0].binary!.data)).toString('utf8').split('\r\n');
		expect(header).toMatch(/^conversationId,.*,urlsExpireAt,kind,error,otherFields$/);
	});

	test('returns a single array without its kind, with only the chosen fields in the documented order', async () => {
		const { items } = await run({ output: 'selectedFields', fields: ['title', 'conversationId'] });

		expect(Object.keys(items[0].json)).toEqual(['conversationId', 'title']);
	});
});

describe('Conversation Intelligence: rows of several arrays', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligence]);

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
			totalAwaitingUpload: 1,
			awaitingUpload: [{ ...recording, outcome: 7 }],
			totalErrored: 1,
			errored: [{ ...recording, recordingId: 's', outcome: null, processedDate: null }],
		};
		server.respond([{ status: 200, body: JSON.stringify(page) }]);
		const { hints } = await engine.runNode('conversationIntelligence', { ...ALL, options: ALSO });

		expect(hints.map(({ message }) => message)).toEqual([
			'Unexpected data: in awaitingUpload, outcome is not text; in errored, error is missing. Rows are returned unchanged.',
		]);
	});
});
