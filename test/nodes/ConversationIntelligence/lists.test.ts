import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { scriptedExport } from './exportNode';
import { documentedRow } from '../../support/engine/documentedRow';
import { byProcessing, LISTS } from './listing';

const KEY = 'key-of-the-organization';
const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const { server, run } = scriptedExport(` ${KEY}\n`);

/** The night in which Berlin's clocks go from 2 to 3. */
const RANGE = { dateRange: 'custom', fromDate: '2026-03-29T01:00:00', toDate: '2026-03-29T04:00:00' };
const SENT = { fromDate: '2026-03-29T00:00:00.000Z', toDate: '2026-03-29T02:00:00.000Z' };
const ANA = 'ana@example.com';
const OTHERS = ['Ana@example.com', 'ben@example.com'];

const PAGE = { page: 1, limit: 50, users: [ANA] };
const PROCESSED = { ...LISTS.conversations, ...byProcessing };
const WITH_SUBTEAMS = { ...LISTS.teams, filters: { includeSubteams: true } };
const EXPIRY = { urlsExpireAt: expect.any(String) };
/** What only the other kind of recordings has. */
const AWAITING = { processedDate: null, error: null, kind: 'awaitingUpload' };
/** The range, in each row of metrics. */
const METRICS = { fromDate: expect.stringMatching(/^2026/), toDate: expect.stringMatching(/^2026/) };

/** The array of a list, the table of its rows, the operation, what is sent beside the range, and what a row gets. */
const CASES: Array<[string, string, INodeParameters, object, object]> = [
	['conversations', 'ConversationsExport', LISTS.conversations, PAGE, EXPIRY],
	['conversations', 'ConversationsExport', PROCESSED, { ...PAGE, dateType: 'processedDate' }, EXPIRY],
	['awaitingUpload', 'RecordingsExport', LISTS.missing, PAGE, AWAITING],
	['errored', 'ErroredRecordingsExport', LISTS.missing, PAGE, { kind: 'errored' }],
	['teams', 'TeamsExport', LISTS.teams, { includeSubteams: false }, METRICS],
	['teams', 'TeamsExport', WITH_SUBTEAMS, { includeSubteams: true }, METRICS],
	['users', 'UsersExport', LISTS.users, { users: [ANA] }, METRICS],
];

// D1-CONV-02, D1-CONV-06..08, D1-CONV-10..20, D1-CONV-23..28, D1-RUSER-01, D1-RUSER-03, D1-VIEWER-01..04, D1-CHECK-01..07, D1-TRACK-01..07, D1-AITRACK-01..05, D1-CUSTOMER-01..04, D1-ADDRESS-01..06, D1-SURVEY-01..03
// D1-REC-03, D1-REC-05..11, D1-RECORDING-01, D1-ERRORED-03..11, D1-ERRORED-13, D1-TEAM-01..30, D1-USER-01, D1-USER-03..04, D1-USER-06..41, D1-MEMBER-01..02, D1-COACH-01..08
// D1-DOES-01, D1-DOES-03, D1-DOES-06, D1-EXP-05, D1-EXPBODY-01..06, D1-LIM-01..02, D1-LIM-08, D1-TEAMBODY-01..04, D1-USERBODY-01..05, D1-TEAMS-01, D1-USERS-01
// D1-HTTP-01..02, D1-CONVENTION-01, D1-AUTH-01
test.each(CASES)(
	'%s: one JSON request with the raw key; rows as sent, nulls and unknown fields too; of others, dropped',
	async (name, table, operation, sentBeside, added) => {
		const ofUser = (email: string, more: IDataObject = {}, filling: 'full' | 'null' = 'full') => {
			const user = documentedRow('RecordingUser', { name: null, email });
			const own = { users: { email }, teams: {} }[name] ?? { user };
			return documentedRow(table, { ...own, ...more } as IDataObject, filling);
		};
		const extra = { documentedNowhere: { deep: [1, { text: '' }] } };
		const kept = [ofUser(ANA), ofUser(ANA, {}, 'null'), ofUser(ANA, extra)];
		const dropped = name === 'teams' ? [] : OTHERS.map((email) => ofUser(email));
		const none = { awaitingUpload: [], totalAwaitingUpload: 0, errored: [], totalErrored: 0 };
		const total = `total${name[0].toUpperCase()}${name.slice(1)}`;
		const response = { ...none, [name]: [...dropped, ...kept], [total]: 3 + dropped.length };
		server.respond([{ status: 200, body: JSON.stringify(response) }]);
		const filters = { ...(name !== 'teams' && { users: [ANA] }), ...(operation.filters as object) };
		const { items, error, hints } = await run(
			{ ...operation, ...RANGE, filters },
			{ timezone: 'Europe/Berlin' },
		);

		expect(error).toBeUndefined();
		const rows = items.map(({ json }) => json);
		expect(rows).toEqual(kept.map((row) => ({ ...row, ...added })));
		expect(rows.map(Object.keys)).toEqual(kept.map((row) => [...Object.keys(row), ...Object.keys(added)]));
		const said = hints.map(({ message }) => message).join('\n');
		for (const email of dropped.length > 0 ? OTHERS : []) expect(said).toContain(`1 of ${email}`);
		const [{ method, url, headers, body }] = server.seen;
		const path = { teams: 'teams', users: 'users' }[name] ?? 'conversations';
		expect([method, url, headers.authorization]).toEqual(['POST', `/export/${path}`, KEY]);
		expect(headers['content-type']).toBe('application/json');
		expect(body).toEqual({ ...SENT, ...sentBeside });
		expect(server.seen).toHaveLength(1);
	},
);

