import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { documentedRow } from '../../support/engine/documentedRow';
import type { SeenRequest } from '../../support/scriptedServer';
import { LISTS, scriptedExport } from './listing';
import { pageOf } from './listsService';

const KEY = 'key-of-the-organization';
const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const { server, run } = scriptedExport(` ${KEY}\n`);

/** Responds to all requests, a second after the first one was made. */
function respond(body: object) {
	const now = jest.spyOn(Date, 'now').mockReturnValue(NOW);
	server.respond(() => (now.mockReturnValue(NOW + 1000), { status: 200, body: JSON.stringify(body) }));
}
const NOW = Date.now();
const EXPIRY = { urlsExpireAt: new Date(NOW + 6 * 3_600_000).toISOString() };

const PAGE = { page: 1, limit: 50, users: ['ana@example.com'] };
const PROCESSED = { ...LISTS.conversations, selectBy: 'processedDate' };
const WITH_SUBTEAMS = { ...LISTS.teams, filters: { includeSubteams: true } };

// D1-DOES-01, D1-DOES-03, D1-DOES-06, D1-EXP-05, D1-EXPBODY-01..06, D1-LIM-01..02, D1-LIM-08, D1-TEAMBODY-01..04, D1-USERBODY-01..05, D1-TEAMS-01, D1-USERS-01
// D1-HTTP-01..02, D1-CONVENTION-01, D1-AUTH-01
test.each<[string, INodeParameters, object]>([
	['conversations', LISTS.conversations, PAGE],
	['conversations', PROCESSED, { ...PAGE, dateType: 'processedDate' }],
	['conversations', LISTS.missing, PAGE],
	['teams', LISTS.teams, { includeSubteams: false }],
	['teams', WITH_SUBTEAMS, { includeSubteams: true }],
	['users', LISTS.users, { users: PAGE.users }],
])('%s: one JSON request with the raw key and a range in UTC: %j', async (name, operation, sent) => {
	const recordings = { totalAwaitingUpload: 0, awaitingUpload: [], totalErrored: 0, errored: [] };
	respond({ users: [], teams: [], conversations: [], totalConversations: 0, ...recordings });
	// The night in which Berlin's clocks go from 2 to 3.
	const range = { dateRange: 'custom', fromDate: '2026-03-29T01:00:00', toDate: '2026-03-29T04:00:00' };
	const filters = name === 'teams' ? operation.filters : { users: PAGE.users };
	const { items, error } = await run({ ...operation, ...range, filters }, { timezone: 'Europe/Berlin' });
	expect([items, error]).toEqual([[], undefined]);
	const [{ method, url, headers, body }] = server.seen;
	expect([method, url, headers.authorization]).toEqual(['POST', `/export/${name}`, KEY]);
	expect(headers['content-type']).toBe('application/json');
	const inUtc = { fromDate: '2026-03-29T00:00:00.000Z', toDate: '2026-03-29T02:00:00.000Z' };
	expect(body).toEqual({ ...inUtc, ...sent });
	expect(server.seen).toHaveLength(1);
});

// D1-HTTP-01..02, D1-GET-01..02, D1-DOES-02, D1-CONVENTION-03, D1-LIM-03, D1-CONV-09, D1-CONV-22
test('one conversation is requested by its ID alone, without body or content type; what it lacks is said', async () => {
	const row = documentedRow('ConversationsExport', { conversationId: ID, new: 1 });
	respond(row);
	const whole = await run({ operation: 'get', conversationId: ID.toUpperCase() });
	expect(whole.items.map(({ json }) => json)).toEqual([{ ...row, ...EXPIRY }]);
	const [{ method, url, headers, body }] = server.seen;
	const path = `/export/conversations/${ID.toUpperCase()}`;
	expect([method, url, body, headers.authorization]).toEqual(['GET', path, undefined, KEY]);
	expect(headers['content-type']).toBeUndefined();
	expect(server.seen).toHaveLength(1);

	respond({ ...row, title: 5, outcome: undefined, urlsExpireAt: '2030-01-01' });
	const output = { output: 'selectedFields', fields: ['title', 'new', 'misspelt', 'urlsExpireAt'] };
	const { items, hints } = await run({ operation: 'get', conversationId: ID, ...output });
	expect(Object.entries(items[0].json).join('; ')).toBe(
		`conversationId,${ID}; title,5; new,1; misspelt,; urlsExpireAt,2030-01-01`,
	);
	expect(hints.map(({ message }) => message)).toEqual([
		'No row has the field "misspelt": check its spelling.',
		'These fields do not match the API documentation: title, outcome. Rows are returned unchanged.',
	]);
});

test('a simplified conversation has its trackers if a filter compares them', async () => {
	const trackerData = [
		{ trackerName: 'Budget', trackerIsHit: true },
		{ trackerName: 'Price', trackerIsHit: false },
	];
	const more = {
		conversationId: ID,
		checklists: [{ checklistName: 'Discovery', trackerData }],
		aiTrackers: [],
	};
	respond({ conversations: [documentedRow('ConversationsExport', more)], totalConversations: 1 });
	const filters = { trackerNames: 'budget', hitOrMissed: 'hit' };
	const { items } = await run({ ...LISTS.conversations, output: 'simplified', filters });
	const shown = { conversationId: ID, hitTrackers: 'Budget', missedTrackers: 'Price' };
	expect(items.map(({ json }) => json)).toEqual([expect.objectContaining(shown)]);
});

test.each<[INodeParameters, string, unknown[]]>([
	[LISTS.conversations, 'the whole row (2 rows), title', [null, 'text']],
	[LISTS.missing, 'error, outcome', []],
])('rows are returned as they came: %j names the fields %s', async (operation, fields, values) => {
	respond({
		...{
			totalConversations: 4,
			conversations: [null, documentedRow('ConversationsExport', { title: 5 }), 'text'],
		},
		...{ totalAwaitingUpload: 2, awaitingUpload: [documentedRow('RecordingsExport', { outcome: 7 })] },
		...{ totalErrored: 1, errored: [documentedRow('ErroredRecordingsExport', { error: undefined })] },
	});
	const { items, hints } = await run(operation);
	const messages = hints.map(({ message }) => message);
	expect(messages).toContain(
		`These fields do not match the API documentation: ${fields}. Rows are returned unchanged.`,
	);
	expect(messages).toContain('The service counted rows that it did not return: 1.');
	expect(items.flatMap(({ json }) => ('value' in json ? [json.value] : []))).toEqual(values);
});

test('transcripts that cannot be read or are unclear say so in their row and a hint, and do not fail the list', async () => {
	const matching = (message: RegExp) => expect.stringMatching(message) as string;
	const unclear = 'It is not clear who speaks: the words have the fields "text", "start".';
	const rows: Array<[body: string, text: string | null, error: string | null, warning?: string]> = [
		['[{"speaker":"Ana","word":"Hello","start":0}]', '[00:00] Ana: Hello', null],
		['{"no":"list"}', null, matching(/^The transcript is not a JSON list.*\. Set Return As/)],
		['[{"text":"Still here","start":3725}]', '[1:02:05] Still here', null, unclear],
		['', null, matching(/^The conversation has no transcript\. Check/)],
	];
	const conversations = rows.map(([body], index) => ({
		conversationId: `${ID.slice(0, -1)}${index}`,
		transcriptUrl: body && `${server.url}/t${index}?sig=s`,
	}));
	server.respond(({ url }) => {
		const page = JSON.stringify({ conversations, totalConversations: 4 });
		return { status: 200, body: url.startsWith('/t') ? rows[Number(url[2])][0] : page };
	});
	const { items, hints } = await run({ output: 'simplified', options: { includeTranscript: true } });
	expect(items.map(({ json }) => [json.transcript, json.transcriptError, json.transcriptWarning])).toEqual(
		rows.map(([, text, error, warning = null]) => [text, error, warning]),
	);
	expect(JSON.stringify(items)).not.toContain('sig=');
	expect(hints.map(({ message }) => message)).toEqual(
		expect.arrayContaining([
			'2 of 4 transcripts could not be read: see transcriptError.',
			'In 1 of 4 transcripts it is not clear who speaks or when: see transcriptWarning.',
		]),
	);
});

describe('Many input items', () => {
	const days = (count: number): INodeExecutionData[] =>
		Array.from({ length: count }, (_, index) => ({ json: { day: `2026-03-${10 + index}` } }));
	const dayOf = ({ body }: SeenRequest) => Number(String(body?.fromDate).slice(8, 10));
	/** A page of the 120 conversations of a day, each named by its day and its place. */
	const page = (request: SeenRequest) => {
		const date = `${String(request.body?.fromDate).slice(0, 10)}T12:00:00.000Z`;
		const rows = Array.from({ length: 120 }, (_, index) => ({
			conversationId: `${dayOf(request)}-${index}`,
			...{ date, processedDate: date, duration: 60 },
		}));
		return { status: 200, body: JSON.stringify(pageOf({ conversations: rows }, request.body as never)) };
	};
	const OF_DAY = { ...LISTS.conversations, fromDate: '={{ $json.day }}', toDate: '={{ $json.day }}' };

	test('run side by side, and lose and mix no row', async () => {
		server.respond(async (request, index) => {
			await server.waitForRequests(Math.min(36, index + 3));
			return { ...page(request), delayMs: 10 };
		});
		const { items } = await run(OF_DAY, { input: days(12) });
		expect(items.map(({ json }) => json.conversationId)).toEqual(
			days(12).flatMap((_, day) => Array.from({ length: 120 }, (_row, index) => `${10 + day}-${index}`)),
		);
		expect(server.seen).toHaveLength(36);
		expect(server.maxInFlight).toBeGreaterThan(3);
	});

	test('write one file after another, so that many take no more memory than one', async () => {
		server.respond(page);
		const { items } = await run({ ...OF_DAY, outputAs: 'file' }, { input: days(4) });
		expect(items.map(({ json }) => json.rows)).toEqual([120, 120, 120, 120]);
		expect(server.seen.map(dayOf)).toEqual(server.seen.map(dayOf).toSorted((a, b) => a - b));
	});
});