// D1-HTTP-01..02, D1-GET-01..02, D1-DOES-02, D1-CONVENTION-03
test('one conversation is requested by its ID alone, without body or content type; what it lacks is said', async () => {
	const row = documentedRow('ConversationsExport', {
		conversationId: ID,
		new: 1,
		urlsExpireAt: '2030-01-01',
	});
	server.respond([{ status: 200, body: JSON.stringify({ ...row, title: 5, outcome: undefined }) }]);
	const output = { output: 'selectedFields', fields: ['title', 'new', 'misspelt', 'urlsExpireAt'] };
	const { items, hints } = await run({ operation: 'get', conversationId: ID.toUpperCase(), ...output });
	expect(Object.entries(items[0].json)).toEqual([
		['conversationId', ID],
		['title', 5],
		['new', 1],
		['misspelt', null],
		['urlsExpireAt', '2030-01-01'],
	]);
	expect(hints.map(({ message }) => message)).toEqual([
		'No row has the field "misspelt": check its spelling.',
		expect.stringMatching(/^Unexpected data: .*title is not text.*outcome is missing/),
	]);
	const [{ method, url, headers, body }] = server.seen;
	const path = `/export/conversations/${ID.toUpperCase()}`;
	expect([method, url, body, headers.authorization]).toEqual(['GET', path, undefined, KEY]);
	expect(headers['content-type']).toBeUndefined();
	expect(server.seen).toHaveLength(1);
});

describe('Two parameters that meet', () => {
	const listOf = (emails: string[], total: number) => {
		const rows = emails.map((email, index) =>
			documentedRow('ConversationsExport', {
				...{ conversationId: `c${index}`, recordingId: `r${index}`, date: '2026-03-29T00:30:00.000Z' },
				user: documentedRow('RecordingUser', { email }),
			}),
		);
		server.respond([
			{ status: 200, body: JSON.stringify({ totalConversations: total, conversations: rows }) },
		]);
	};
	const list = async (more: INodeParameters) => await run({ ...LISTS.conversations, ...RANGE, ...more });

	// D1-EXP-05
	test('a file whose users filter matched nobody counts all rows of the range as dropped, read or not', async () => {
		listOf(Array<string>(50).fill(OTHERS[1]), 120);
		const { items } = await list({ outputAs: 'file', filters: { users: [ANA] } });
		expect(items[0].json).toMatchObject({ rows: 0, droppedRows: 120, complete: false });
	});

	test('rows of entries have all their fields, whatever Fields said before it was hidden', async () => {
		listOf([ANA], 1);
		const { items } = await list({ rowsFor: 'trackers' });
		expect(items.length).toBeGreaterThan(0);
		for (const fields of [[], ['misspelt']]) {
			const again = await list({ rowsFor: 'trackers', output: 'selectedFields', fields });
			expect([again.error, again.hints]).toEqual([undefined, []]);
			expect(again.items).toEqual(items);
		}
	});
});
